/** Quotes of a buyer, and requests to an approver or a payer, whose link a test opens. */
import { type OrderId, parseId, type QuoteId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import type { QuoteRequestKind } from "#db/tables/quotes.ts";
import { findLatestVersion, findQuote, type IssuedQuote } from "#server/billing/quotes/quote.ts";
import { mintRequestToken } from "#server/billing/quotes/requests.ts";
import * as paths from "#server/foundation/paths.ts";
import type { FormBrowser } from "./http-browser.ts";
import type { OrderPlace } from "./journey.ts";

/** Presses "Make a quote". */
export async function makeQuoteOf(browser: FormBrowser, { id }: Pick<OrderPlace, "id">): Promise<QuoteId> {
  const { location, status, text } = await browser.post(paths.orderQuote(id), {});
  const quoteId = parseId<QuoteId>(location?.split("/").at(-1));
  if (quoteId === null) throw new Error(`Make a quote answered ${status} ${location}: ${text}`);
  return quoteId;
}

/** The newest version of an order's quote, with its content; null for an order without one. */
export async function newestQuote(db: Db, orderId: OrderId): Promise<IssuedQuote | null> {
  const version = await findLatestVersion(db, orderId);
  return version === null ? null : findQuote(db, version.id);
}

export interface Sent {
  kind: QuoteRequestKind;
  email: string;
  why?: string;
}

/** Sends a quote as a buyer with a verified mailbox. @returns the path of the recipient's link */
export async function sendQuote(
  db: Db,
  browser: FormBrowser,
  quoteId: QuoteId,
  { kind, email, why = "" }: Sent,
): Promise<string> {
  await db
    .updateTable("users")
    .set({ email_verified_at: new Date() })
    .where("email_verified_at", "is", null)
    .where("id", "=", (eb) =>
      eb
        .selectFrom("quotes")
        .innerJoin("orders", "orders.id", "quotes.order_id")
        .select("orders.user_id")
        .where("quotes.id", "=", quoteId),
    )
    .execute();
  const form = { intent: kind, email, why, ...(kind === "pay" && { terms: "on", agreement: "" }) };
  const answer = await browser.post(paths.quote(quoteId), form);
  if (answer.status !== 303) throw new Error(`Sending a quote answered ${answer.status}: ${answer.text}`);
  return quoteLinkOf(db, quoteId, email);
}

/** The link in the newest mail to this address. */
export async function quoteLinkOf(db: Db, quoteId: QuoteId, email: string): Promise<string> {
  const { id } = await db
    .selectFrom("quote_requests")
    .select("id")
    .where("quote_id", "=", quoteId)
    .where("email", "=", email)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return paths.quoteRequest(await mintRequestToken(db, id));
}
