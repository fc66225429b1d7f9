/** Queries on quote requests to approvers and payers, and on the tokens of their mailed links. */
import type { Selectable } from "kysely";
import type { OrderId, QuoteId, QuoteRequestId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { QuoteAnswer, QuoteRequestKind, QuoteRequestsTable } from "#db/tables/quotes.ts";

export interface QuoteRequest {
  id: QuoteRequestId;
  quoteId: QuoteId;
  kind: QuoteRequestKind;
  email: string;
  /** The buyer's text for the reader; empty without any. */
  why: string;
  /** Null when that user's account was deleted. */
  askedBy: UserId | null;
  agreement: string | null;
  createdAt: Date;
  /** Whether a newer request to the same address replaced it. */
  isReplaced: boolean;
  answer: QuoteRequestAnswer | null;
}

export interface QuoteRequestAnswer {
  what: QuoteAnswer;
  /** The reader's comment; empty without any. */
  words: string;
  at: Date;
  /** The member who approved or declined for the company; null when the reader is not one of its approvers. */
  approverId: UserId | null;
}

export async function insertRequest(
  trx: Trx,
  request: Omit<QuoteRequest, "isReplaced" | "answer">,
): Promise<void> {
  await trx
    .insertInto("quote_requests")
    .values({
      id: request.id,
      quote_id: request.quoteId,
      kind: request.kind,
      email: request.email,
      why: request.why,
      asked_by: request.askedBy,
      agreement: request.agreement,
      created_at: request.createdAt,
    })
    .execute();
}

/** Replaces unanswered requests to the same address about the same version. */
export async function supersedeRequests(
  trx: Trx,
  { quoteId, kind, email }: Pick<QuoteRequest, "quoteId" | "kind" | "email">,
  at: Date,
): Promise<void> {
  await trx
    .updateTable("quote_requests")
    .set({ replaced_at: at })
    .where("quote_id", "=", quoteId)
    .where("kind", "=", kind)
    .where((eb) => eb(eb.fn<string>("lower", ["email"]), "=", email.toLowerCase()))
    .where("replaced_at", "is", null)
    .where("answer", "is", null)
    .execute();
}

/** Stores an answer; of two concurrent answers the first wins. @returns false for the other */
export async function saveAnswer(
  trx: Trx,
  id: QuoteRequestId,
  { what, words, at, approverId }: QuoteRequestAnswer,
): Promise<boolean> {
  const result = await trx
    .updateTable("quote_requests")
    .set({ answer: what, answer_words: words, answered_at: at, approver_id: approverId })
    .where("id", "=", id)
    .where("answer", "is", null)
    .where("replaced_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function readRequest(db: Db, id: QuoteRequestId): Promise<QuoteRequest | null> {
  const row = await db.selectFrom("quote_requests").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : requestOf(row);
}

/** Lists the requests about a version of a quote, oldest first, without replaced ones. */
export async function listRequests(db: Db, quoteId: QuoteId): Promise<QuoteRequest[]> {
  const rows = await db
    .selectFrom("quote_requests")
    .selectAll()
    .where("quote_id", "=", quoteId)
    .where("replaced_at", "is", null)
    .orderBy("created_at")
    .execute();
  return rows.map(requestOf);
}

/** Lists the requests about all versions of an order's quote, newest first, without replaced ones. */
export async function listRequestsOfOrder(db: Db, orderId: OrderId): Promise<QuoteRequestId[]> {
  const rows = await db
    .selectFrom("quote_requests")
    .innerJoin("quotes", "quotes.id", "quote_requests.quote_id")
    .select("quote_requests.id")
    .where("quotes.order_id", "=", orderId)
    .where("quote_requests.replaced_at", "is", null)
    .orderBy("quote_requests.created_at", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertRequestToken(db: Db, hash: string, requestId: QuoteRequestId): Promise<void> {
  await db.insertInto("quote_request_tokens").values({ hash, request_id: requestId }).execute();
}

/** Finds the request that a token was mailed for, in any state. */
export async function readRequestOfToken(db: Db, hash: string): Promise<QuoteRequest | null> {
  const row = await db
    .selectFrom("quote_requests")
    .selectAll("quote_requests")
    .innerJoin("quote_request_tokens", "quote_request_tokens.request_id", "quote_requests.id")
    .where("quote_request_tokens.hash", "=", hash)
    .executeTakeFirst();
  return row === undefined ? null : requestOf(row);
}

/** Lists the addresses that were asked to pay an order, through any version of its quote, each once. */
export async function listPayersOf(db: Db, orderId: OrderId): Promise<string[]> {
  const rows = await db
    .selectFrom("quote_requests")
    .innerJoin("quotes", "quotes.id", "quote_requests.quote_id")
    .select("quote_requests.email")
    .distinct()
    .where("quotes.order_id", "=", orderId)
    .where("quote_requests.kind", "=", "pay")
    .execute();
  return rows.map(({ email }) => email);
}

function requestOf(row: Selectable<QuoteRequestsTable>): QuoteRequest {
  return {
    id: row.id,
    quoteId: row.quote_id,
    kind: row.kind,
    email: row.email,
    why: row.why,
    askedBy: row.asked_by,
    agreement: row.agreement,
    createdAt: row.created_at,
    isReplaced: row.replaced_at !== null,
    answer:
      row.answer === null || row.answered_at === null
        ? null
        : {
            what: row.answer,
            words: row.answer_words ?? "",
            at: row.answered_at,
            approverId: row.approver_id,
          },
  };
}
