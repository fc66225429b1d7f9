/**
 * Approve by link, pay by link: a buyer sends a quote to whoever approves or pays, who need no account. Each link asks one person about
 * one version of a quote, and is bound to what that says; opening it changes nothing, and each act can be done once
 * (docs/decisions/quotes.md).
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
  /** Of a payment: the version of the vendor's agreement that the buyer was shown with the terms and accepts; null when none was. */
  agreement: string | null;
  now: Date;
}

/**
 * Asks somebody about a quote, and mails them the link. Who was asked before is asked anew, and the earlier link no longer works.
 * @throws DomainError not_found for another's quote; forbidden for a viewer, and without a proven mailbox; conflict for a quote that no longer holds, for an approver who
 * has answered, and for an agreement that has a new version; rate_limited
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

/** For the mail. Earlier tokens stay valid: mails overtake each other. */
export async function mintRequestToken(db: Db, id: QuoteRequestId): Promise<string> {
  const token = newToken();
  await rows.insertRequestToken(db, hashToken(token), id);
  return token;
}

/**
 * What has become of a request: replaced = the reader was asked again; changed, ended, paid, over = as of its quote; answered = what can be
 * done by this link was done.
 */
export type QuoteRequestState = "open" | "replaced" | "answered" | Exclude<OpenedQuote["state"], "open">;

export interface OpenedQuoteRequest extends Omit<OpenedQuote, "state"> {
  request: rows.QuoteRequest;
  state: QuoteRequestState;
}

/** What a link asks, and whether it still does; null for a token that was never mailed. */
export async function openQuoteRequest(db: Db, token: string, now: Date): Promise<OpenedQuoteRequest | null> {
  const request = await rows.readRequestOfToken(db, hashToken(token));
  return request === null ? null : openedOf(db, request, now);
}

/** The same of a request by its id, for the mail. */
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
  // A payer who has told of a transfer may still pay in another way.
  if (request.answer !== null && request.kind === "approve") return "answered";
  return state;
}

/** Why nothing can be done by a link, in words for its reader. */
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
 * The request of a link, whose order is locked, for an act by it.
 * @param hash of what the reader was shown
 * @throws DomainError not_found for an unknown token; conflict, in words for the reader, when nothing can be done by it any more
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
 * An approver's yes or no. Of two at once the first counts.
 * @param input.hash of what the approver was shown
 * @throws DomainError as lockRequest; bad_request on the field `words` for a no without a word
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
 * A payer says that the order was paid by transfer: the buyer and the store are told, and no money moves and nobody has to act.
 * @throws DomainError as lockRequest; conflict when it was said before
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

/** The member with this mailbox, if they may approve for the company. */
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

/** The addresses of everybody but the buyer who was asked to pay an order. */
export async function listOtherPayers(db: Db, order: Order): Promise<string[]> {
  if (!order.isQuoted) return [];
  const buyer = order.account?.email.toLowerCase();
  return (await rows.listPayersOf(db, order.id)).filter((email) => email.toLowerCase() !== buyer);
}

/** Tells these, who were asked to pay an order, that it is paid. Call it as the order is paid. */
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

/** What was asked about a quote, oldest first, without what was asked again. */
export function listQuoteRequests(db: Db, quoteId: QuoteId): Promise<rows.QuoteRequest[]> {
  return rows.listRequests(db, quoteId);
}

/** The answer of an approver who refused and whom no approver has contradicted since; null when there is none. */
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

/** Who asks, as a stranger may be told: the email only once its mailbox is proven. Null when the account is gone. */
export async function findRequestSender(
  db: Db,
  { askedBy }: Pick<rows.QuoteRequest, "askedBy">,
): Promise<{ name: string; email: string | null } | null> {
  const user = askedBy === null ? null : await findUser(db, askedBy);
  if (user === null) return null;
  const name = `${user.firstName} ${user.lastName}`.trim();
  return { name, email: user.emailVerifiedAt === null ? null : user.email };
}
