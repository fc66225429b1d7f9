/**
 * Quote requests: a buyer sends a quote by link to an approver or a payer, who needs no account. Each link is about one version
 * of a quote and bound to its content; opening it changes nothing, and each action can be done once
 * (docs/decisions/quotes.md#approval-and-payment-by-link).
 */

import * as rows from "#db/billing/quote-requests.ts";
import { type CustomerId, newId, type QuoteId, type QuoteRequestId, type UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { QuoteAnswer, QuoteRequestKind } from "#db/tables/quotes.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { roleMay } from "#server/accounts/roles.ts";
import { isColleague, permitThirdPartyMail } from "#server/accounts/third-party-mail.ts";
import { findUser, findUserByEmail } from "#server/accounts/users.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { queueMail, queueOperatorOrderInfo } from "#server/foundation/outbox/mail.ts";
import { withoutContacts } from "#server/foundation/security/plain-text.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { requireAgreement } from "#server/orders/agreement.ts";
import { lockDraft } from "#server/orders/draft.ts";
import { lockOrder, type Requester } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { formatQuoteNumber, getQuoteFor, isInForce, type OpenedQuote, openQuote } from "./quote.ts";

export type { QuoteRequest } from "#db/billing/quote-requests.ts";

export interface NewQuoteRequest {
  quoteId: QuoteId;
  requester: Requester;
  kind: QuoteRequestKind;
  email: string;
  /** The buyer's reason; empty without one. Links, addresses and numbers are removed unless the reader is a colleague. */
  why: string;
  /** Payments: version of the vendor's agreement that the buyer saw with the terms and accepts; null when none was shown. */
  agreement: string | null;
  now: Date;
}

/**
 * Creates a request about a quote and mails its link. An earlier request to the same address is replaced, and its link stops
 * working.
 * @throws DomainError not_found for another's quote; forbidden for a viewer, and without a proven mailbox; conflict for a quote
 * that is no longer in force, for an approver who has answered, and for an agreement with a new version; rate_limited
 */
export async function sendQuoteRequest(context: Context, input: NewQuoteRequest): Promise<void> {
  const { db } = context;
  const { quoteId, requester, kind, email, why, now } = input;
  const { order: current } = await getQuoteFor(db, quoteId, requester, now);
  if (requester.userId === null) throw notFound();
  const sender = { userId: requester.userId, customerId: current.customerId };
  const permit = await permitThirdPartyMail(db, sender, email, now);
  const accepted = kind === "pay" ? await requireAgreement(context, current, input.agreement) : null;
  await db.transaction().execute(async (trx) => {
    const order = await lockDraft(trx, current.id, requester);
    const opened = await openQuote(trx, quoteId, now);
    if (opened === null || opened.newer !== null || !isInForce(opened.quote, order, now))
      throw new DomainError("conflict", msg("quotes.noLonger"));
    const earlier = (await rows.listRequests(trx, quoteId)).filter(
      (each) => each.kind === kind && each.email.toLowerCase() === email.toLowerCase(),
    );
    if (kind === "approve" && earlier.some(({ answer }) => answer !== null))
      throw wrongField("email", msg("quotes.answeredAlready", { email }));
    await rows.supersedeRequests(trx, { quoteId, kind, email }, now);
    const id = newId<QuoteRequestId>();
    await rows.insertRequest(trx, {
      id,
      quoteId,
      kind,
      email,
      why: (await isColleague(trx, order.customerId, email)) ? why : withoutContacts(why),
      askedBy: requester.userId,
      agreement: accepted?.version ?? null,
      createdAt: now,
    });
    await recordAudit(trx, {
      userId: requester.userId,
      action: "quote.ask",
      subject: `order:${order.id}`,
      data: { quote: formatQuoteNumber(opened.quote), request: id, kind },
    });
    await permit.queue(trx, {
      kind: "quote-request",
      dedupeKey: `quote-request:${id}`,
      orderId: order.id,
      data: { requestId: id },
    });
  });
}

/** Creates a token for the mail. Earlier tokens stay valid, because mails may arrive out of order. */
export async function mintRequestToken(db: Db, id: QuoteRequestId): Promise<string> {
  const token = newToken();
  await rows.insertRequestToken(db, hashToken(token), id);
  return token;
}

/**
 * State of a request. replaced: the reader received a newer one. changed, expired, paid, refunded: the state of its quote.
 * answered: the link's action was done.
 */
export type QuoteRequestState = "open" | "replaced" | "answered" | Exclude<OpenedQuote["state"], "open">;

export interface OpenedQuoteRequest extends Omit<OpenedQuote, "state"> {
  request: rows.QuoteRequest;
  state: QuoteRequestState;
}

/** Reads the request of a link and its state; null for an unknown token. */
export async function openQuoteRequest(db: Db, token: string, now: Date): Promise<OpenedQuoteRequest | null> {
  const request = await rows.readRequestOfToken(db, hashToken(token));
  return request === null ? null : openedOf(db, request, now);
}

/** Reads a request by its id, for the mail. */
export async function findQuoteRequest(
  db: Db,
  id: QuoteRequestId,
  now: Date,
): Promise<OpenedQuoteRequest | null> {
  const request = await rows.readRequest(db, id);
  return request === null ? null : openedOf(db, request, now);
}

async function openedOf(db: Db, request: rows.QuoteRequest, now: Date): Promise<OpenedQuoteRequest | null> {
  const opened = await openQuote(db, request.quoteId, now);
  return opened === null ? null : { ...opened, request, state: stateOf(request, opened) };
}

function stateOf(request: rows.QuoteRequest, { state }: Pick<OpenedQuote, "state">): QuoteRequestState {
  if (request.isReplaced) return "replaced";
  if (state === "changed" || state === "refunded") return state;
  // A payer who has reported a transfer may still pay in another way.
  if (request.answer !== null && request.kind === "approve") return "answered";
  return state;
}

/** Reasons, for the reader, why a link is closed. */
export const requestClosedMessages: Readonly<Record<Exclude<QuoteRequestState, "open">, MessageDescriptor>> =
  {
    replaced: msg("quotes.linkReplaced"),
    answered: msg("quotes.linkAnswered"),
    changed: msg("quotes.linkChanged"),
    expired: msg("quotes.linkEnded"),
    paid: msg("quotes.linkPaid"),
    refunded: msg("quotes.isOver"),
  };

/**
 * Reads the request of a link and locks its order, for an action.
 * @param hash fingerprint of the quote that the reader saw
 * @throws DomainError not_found for an unknown token; conflict, with the reason for the reader, when the link is closed
 */
async function lockRequest(
  trx: Trx,
  { token, hash, kind, now }: { token: string; hash: string; kind: QuoteRequestKind; now: Date },
): Promise<OpenedQuoteRequest> {
  const before = await openQuoteRequest(trx, token, now);
  if (before === null || before.request.kind !== kind) throw notFound();
  await lockOrder(trx, before.order.id);
  const opened = (await openQuoteRequest(trx, token, now)) ?? before;
  if (opened.state !== "open") throw new DomainError("conflict", requestClosedMessages[opened.state]);
  if (opened.quote.hash !== hash) throw new DomainError("conflict", requestClosedMessages.changed);
  return opened;
}

/**
 * Stores an approver's decision; of two concurrent ones the first counts.
 * @param input.hash fingerprint of the quote that the approver saw
 * @throws DomainError as lockRequest; bad_request on the field `words` for a refusal without a reason
 */
export async function answerQuoteRequest(
  { db }: Context,
  input: { token: string; hash: string; what: "approved" | "refused"; words: string; now: Date },
): Promise<void> {
  const { what, words, now } = input;
  if (what === "refused" && words === "") throw wrongField("words", msg("quotes.aWordPlease"));
  await db.transaction().execute(async (trx) => {
    const opened = await lockRequest(trx, { ...input, kind: "approve" });
    await storeAnswer(trx, opened, { what, words, now });
    const { request } = opened;
    await notifyOfAnswer(trx, opened, { to: request.email, part: "reader" });
  });
}

/**
 * Records a payer's report that the order was paid by transfer: mails the buyer and informs the operator, without any effect on
 * the payment.
 * @throws DomainError as lockRequest; conflict when it was reported before
 */
export async function reportTransfer(
  { db }: Context,
  input: { token: string; hash: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const opened = await lockRequest(trx, { ...input, kind: "pay" });
    await storeAnswer(trx, opened, { what: "transferred", words: "", now: input.now });
    await queueOperatorOrderInfo(trx, {
      dedupeKey: `quote-transfer:${opened.request.id}`,
      orderId: opened.order.id,
      subject: "Paid by transfer, says the payer",
      what: `${opened.request.email} says that quote ${formatQuoteNumber(opened.quote)} was paid by transfer. You don't need to do anything: the order continues automatically when the money arrives.`,
    });
  });
}

