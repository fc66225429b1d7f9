/** Quotes for staff: each order's latest version, and the buyer's requests about each version. */

import { listRequestsOfOrder } from "#db/billing/quote-requests.ts";
import { listLatestQuotes } from "#db/billing/quotes.ts";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { findLatestVersion, formatQuoteNumber, openQuote } from "#server/billing/quotes/quote.ts";
import {
  findQuoteRequest,
  type QuoteRequest,
  type QuoteRequestState,
} from "#server/billing/quotes/requests.ts";
import {
  quoteAnswerLabels,
  quoteRequestKindLabels,
  quoteRequestStateLabels,
  quoteStateLabels,
} from "./labels.ts";

/** Quote of an order in a list. */
export interface ListedQuote {
  /** Number with the version. */
  number: string;
  validUntil: Date;
}

/** Reads the latest versions, by order id. */
export async function quotesOf(
  db: Db,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, ListedQuote>> {
  const latest = await listLatestQuotes(db, orderIds);
  return new Map(
    latest.map(({ orderId, validUntil, ...quote }) => [
      orderId,
      { number: formatQuoteNumber(quote), validUntil },
    ]),
  );
}

export interface QuoteRequestSummary {
  id: string;
  email: string;
  /** Label of the request: "to approve", "to pay". */
  what: string;
  /** Version that the request is about. */
  number: string;
  askedAt: Date;
  /** Label of its state. */
  state: string;
  answeredAt: Date | null;
  /** The reader's own words; null without any. */
  words: string | null;
}

export interface QuoteOfOrder extends ListedQuote {
  version: number;
  state: string;
  /** Newest first, without superseded ones. */
  requests: QuoteRequestSummary[];
}

/** Returns null for an order without a quote. */
export async function quoteOfOrder(db: Db, orderId: OrderId, now: Date): Promise<QuoteOfOrder | null> {
  const latest = await findLatestVersion(db, orderId);
  const opened = latest === null ? null : await openQuote(db, latest.id, now);
  if (opened === null) return null;
  const { quote, state } = opened;
  const requests: QuoteRequestSummary[] = [];
  for (const id of await listRequestsOfOrder(db, orderId)) {
    const request = await findQuoteRequest(db, id, now);
    if (request === null) continue;
    requests.push(requestSummaryOf(request.request, request.state, request.quote));
  }
  return {
    number: formatQuoteNumber(quote),
    version: quote.version,
    validUntil: quote.validUntil,
    state: quoteStateLabels[state],
    requests,
  };
}

function requestSummaryOf(
  { id, email, kind, createdAt, answer }: QuoteRequest,
  state: QuoteRequestState,
  quote: { number: string; version: number },
): QuoteRequestSummary {
  return {
    id,
    email,
    what: quoteRequestKindLabels[kind],
    number: formatQuoteNumber(quote),
    askedAt: createdAt,
    state: answer === null ? quoteRequestStateLabels[state] : quoteAnswerLabels[answer.what],
    answeredAt: answer?.at ?? null,
    words: answer === null || answer.words === "" ? null : answer.words,
  };
}
