/**
 * Quotes: an unpaid order as a document with a number, an end date and a held price. The quote is the order: accepting
 * it goes on with the same order, and a change of the order makes the quote's next version (docs/decisions/quotes.md#quotes).
 */
import { z } from "zod";
import { allocateSerial } from "#db/billing/invoices.ts";
import {
  insertQuote,
  type QuoteVersion,
  readLatestVersion,
  readQuote,
  type StoredQuote,
} from "#db/billing/quotes.ts";
import { newId, type OrderId, type QuoteId, type UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hasProvenMailbox } from "#server/accounts/email-verification.ts";
import { invoiceFacts, invoiceFactsSchema } from "#server/billing/documents/facts.ts";
import { readCompanyName } from "#server/billing/documents/issue.ts";
import { quoteNumber, quoteSeriesOf } from "#server/billing/documents/number.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { otherMethodsFor } from "#server/catalogue/pricing/payment-methods.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { type LanguageId, storedLanguage } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { requireBillable } from "#server/orders/billing-problem.ts";
import { lockDraft } from "#server/orders/draft.ts";
import { findOrder, lockOrder, mayReadDocuments, type Requester } from "#server/orders/find.ts";
import { requireSoldIn } from "#server/orders/market-availability.ts";
import { orderNumber } from "#server/orders/number.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { whyNotPlaceableNow } from "#server/orders/order-preconditions.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { atTodaysPrice } from "#server/orders/refresh-price.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import { notifySupersededRequests } from "./notify-superseded.ts";
import { quoteFingerprint } from "./quote-fingerprint.ts";

const quoteFactsSchema = invoiceFactsSchema.extend({
  /** Reference for a transfer, the same as the proforma will have; null where orders cannot be paid by transfer. */
  transferReference: z.string().nullable(),
});
type QuoteFacts = z.infer<typeof quoteFactsSchema>;

/** A version of a quote as issued. */
export interface IssuedQuote extends Omit<StoredQuote, "facts" | "language"> {
  language: LanguageId;
  facts: QuoteFacts;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Issues an order's quote, or its next version, at the current price if the order's own no longer applies. An unchanged order
 * keeps its quote.
 * @throws DomainError not_found for another's order; forbidden for a viewer; bad_request before the account is given; conflict
 * once paid, for billing details that break a current rule, and for an order that could not be placed now
 */
export async function makeQuote(
  { db, env }: Context,
  { orderId, requester, now }: { orderId: OrderId; requester: Requester; now: Date },
): Promise<QuoteVersion> {
  return db.transaction().execute(async (trx) => {
    const draft = await lockDraft(trx, orderId, requester);
    if (draft.account === null) throw new DomainError("bad_request", msg("refusals.noAccount"));
    requireSoldIn(env, draft.family, draft.country);
    requireBillable(env.sellers, draft.account);
    const refused = await whyNotPlaceableNow(trx, draft, now);
    if (refused !== null) throw new DomainError("conflict", refused);
    const order = await atTodaysPrice(trx, draft, env.sellers, now);
    const tooSmall = tooSmallToPay({ ...order, quantity: order.line.quantity });
    if (tooSmall !== null) throw new DomainError("conflict", tooSmall);
    const latest = await findLatestVersion(trx, orderId);
    if (latest !== null && isInForce(latest, order, now)) return latest;
    return issue(trx, env, order, { latest, askedBy: requester.userId, now });
  });
}

/**
 * Issues the next version of a quoted order's quote after a change, unless its content is the same. An expired quote stays as
 * it is; the buyer requests the next one.
 */
export async function renewQuote({ db, env }: Context, orderId: OrderId): Promise<void> {
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const latest = await findLatestVersion(trx, orderId);
    if (latest === null || order.account === null || isPaid(order) || isRefunded(order)) return;
    if (latest.validUntil <= now) return;
    if (latest.hash !== quoteFingerprint(order, latest.validUntil))
      await issue(trx, env, order, { latest, askedBy: order.userId, now });
    // A change and its reversal priced the order again in between.
    else await holdPrice(trx, order, latest.validUntil);
  });
}

/**
 * Issues the next version of a locked order's quote. Locks the series of a first one until the transaction ends, so call it
 * last. @returns the version
 */
async function issue(
  trx: Trx,
  env: Env,
  order: Order,
  { latest, askedBy, now }: { latest: QuoteVersion | null; askedBy: UserId | null; now: Date },
): Promise<IssuedQuote> {
  const language = storedLanguage(order.language);
  const facts = invoiceFacts(
    order,
    supplierOf(env, order.country),
    await readCompanyName(trx, order),
    language,
    now,
  );
  const validUntil = endOf(order, latest, env, now);
  await holdPrice(trx, order, validUntil);
  const quote: IssuedQuote = {
    id: newId<QuoteId>(),
    orderId: order.id,
    ...(await numberOf(trx, order, latest, { isGst: facts.supply !== undefined, now })),
    validUntil,
    language,
    facts: {
      ...facts,
      // The paid period begins with the payment, which is still unknown.
      servicePeriod: undefined,
      transferReference: otherMethodsFor(env, order.country, order.total).includes("transfer")
        ? orderNumber(order)
        : null,
    },
    hash: quoteFingerprint(order, validUntil),
  };
  await insertQuote(trx, quote);
  // A version that had already expired did not end by this change.
  if (latest !== null && latest.validUntil > now) await notifySupersededRequests(trx, order, latest.id);
  if (await mailsQuoteTo(trx, askedBy))
    await queueOwnMail(trx, {
      kind: "quote",
      dedupeKey: `quote:${quote.id}`,
      userId: askedBy,
      orderId: order.id,
      data: { quoteId: quote.id },
    });
  return quote;
}

