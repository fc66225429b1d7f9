/** Every act of staff by its id. The compiler asks for what actIds names. */
import { listStuckCancellations } from "#db/cancellations.ts";
import type { OrderId } from "#db/ids.ts";
import type { StaffRole } from "#db/tables/enums.ts";
import { isAmong } from "../roles.ts";
import type { Act, ActContext } from "./act.ts";
import { finishCancellation, refuseCancellation } from "./cancellation-acts.ts";
import {
  bindTenantAct,
  bringSubscriptionAct,
  noteCustomer,
  removeSecondFactorAct,
  viewStore,
} from "./customer-acts.ts";
import { type ActId, actIds } from "./ids.ts";
import { acknowledgeDifferenceAct, itemDone } from "./item-acts.ts";
import {
  changeAddressAct,
  changeContactAct,
  changeTenantNameAct,
  changeUsernameAct,
  markDoneAct,
  moveOrderAct,
} from "./mend-acts.ts";
import { bookCertificateAct, registerEarlierAct } from "./money-acts.ts";
import {
  liftSuppressionAct,
  probeVendorAct,
  resendLoggedMailAct,
  retryFailedJobsAct,
  retryJobAct,
} from "./operation-acts.ts";
import {
  cancelDocumentAct,
  closeOrder,
  noteOrder,
  refundOrder,
  resendMailAct,
  retryDocumentAct,
  retryOrder,
  sendLinkAct,
} from "./order-acts.ts";
import {
  applyPriceListAct,
  discardPriceListAct,
  movePriceListAct,
  takeBackPriceListAct,
} from "./price-acts.ts";
import { addStaffAct, changeRoleAct, endSessionsAct, removeStaffAct, resetStaffAct } from "./staff-acts.ts";

export const acts: Readonly<Record<ActId, Act>> = {
  "order.retry": retryOrder,
  "order.note": noteOrder,
  "order.refund": refundOrder,
  "order.resend-mail": resendMailAct,
  "order.send-link": sendLinkAct,
  "order.address": changeAddressAct,
  "order.contact": changeContactAct,
  "order.tenant-name": changeTenantNameAct,
  "order.username": changeUsernameAct,
  "order.move": moveOrderAct,
  "order.mark-done": markDoneAct,
  "order.close": closeOrder,
  "cancellation.refuse": refuseCancellation,
  "cancellation.finish": finishCancellation,
  "order.certificate": bookCertificateAct,
  "customer.note": noteCustomer,
  "customer.view": viewStore,
  "customer.remove-second-factor": removeSecondFactorAct,
  "customer.bind-tenant": bindTenantAct,
  "customer.bring-subscription": bringSubscriptionAct,
  "document.retry": retryDocumentAct,
  "document.cancel": cancelDocumentAct,
  "document.register": registerEarlierAct,
  "difference.acknowledge": acknowledgeDifferenceAct,
  "item.done": itemDone,
  "mail.resend": resendLoggedMailAct,
  "mail-suppression.lift": liftSuppressionAct,
  "job.retry": retryJobAct,
  "jobs.retry-all": retryFailedJobsAct,
  "vendor.probe": probeVendorAct,
  "price-list.day": movePriceListAct,
  "price-list.apply": applyPriceListAct,
  "price-list.discard": discardPriceListAct,
  "price-list.take-back": takeBackPriceListAct,
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

/** The acts that a role may do on an order, and on what of it waits for a person. */
export async function actsOfOrder(
  context: ActContext,
  role: StaffRole,
  id: OrderId,
): Promise<(PossibleAct & { subject: string })[]> {
  const stuck = await listStuckCancellations(context.db, id);
  const things = [
    { kind: "order", text: id },
    ...stuck.map((each) => ({ kind: "cancellation", text: each.id })),
  ];
  const acts = await Promise.all(
    things.map(async ({ kind, text }) =>
      (await possibleActs(context, role, kind, text)).map((possible) => ({ ...possible, subject: text })),
    ),
  );
  return acts.flat();
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
    mayBeDone.map(async (id) => ({ id, hindrance: await acts[id].whyNot(context, text) })),
  );
  return opened.flatMap(({ id, hindrance }) => (hindrance === null ? [{ id, label: acts[id].label }] : []));
}
