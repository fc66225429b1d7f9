/** All staff actions by id. The compiler requires every id of actionIds. */
import { listStuckCancellations } from "#db/billing/cancellations.ts";
import type { OrderId } from "#db/ids.ts";
import type { StaffRole } from "#db/tables/enums.ts";
import { hasRole } from "../roles.ts";
import type { ActionContext, StaffAction } from "./action.ts";
import { type ActionId, actionIds } from "./action-ids.ts";
import {
  amendAddressAction,
  amendContactAction,
  amendTenantNameAction,
  amendUsernameAction,
  markFulfilledAction,
  moveToTenantAction,
} from "./amend-order-actions.ts";
import { finishCancellation, refuseCancellation } from "./cancellation-acts.ts";
import {
  addCustomerNoteAction,
  endCustomerSessionsAct,
  impersonateAction,
  importSubscriptionAction,
  linkTenantAction,
  lockAccountAct,
  removeSecondFactorAction,
  unlockAccountAct,
} from "./customer-acts.ts";
import { correctDocumentAction, enterRegistrationAction } from "./document-actions.ts";
import { recordCertificateAction, registerEarlierAct } from "./money-actions.ts";
import {
  liftSuppressionAct,
  probeVendorAct,
  resendLoggedMailAct,
  retryFailedJobsAct,
  retryJobAct,
} from "./operation-acts.ts";
import {
  addOrderNoteAction,
  cancelRegistrationAction,
  closeOrder,
  resendOrderMailAction,
  retryDocumentAct,
  retryOrder,
  sendLinkAct,
} from "./order-acts.ts";
import {
  applyPriceListAction,
  discardPriceListAction,
  reschedulePriceListAction,
  withdrawPriceListAction,
} from "./price-list-actions.ts";
import { refundOrderAction } from "./refund-action.ts";
import {
  addStaffAction,
  changeStaffRoleAction,
  endStaffSessionsAction,
  removeStaffAction,
  resetStaffAction,
} from "./staff-account-actions.ts";
import { acknowledgeDiscrepancyAction, dismissWorkItemAction } from "./work-item-actions.ts";

export const actions: Readonly<Record<ActionId, StaffAction>> = {
  "order.retry": retryOrder,
  "order.note": addOrderNoteAction,
  "order.refund": refundOrderAction,
  "order.resend-mail": resendOrderMailAction,
  "order.send-link": sendLinkAct,
  "order.address": amendAddressAction,
  "order.contact": amendContactAction,
  "order.tenant-name": amendTenantNameAction,
  "order.username": amendUsernameAction,
  "order.move": moveToTenantAction,
  "order.mark-done": markFulfilledAction,
  "order.close": closeOrder,
  "cancellation.refuse": refuseCancellation,
  "cancellation.finish": finishCancellation,
  "order.certificate": recordCertificateAction,
  "customer.note": addCustomerNoteAction,
  "customer.view": impersonateAction,
  "customer.remove-second-factor": removeSecondFactorAction,
  "customer.end-sessions": endCustomerSessionsAct,
  "customer.lock": lockAccountAct,
  "customer.unlock": unlockAccountAct,
  "customer.bind-tenant": linkTenantAction,
  "customer.bring-subscription": importSubscriptionAction,
  "document.correct": correctDocumentAction,
  "document.enter": enterRegistrationAction,
  "document.retry": retryDocumentAct,
  "document.cancel": cancelRegistrationAction,
  "document.register": registerEarlierAct,
  "difference.acknowledge": acknowledgeDiscrepancyAction,
  "item.done": dismissWorkItemAction,
  "mail.resend": resendLoggedMailAct,
  "mail-suppression.lift": liftSuppressionAct,
  "job.retry": retryJobAct,
  "jobs.retry-all": retryFailedJobsAct,
  "vendor.probe": probeVendorAct,
  "price-list.day": reschedulePriceListAction,
  "price-list.apply": applyPriceListAction,
  "price-list.discard": discardPriceListAction,
  "price-list.take-back": withdrawPriceListAction,
  "staff.add": addStaffAction,
  "staff.role": changeStaffRoleAction,
  "staff.end-sessions": endStaffSessionsAction,
  "staff.reset": resetStaffAction,
  "staff.remove": removeStaffAction,
};

export function isActionId(text: string): text is ActionId {
  return actionIds.some((id) => id === text);
}

export function mayPerform(role: StaffRole, id: ActionId): boolean {
  return hasRole(role, actions[id].roles);
}

/** Lists the actions that a role may perform on an order, and on its work items. */
export async function actsOfOrder(
  context: ActionContext,
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
  id: ActionId;
  label: string;
}

/**
 * Lists the actions that a role may perform on a subject, and that are possible now.
 * @param subject the name of the kind of subject
 * @param text its id, as in an address
 */
export async function possibleActs(
  context: ActionContext,
  role: StaffRole,
  subject: string,
  text: string,
): Promise<PossibleAct[]> {
  const mayBeDone = actionIds.filter((id) => actions[id].subject === subject && mayPerform(role, id));
  const opened = await Promise.all(
    mayBeDone.map(async (id) => ({ id, hindrance: await actions[id].whyNot(context, text) })),
  );
  return opened.flatMap(({ id, hindrance: whyNot }) =>
    whyNot === null ? [{ id, label: actions[id].label }] : [],
  );
}
