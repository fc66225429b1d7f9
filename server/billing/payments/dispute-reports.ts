/**
 * Disputes: a cardholder's bank claims a payment back. They are answered in the provider's dashboard; here each is recorded, the
 * order shows it, and the operator is told until when to answer, and when money was lost.
 */
import { type Dispute, findDispute, saveDispute } from "#db/billing/disputes.ts";
import type { ProviderAccount } from "#db/billing/payment-keys.ts";
import type { Country } from "#db/tables/enums.ts";
import type { DisputeStatus } from "#db/tables/payments.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { lockOrder } from "#server/orders/find.ts";
import { formatDate, formatTime } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { updatePaymentStatus } from "./payment-status.ts";
import type { ReportedDispute } from "./provider.ts";
import { paymentProviders } from "./registry.ts";
import { findOrSettleReported, type ReportOutcome } from "./reported-payment.ts";

/** How far a dispute is. What is decided stays so, whatever arrives late; that it is closed says less than how it was decided. */
const ranks: Readonly<Record<DisputeStatus, number>> = {
  open: 0,
  review: 1,
  action: 2,
  closed: 3,
  won: 4,
  lost: 5,
};

/**
 * Whether what is told of a dispute is news: a final state over an open one, and among open ones the one that was written later. At
 * the same second the one further on counts, so that any order of arrival ends the same.
 */
export function isNewDisputeState(
  known: Pick<Dispute, "status" | "toldAt">,
  report: Pick<ReportedDispute, "status" | "at">,
): boolean {
  const isFinal = ranks[known.status] >= ranks.closed;
  // A list has no time of the last change, and no state "action": it only moves a dispute forward.
  if (isFinal || ranks[report.status] >= ranks.closed || report.at === null)
    return ranks[report.status] > ranks[known.status];
  const later = report.at.getTime() - known.toldAt.getTime();
  return later > 0 || (later === 0 && ranks[report.status] > ranks[known.status]);
}

/**
 * Records a dispute that the provider reports, after settling its payment where the store does not know that yet. Idempotent.
 * @throws ProviderError when the provider cannot be reached; nothing changes then
 */
export async function applyDisputeReport(
  context: Context,
  at: ProviderAccount,
  report: ReportedDispute,
): Promise<ReportOutcome> {
  const { db, log } = context;
  const received = await findOrSettleReported(context, at, report.providerPaymentId);
  if (typeof received === "string") {
    log.warn({ providerDisputeId: report.id, received }, "a dispute without a payment of ours");
    return received;
  }
  await db.transaction().execute(async (trx) => {
    const { orderId, provider } = received;
    const { country } = await lockOrder(trx, orderId);
    const known = await findDispute(trx, { provider, providerDisputeId: report.id });
    if (known !== null && !isNewDisputeState(known, report)) return;
    const dispute: Dispute = {
      orderId,
      provider,
      providerPaymentId: report.providerPaymentId,
      providerDisputeId: report.id,
      amountMinor: report.amountMinor,
      deductedMinor: report.deductedMinor,
      currency: report.currency,
      reason: report.reason ?? known?.reason ?? null,
      phase: report.phase ?? known?.phase ?? null,
      status: report.status,
      respondBy: report.respondBy ?? known?.respondBy ?? null,
      toldAt: report.at ?? known?.toldAt ?? report.begunAt,
    };
    await saveDispute(trx, dispute);
    await updatePaymentStatus(trx, orderId);
    const toDo = toDoAbout(dispute, country);
    if (toDo.length === 0) return;
    await queueOperatorAlert(trx, {
      dedupeKey: `dispute:${provider}:${report.id}:${report.status}`,
      orderId,
      what: describe(dispute),
      toDo,
    });
  });
  return "applied";
}

function describe({
  providerDisputeId,
  providerPaymentId,
  amountMinor,
  currency,
  reason,
  phase,
  status,
}: Dispute) {
  const about = [phase, reason].filter((part) => part !== null).join(", ");
  const sum = `${(amountMinor / 100).toFixed(2)} ${currency}`;
  return `The buyer's bank is disputing ${sum} of payment ${providerPaymentId} (dispute ${providerDisputeId})${about === "" ? "" : ` (${about})`}: ${states[status]}.`;
}

const states: Readonly<Record<DisputeStatus, string>> = {
  open: "opened",
  review: "under review",
  action: "they need a response from us",
  won: "won; we keep the money",
  lost: "lost; the money was taken back",
  closed: "closed; we keep the money",
};

/** @returns nothing when nobody has to act */
function toDoAbout({ provider, status, respondBy }: Dispute, country: Country): string[] {
  const { name } = paymentProviders[provider];
  switch (status) {
    case "open":
    case "action": {
      const until =
        respondBy === null
          ? "as soon as you can"
          : `before ${formatTime(respondBy, country)} on ${formatDate(respondBy, country)}`;
      return [
        `Contest or accept it in the ${name} dashboard ${until}. If we don't respond, we lose.`,
        "Attach the invoice, the accepted agreement and the date the licenses were delivered.",
      ];
    }
    case "lost":
      return ["Check whether to cancel the order's licenses."];
    case "review":
    case "won":
    case "closed":
      return [];
  }
}
