/**
 * Credits to the virtual account of an order, for settlePayment: matches them to the amount due, and informs the buyer and the
 * operator. Everything runs in its transaction, with the order locked.
 */

import type { PaymentIntent } from "#db/billing/payment-intents.ts";
import type { PaymentKey } from "#db/billing/payment-keys.ts";
import { listPartialPayments } from "#db/billing/payments.ts";
import { recordAmountDifference } from "#db/billing/proformas.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { findProformaOf, type Proforma } from "#server/billing/documents/proforma.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg, serializeMessage } from "#server/foundation/languages/text.ts";
import { queueMail, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { priceOrderNow } from "#server/orders/subscription-change.ts";
import { localisedDate } from "#server/orders/subscriptions/dates.ts";
import type { SellersByCountry } from "#server/orders/supply.ts";
import type { Env } from "#server/platform/env.ts";
import { type Match, matchCredits } from "./matching.ts";
import { taxableOf } from "./paid-for.ts";

export interface Credit {
  payment: PaymentKey & { amountMinor: number };
  /** Earlier partial payments that wait for the rest. */
  parts: { providerPaymentId: string; amountMinor: number }[];
  /** Sum including this payment. */
  receivedMinor: number;
  match: Match;
  proforma: Proforma | null;
}

/** Matches a credit, together with the earlier ones, to the amount due. */
export async function matchCredit(
  trx: Trx,
  env: Pick<Env, "TDS_RATES">,
  input: { order: Order; intent: PaymentIntent; requestedMinor: number; payment: Credit["payment"] },
): Promise<Credit> {
  const { order, intent, requestedMinor, payment } = input;
  const others = await listPartialPayments(trx, payment);
  const parts = others.filter(({ providerPaymentId }) => providerPaymentId !== payment.providerPaymentId);
  const receivedMinor = parts.reduce((sum, { amountMinor }) => sum + amountMinor, payment.amountMinor);
  const match = matchCredits({
    requestedMinor,
    taxableMinor: taxableOf(order, intent),
    receivedMinor,
    ratesBasisPoints: env.TDS_RATES,
  });
  return { payment, parts, receivedMinor, match, proforma: await findProformaOf(trx, intent.id) };
}

/**
 * Stores a credit that does not complete its order: a partial one, or one that completes the amount after the price has
 * expired. The buyer is mailed about both; the operator is alerted about the latter, which needs a decision.
 * @returns null when the order continues
 */
export async function recordCredit(
  trx: Trx,
  sellers: SellersByCountry,
  { order, intent, credit, now }: { order: Order; intent: PaymentIntent; credit: Credit; now: Date },
): Promise<{ status: "part" | "mismatch"; problem: MessageDescriptor } | null> {
  const { match, payment, receivedMinor } = credit;
  const shown = (minor: number) => formatMoney(money(minor, order.total.currency));
  const received = shown(receivedMinor);
  if (match.state === "part") {
    const missing = shown(match.missingMinor);
    await tellBuyer(trx, order, credit, { state: "part", received, missing });
    return { status: "part", problem: msg("paying.partWaits", { missing }) };
  }
  const problem = await whyTooLate(trx, sellers, order, intent, credit.proforma, now);
  if (problem === null) return null;
  await tellBuyer(trx, order, credit, { state: "held", received, problem: serializeMessage(problem) });
  await tellOperator(
    trx,
    order,
    credit,
    `${received} arrived by transfer after proforma ${credit.proforma?.number} expired, and the price has changed. Agree a solution with the buyer, or refund payment ${payment.providerPaymentId} and any earlier ones in Desk.`,
  );
  return { status: "mismatch", problem };
}

/** Records the tax withheld or the surplus of the order's credits, mails the buyer, and alerts the operator about a surplus. */
export async function acceptCredit(trx: Trx, order: Order, credit: Credit): Promise<void> {
  const { match, proforma, payment } = credit;
  const shown = (minor: number) => formatMoney(money(minor, order.total.currency));
  const withheldMinor = match.state === "withheld" ? match.withheldMinor : 0;
  const surplusMinor = match.state === "over" ? match.surplusMinor : 0;
  if (proforma !== null) await recordAmountDifference(trx, proforma.number, { withheldMinor, surplusMinor });
  await tellBuyer(trx, order, credit, {
    state: match.state,
    received: shown(credit.receivedMinor),
    withheld: shown(withheldMinor),
    surplus: shown(surplusMinor),
  });
  if (match.state === "over") {
    await tellOperator(
      trx,
      order,
      credit,
      `The buyer transferred ${shown(surplusMinor)} too much. Refund it in Desk from payment ${payment.providerPaymentId}.`,
    );
  }
}

/**
 * Applies a later credit to the withheld, uncertified amount of a paid order.
 * @returns false when that amount is less than the credit
 */
export async function applyCreditToWithheld(
  trx: Trx,
  intent: PaymentIntent,
  amountMinor: number,
): Promise<boolean> {
  const proforma = await findProformaOf(trx, intent.id);
  if (proforma === null || proforma.withheldMinor - proforma.certifiedMinor < amountMinor) return false;
  await recordAmountDifference(trx, proforma.number, {
    withheldMinor: proforma.withheldMinor - amountMinor,
    surplusMinor: proforma.surplusMinor,
  });
  return true;
}

/**
 * Returns the reason why a credit is too late: the proforma has expired and its price is no longer the current one. Null when
 * it is in time.
 */
async function whyTooLate(
  trx: Trx,
  sellers: SellersByCountry,
  order: Order,
  intent: PaymentIntent,
  proforma: Proforma | null,
  now: Date,
): Promise<MessageDescriptor | null> {
  if (proforma === null || now <= proforma.validUntil) return null;
  if (intent.status !== "superseded" && (await priceToday(trx, sellers, order, now)) === intent.amountMinor)
    return null;
  return msg("paying.late", { date: localisedDate(proforma.validUntil, order.country) });
}

/** Computes the current price in minor units; null for a selection that is no longer sold. */
async function priceToday(
  trx: Trx,
  sellers: SellersByCountry,
  order: Order,
  now: Date,
): Promise<number | null> {
  try {
    const priced = await priceOrderNow(trx, sellers, order, now);
    return (priced?.priced.total ?? order.total).minor;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

async function tellBuyer(
  trx: Trx,
  order: Order,
  { payment }: Credit,
  data: Record<string, string>,
): Promise<void> {
  if (order.account === null) return;
  await queueMail(trx, {
    kind: "transfer-received",
    dedupeKey: `transfer-received:${payment.providerPaymentId}`,
    recipient: order.account.email,
    userId: order.userId,
    orderId: order.id,
    data,
  });
}

async function tellOperator(trx: Trx, order: Order, { payment }: Credit, what: string): Promise<void> {
  await queueOperatorAlert(trx, {
    dedupeKey: `credit:${payment.providerPaymentId}`,
    orderId: order.id,
    what,
  });
}
