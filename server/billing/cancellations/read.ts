/** The outcome of a cancellation, for its page and its mails. */
import {
  type Cancellation,
  type CancellationPart,
  findCancellation,
  findNewestOf,
  listCancellationParts,
  listRefundsOf,
  type RefundOfCancellation,
} from "#db/billing/cancellations.ts";
import { type IssuedCreditNote, listCreditNotesFor } from "#db/billing/credit-notes.ts";
import type { CancellationId, OrderId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import { readSubscription, type Subscription } from "#db/orders/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import { add } from "#server/catalogue/pricing/money.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";

/** The facts for a mail about a cancellation. */
export interface CancellationMailFacts {
  cancellation: Cancellation;
  subscription: Subscription;
  total: Money;
  creditNotes: IssuedCreditNote[];
}

export async function readCancellationMailFacts(
  db: Db,
  id: CancellationId,
): Promise<CancellationMailFacts | null> {
  const cancellation = await findCancellation(db, id);
  const subscription = cancellation === null ? null : await readSubscription(db, cancellation.subscriptionId);
  if (cancellation === null || subscription === null) return null;
  const { total } = await readCancellationOutcome(db, cancellation, subscription);
  return { cancellation, subscription, total, creditNotes: await listCreditNotesFor(db, id) };
}

/** Finds the newest cancellation that returns licences of an order, with their number; null when none was made or is open. */
export function findLatestReduction(
  db: Db,
  orderId: OrderId,
): Promise<{ cancellation: Cancellation; seats: number } | null> {
  return findNewestOf(db, orderId);
}

/** State of the refund: none is due, it is pending, all of it has arrived, or a part failed. */
export type RefundProgress = "none" | "pending" | "arrived" | "failed";

export interface CancellationResult {
  parts: CancellationPart[];
  total: Money;
  money: RefundProgress;
  /** References with which the buyer's bank finds the refunds. */
  bankReferences: string[];
}

export async function readCancellationOutcome(
  db: Db,
  { id }: Pick<Cancellation, "id">,
  { country }: Pick<Subscription, "country">,
): Promise<CancellationResult> {
  const parts = await listCancellationParts(db, id);
  const total = parts.reduce((all, { amount }) => add(all, amount), money(0, currencyOf(country)));
  const refunds = await listRefundsOf(db, id);
  return {
    parts,
    total,
    money: moneyOf(total, refunds),
    bankReferences: refunds.flatMap(({ bankReference }) => (bankReference === null ? [] : [bankReference])),
  };
}

function moneyOf(total: Money, refunds: readonly RefundOfCancellation[]): RefundProgress {
  if (total.minor === 0) return "none";
  if (refunds.some(({ status }) => status === "failed")) return "failed";
  return refunds.length > 0 && refunds.every(({ status }) => status === "processed") ? "arrived" : "pending";
}
