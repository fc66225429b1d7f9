/**
 * Disputes: a cardholder's bank claims a payment back. They are answered in the provider's dashboard; here each is recorded, the
 * order shows it, and the operator is told until when to answer, and when money was lost.
 */
import { type Dispute, findDispute, saveDispute } from "#db/disputes.ts";
import type { ProviderAccount } from "#db/payments.ts";
import type { Country } from "#db/tables/enums.ts";
import type { DisputeStatus } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { lockOrder } from "#server/orders/find.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";
import { formatDate, formatTime } from "#server/subscriptions/dates.ts";
import { findToldPayment } from "./find.ts";
import { paymentProviders, type ToldDispute } from "./provider.ts";
import { followMoney } from "./standing.ts";

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
export function isNews(
  known: Pick<Dispute, "status" | "toldAt">,
  told: Pick<ToldDispute, "status" | "at">,
): boolean {
  const isFinal = ranks[known.status] >= ranks.closed;
  if (isFinal || ranks[told.status] >= ranks.closed) return ranks[told.status] > ranks[known.status];
  const later = told.at.getTime() - known.toldAt.getTime();
  return later > 0 || (later === 0 && ranks[told.status] > ranks[known.status]);
}

/** Follows a dispute that the provider tells of. Idempotent; one of a payment that is not ours is logged. */
export async function followDispute(
  { db, log }: Context,
  at: Pick<ProviderAccount, "provider">,
  told: ToldDispute,
): Promise<void> {
  const received = await findToldPayment(db, { ...at, providerPaymentId: told.providerPaymentId });
  if (received === null) {
    log.warn({ providerDisputeId: told.id }, "a dispute of a payment that is not ours");
    return;
  }
  await db.transaction().execute(async (trx) => {
    const { orderId, provider } = received;
    const { country } = await lockOrder(trx, orderId);
    const known = await findDispute(trx, { provider, providerDisputeId: told.id });
    if (known !== null && !isNews(known, told)) return;
    const dispute: Dispute = {
      orderId,
      provider,
      providerPaymentId: told.providerPaymentId,
      providerDisputeId: told.id,
      amountMinor: told.amountMinor,
      deductedMinor: told.deductedMinor,
      currency: told.currency,
      reason: told.reason ?? known?.reason ?? null,
      phase: told.phase ?? known?.phase ?? null,
      status: told.status,
      respondBy: told.respondBy ?? known?.respondBy ?? null,
      toldAt: told.at,
    };
    await saveDispute(trx, dispute);
    await followMoney(trx, orderId);
    const toDo = toDoAbout(dispute, country);
    if (toDo.length === 0) return;
    await queueOperatorAlert(trx, {
      dedupeKey: `dispute:${provider}:${told.id}:${told.status}`,
      orderId,
      what: describe(dispute),
      toDo,
    });
  });
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
  return `The buyer's bank claims back ${sum} of payment ${providerPaymentId}, in dispute ${providerDisputeId}${about === "" ? "" : ` (${about})`}: ${states[status]}.`;
}

const states: Readonly<Record<DisputeStatus, string>> = {
  open: "it was begun",
  review: "it is being reviewed",
  action: "something is asked of us",
  won: "it is won, and the money stays ours",
  lost: "it is lost, and the money was taken back",
  closed: "it is closed, and the money stays ours",
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
        `Contest or accept it in the dashboard of ${name} ${until}. Without an answer it is lost.`,
        "Attach the invoice, the agreement that was accepted, and when the licences were handed over.",
      ];
    }
    case "lost":
      return ["See whether the order's licences have to be cancelled."];
    case "review":
    case "won":
    case "closed":
      return [];
  }
}