async function storeAnswer(
  trx: Trx,
  opened: OpenedQuoteRequest,
  { what, words, now }: { what: QuoteAnswer; words: string; now: Date },
): Promise<void> {
  const { request, order, quote } = opened;
  const said = (await isColleague(trx, order.customerId, request.email)) ? words : withoutContacts(words);
  const approverId =
    request.kind === "approve" ? await approverAt(trx, order.customerId, request.email) : null;
  if (!(await rows.saveAnswer(trx, request.id, { what, words: said, at: now, approverId })))
    throw new DomainError("conflict", requestClosedMessages.answered);
  await recordAudit(trx, {
    userId: approverId,
    action: `quote.${what}`,
    subject: `order:${order.id}`,
    data: { quote: formatQuoteNumber(quote), request: request.id },
  });
  const sender = request.askedBy === null ? null : await findUser(trx, request.askedBy);
  if (sender !== null) await notifyOfAnswer(trx, opened, { to: sender.email, part: "buyer" });
}

/** Finds the member with this mailbox, if they may approve for the company. */
async function approverAt(trx: Trx, customerId: CustomerId | null, email: string): Promise<UserId | null> {
  const user = customerId === null ? null : await findUserByEmail(trx, email);
  if (user === null || customerId === null) return null;
  const member = await findMembership(trx, user.id, customerId);
  return member !== null && roleMay(member.role, "approve") ? user.id : null;
}

