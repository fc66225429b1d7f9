/** Every act of staff by its id. The compiler asks for what actIds names. */
import type { StaffRole } from "#db/tables/enums.ts";
import { isAmong } from "../roles.ts";
import type { Act, ActContext } from "./act.ts";
import { type ActId, actIds } from "./ids.ts";
import { acknowledgeDifferenceAct, itemDone } from "./item-acts.ts";
import {
  liftSuppressionAct,
  probeVendorAct,
  resendLoggedMailAct,
  retryFailedJobsAct,
  retryJobAct,
} from "./operation-acts.ts";
import {
  cancelDocumentAct,
  noteOrder,
  refundOrder,
  resendMailAct,
  retryDocumentAct,
  retryOrder,
} from "./order-acts.ts";
import { addStaffAct, changeRoleAct, endSessionsAct, removeStaffAct, resetStaffAct } from "./staff-acts.ts";

export const acts: Readonly<Record<ActId, Act>> = {
  "order.retry": retryOrder,
  "order.note": noteOrder,
  "order.refund": refundOrder,
  "order.resend-mail": resendMailAct,
  "document.retry": retryDocumentAct,
  "document.cancel": cancelDocumentAct,
  "difference.acknowledge": acknowledgeDifferenceAct,
  "item.done": itemDone,
  "mail.resend": resendLoggedMailAct,
  "mail-suppression.lift": liftSuppressionAct,
  "job.retry": retryJobAct,
  "jobs.retry-all": retryFailedJobsAct,
  "vendor.probe": probeVendorAct,
  "staff.add": addStaffAct,
  "staff.role": changeRoleAct,
  "staff.end-sessions": endSessionsAct,
  "staff.reset": resetStaffAct,
  "staff.remove": removeStaffAct,
};

export function isActId(text: string): text is ActId {
  return actIds.some((id) => id === text);
}

export function mayAct(role: StaffRole, id: ActId): boolean {
  return isAmong(role, acts[id].roles);
}

export interface PossibleAct {
  id: ActId;
  label: string;
}

/**
 * The acts that a role may do on a thing, and that can be done to it now.
 * @param subject the name of the kind of thing
 * @param text which one, as in an address
 */
export async function possibleActs(
  context: ActContext,
  role: StaffRole,
  subject: string,
  text: string,
): Promise<PossibleAct[]> {
  const mayBeDone = actIds.filter((id) => acts[id].subject === subject && mayAct(role, id));
  const opened = await Promise.all(
    mayBeDone.map(async (id) => ({ id, hindrance: (await acts[id].open(context, text)).hindrance })),
  );
  return opened.flatMap(({ id, hindrance }) => (hindrance === null ? [{ id, label: acts[id].label }] : []));
}
