/**
 * Applies a provider's response or report about a refund. A refund only moves forward, and the buyer is mailed. A failed refund
 * no longer counts, so the order's payment status is reverted, and the operator is alerted with instructions.
 */

import { moveRefund, type Refund } from "#db/billing/refunds.ts";
import { money } from "#db/money.ts";
import type { Trx } from "#db/tables/index.ts";
import type { RefundStatus } from "#db/tables/payments.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { queueMail, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { lockOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { updatePaymentStatus } from "./payment-status.ts";
import type { ProviderRefund } from "./provider.ts";

/** The provider's response, or its refusal with its own text. */
type Outcome = ProviderRefund | { id: null; status: "failed"; bankReference: null; problem: string };

export async function applyRefundOutcome({ db }: Context, refund: Refund, outcome: Outcome): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrder(trx, refund.orderId);
    await applyRefundStatus(trx, refund, outcome);
  });
}

/** Applies the outcome. The caller holds the order's lock. */
export async function applyRefundStatus(trx: Trx, refund: Refund, outcome: Outcome): Promise<void> {
  const { id, orderId, providerPaymentId, amountMinor, currency } = refund;
  const { status, bankReference } = outcome;
  const said = "problem" in outcome ? outcome.problem : "The provider reported a failure.";
  const problem = status === "failed" ? said : null;
  const isNews = await moveRefund(trx, id, { status, providerRefundId: outcome.id, bankReference, problem });
  if (!isNews) return;
  if (status !== "failed") return notifyBuyerOfRefund(trx, refund, status);
  await queueOperatorAlert(trx, {
    dedupeKey: `refund-failed:${id}`,
    orderId,
    what: `The refund of ${formatMoney(money(amountMinor, currency))} of payment ${providerPaymentId} failed: ${problem}`,
    toDo: ["Fix the cause and retry the refund in Desk. If that isn't possible, refund by bank transfer."],
  });
  await updatePaymentStatus(trx, orderId);
}

/**
 * Mails the buyer that a refund is under way, and that it was paid out. No mail for one that they requested themselves, which
 * the cancellation mail covers; no first mail for one by the store, which another mail covers. The caller holds the order's
 * lock.
 */
export async function notifyBuyerOfRefund(
  trx: Trx,
  { id, orderId, decidedBy }: Pick<Refund, "id" | "orderId" | "decidedBy">,
  status: Exclude<RefundStatus, "requested" | "failed">,
): Promise<void> {
  if (decidedBy === "buyer" || (status === "pending" && decidedBy === "store")) return;
  const { account, userId } = await lockOrder(trx, orderId);
  if (account === null) return;
  await queueMail(trx, {
    kind: "refund",
    dedupeKey: `refund:${id}:${status}`,
    recipient: account.email,
    userId,
    orderId,
    data: { refundId: id, status },
  });
}