async function notifyOfAnswer(
  trx: Trx,
  { request, order }: OpenedQuoteRequest,
  { to, part }: { to: string; part: "buyer" | "reader" },
): Promise<void> {
  await queueMail(trx, {
    kind: "quote-answer",
    dedupeKey: `quote-answer:${part}:${request.id}`,
    recipient: to,
    userId: part === "buyer" ? request.askedBy : null,
    orderId: order.id,
    data: { requestId: request.id, part },
  });
}

/** Lists the addresses that were asked to pay an order, except the buyer's. */
export async function listOtherPayers(db: Db, order: Order): Promise<string[]> {
  if (!order.isQuoted) return [];
  const buyer = order.account?.email.toLowerCase();
  return (await rows.listPayersOf(db, order.id)).filter((email) => email.toLowerCase() !== buyer);
}

/** Mails the other payers that the order is paid. Call it when the order is paid. */
export async function notifyPayers(trx: Trx, order: Order, payers: readonly string[]): Promise<void> {
  for (const email of payers) {
    await queueMail(trx, {
      kind: "quote-answer",
      dedupeKey: `quote-paid:${order.id}:${hashToken(email.toLowerCase())}`,
      recipient: email,
      orderId: order.id,
      data: { part: "payer" },
    });
  }
}

/** Lists the requests about a quote, oldest first, without replaced ones. */
export function listQuoteRequests(db: Db, quoteId: QuoteId): Promise<rows.QuoteRequest[]> {
  return rows.listRequests(db, quoteId);
}

/** Finds the latest answer of an approver if it is a refusal; null when it is not, or there is none. */
export function findActiveRefusal(
  requests: readonly rows.QuoteRequest[],
): { email: string; words: string; at: Date } | null {
  const [last] = requests
    .flatMap(({ kind, email, answer }) =>
      kind === "approve" && answer !== null ? [{ email, ...answer }] : [],
    )
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return last?.what === "refused" ? last : null;
}

/**
 * Reads the sender's name for an outside reader, with the email only if its mailbox is proven. Null when the account was
 * deleted.
 */
export async function findRequestSender(
  db: Db,
  { askedBy }: Pick<rows.QuoteRequest, "askedBy">,
): Promise<{ name: string; email: string | null } | null> {
  const user = askedBy === null ? null : await findUser(db, askedBy);
  if (user === null) return null;
  const name = `${user.firstName} ${user.lastName}`.trim();
  return { name, email: user.emailVerifiedAt === null ? null : user.email };
}
