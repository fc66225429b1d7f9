/**
 * Disputes, in which a cardholder's bank claims a payment back. Staff answer them in the provider's dashboard; here each is
 * recorded, the order shows it, and the operator is alerted about the deadline and about a loss.
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

/** Order of the states. A decision is final, whatever arrives later; "closed" ranks below the decisions because it says less. */
const ranks: Readonly<Record<DisputeStatus, number>> = {
  open: 0,
  review: 1,
  action: 2,
  closed: 3,
  won: 4,
  lost: 5,
};

/**
 * Whether a report of a dispute is newer than the stored state: a final state replaces an open one, and among open ones the
 * later one counts. In the same second the further state counts, so that any order of arrival gives the same result.
 */
export function isNewDisputeState(
  known: Pick<Dispute, "status" | "toldAt">,
  report: Pick<ReportedDispute, "status" | "at">,
): boolean {
  const isFinal = ranks[known.status] >= ranks.closed;
  // A list has no time of the last change and no state "action", so it only moves a dispute forward.
  if (isFinal || ranks[report.status] >= ranks.closed || report.at === null)
    return ranks[report.status] > ranks[known.status];
  const later = report.at.getTime() - known.toldAt.getTime();
  return later > 0 || (later === 0 && ranks[report.status] > ranks[known.status]);
}

/**
 * Records a reported dispute, after settling its payment if the store does not know it yet. Idempotent.
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

/** Lists the operator's next steps. @returns an empty list when there are none */
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