/** Whether a user receives their quotes by mail: only at a proven address. Others find the PDF on the quote's page. */
export async function mailsQuoteTo(db: Db, userId: UserId | null): Promise<boolean> {
  return userId !== null && (await hasProvenMailbox(db, userId));
}

async function numberOf(
  trx: Trx,
  order: Order,
  latest: QuoteVersion | null,
  { isGst, now }: { isGst: boolean; now: Date },
): Promise<Pick<IssuedQuote, "number" | "version" | "series" | "serial" | "issuedAt">> {
  if (latest !== null) {
    const { number, version, series, serial } = latest;
    return { number, version: version + 1, series, serial, issuedAt: now };
  }
  const series = quoteSeriesOf(order.country, now, { isGst });
  const { serial, issuedAt } = await allocateSerial(trx, series, now);
  return { number: quoteNumber(series, serial), version: 1, series, serial, issuedAt };
}

/** Returns the end of the quote. A change that keeps the price does not extend it; otherwise a price could be held forever. */
function endOf(order: Order, latest: QuoteVersion | null, env: Env, now: Date): Date {
  const isSamePrice = latest !== null && latest.validUntil > now && order.pricedAt <= latest.issuedAt;
  return isSamePrice ? latest.validUntil : new Date(now.getTime() + env.QUOTE_DAYS * dayMs);
}

async function holdPrice(trx: Trx, order: Order, until: Date): Promise<void> {
  if (order.isQuoted && order.priceHeldUntil?.getTime() === until.getTime()) return;
  await moveOrder(trx, order, { isQuoted: true, priceHeldUntil: until, removedAt: order.removedAt });
}

/** Whether a quote still matches its order and has not expired. */
export function isInForce(quote: QuoteVersion, order: Order, now: Date): boolean {
  return quote.validUntil > now && quote.hash === quoteFingerprint(order, quote.validUntil);
}

/** Formats a quote's number: "QT/IN/26-27/000001", with a suffix for later versions: "QT/IN/26-27/000001/2". */
export function formatQuoteNumber({ number, version }: Pick<IssuedQuote, "number" | "version">): string {
  return version === 1 ? number : `${number}/${version}`;
}

/**
 * State of a quote. changed: the order has other content by now. refunded: the money was refunded, so nothing is left to
 * accept.
 */
export type QuoteState = "open" | "changed" | "expired" | "paid" | "refunded";

export interface OpenedQuote {
  quote: IssuedQuote;
  order: Order;
  state: QuoteState;
  /** The version that replaces a changed one; null until it is issued. */
  newer: QuoteVersion | null;
}

/** Reads a quote with its order and its state; null when there is none. The caller checks access. */
export async function openQuote(db: Db, id: QuoteId, now: Date): Promise<OpenedQuote | null> {
  const quote = parsed(await readQuote(db, id));
  const order = quote === null ? null : await findOrder(db, quote.orderId);
  if (quote === null || order === null) return null;
  const latest = await findLatestVersion(db, order.id);
  const newer = latest === null || latest.version === quote.version ? null : latest;
  return { quote, order, newer, state: stateOf({ quote, order, newer }, now) };
}

function stateOf({ quote, order, newer }: Omit<OpenedQuote, "state">, now: Date): QuoteState {
  if (isRefunded(order)) return "refunded";
  if (newer !== null) return "changed";
  if (isPaid(order)) return "paid";
  if (quote.validUntil <= now) return "expired";
  return quote.hash === quoteFingerprint(order, quote.validUntil) ? "open" : "changed";
}

/** Reads a quote for a member of its company, or for a buyer without one. @throws DomainError not_found for anyone else */
export async function getQuoteFor(
  db: Db,
  id: QuoteId,
  requester: Requester,
  now: Date,
): Promise<OpenedQuote> {
  const opened = await openQuote(db, id, now);
  if (opened === null || !mayReadDocuments(opened.order, requester)) throw notFound();
  return opened;
}

/** Finds the newest version of an order's quote, in force or not; null for an order without one. */
export function findLatestVersion(db: Db, orderId: OrderId): Promise<QuoteVersion | null> {
  return readLatestVersion(db, orderId);
}

export async function findQuote(db: Db, id: QuoteId): Promise<IssuedQuote | null> {
  return parsed(await readQuote(db, id));
}

function parsed(stored: StoredQuote | null): IssuedQuote | null {
  if (stored === null) return null;
  return {
    ...stored,
    language: storedLanguage(stored.language),
    facts: quoteFactsSchema.parse(stored.facts),
  };
}
