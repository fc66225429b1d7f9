/**
 * Approve by link, pay by link: a buyer sends a quote to whoever approves or pays, who need no account. Each link asks one person about
 * one version of a quote, and is bound to what that says; opening it changes nothing, and each act can be done once
 * (docs/decisions/quotes.md).
 */
import { type CustomerId, newId, type QuoteId, type QuoteRequestId, type UserId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import * as rows from "#db/quote-requests.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { QuoteAnswer, QuoteRequestKind } from "#db/tables/quotes.ts";
import { record } from "#server/accounts/audit.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { may } from "#server/accounts/roles.ts";
import { findUser, findUserByEmail } from "#server/accounts/users.ts";
import type { Context } from "#server/context.ts";
import { DomainError, notFound, wrongField } from "#server/errors.ts";
import { type Told, told } from "#server/languages/text.ts";
import { requireAgreement } from "#server/orders/agreement.ts";
import { lockDraft } from "#server/orders/draft.ts";
import { type Asker, lockOrder } from "#server/orders/find.ts";
import { queueMail, queueOrderNotice } from "#server/outbox/mail.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import { hashToken, newToken } from "#server/security/token.ts";
import { getQuoteFor, isInForce, numberInWords, type OpenedQuote, openQuote } from "./quote.ts";

export type { QuoteRequest } from "#db/quote-requests.ts";

const hour = 3600;

export interface NewRequest {
  quoteId: QuoteId;
  asker: Asker;
  kind: QuoteRequestKind;
  email: string;
  /** In the buyer's words; empty without any. */
  why: string;
  /** Of a payment: the version of the vendor's agreement that the buyer was shown with the terms and accepts; null when none was. */
  agreement: string | null;
  now: Date;
}

/**
 * Asks somebody about a quote, and mails them the link. Who was asked before is asked anew, and the earlier link no longer works.
 * @throws DomainError not_found for another's quote; forbidden for a viewer; conflict for a quote that no longer holds, for an approver who
 * has answered, and for an agreement that has a new version; rate_limited
 */
export async function sendRequest(context: Context, input: NewRequest): Promise<void> {
  const { db } = context;
  const { quoteId, asker, kind, email, why, now } = input;
  const { order: asked } = await getQuoteFor(db, quoteId, asker, now);
  const company = asked.customerId ?? asked.userId ?? asked.id;
  await consumeRateLimit(db, { name: "quote-request", key: company, limit: 30, windowSeconds: hour, now });
  // Limits per recipient, so that many companies together cannot flood a mailbox.
  await consumeRateLimit(db, {
    name: "quote-request-to",
    key: email.toLowerCase(),
    limit: 10,
    windowSeconds: 24 * hour,
    now,
  });
  const accepted = kind === "pay" ? await requireAgreement(context, asked, input.agreement) : null;
  await db.transaction().execute(async (trx) => {
    const order = await lockDraft(trx, asked.id, asker);
    const opened = await openQuote(trx, quoteId, now);
    if (opened === null || opened.newer !== null || !isInForce(opened.quote, order, now))
      throw new DomainError("conflict", told("quotes.noLonger"));
    const earlier = (await rows.listRequests(trx, quoteId)).filter(
      (each) => each.kind === kind && each.email.toLowerCase() === email.toLowerCase(),
    );
    if (kind === "approve" && earlier.some(({ answer }) => answer !== null))
      throw wrongField("email", told("quotes.answeredAlready", { email }));
    await rows.replaceRequests(trx, { quoteId, kind, email }, now);
    const id = newId<QuoteRequestId>();
    await rows.insertRequest(trx, {
      id,
      quoteId,
      kind,
      email,
      why,
      askedBy: asker.userId,
      agreement: accepted?.version ?? null,
      createdAt: now,
    });
    await record(trx, {
      userId: asker.userId,
      action: "quote.ask",
      subject: `order:${order.id}`,
      data: { quote: numberInWords(opened.quote), request: id, kind },
    });
    await queueMail(trx, {
      kind: "quote-request",
      dedupeKey: `quote-request:${id}`,
      recipient: email,
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
export type RequestState = "open" | "replaced" | "answered" | Exclude<OpenedQuote["state"], "open">;

export interface OpenedRequest extends Omit<OpenedQuote, "state"> {
  request: rows.QuoteRequest;
  state: RequestState;
}

/** What a link asks, and whether it still does; null for a token that was never mailed. */
export async function openRequest(db: Db, token: string, now: Date): Promise<OpenedRequest | null> {
  const request = await rows.readRequestOfToken(db, hashToken(token));
  return request === null ? null : openedOf(db, request, now);
}

/** The same of a request by its id, for the mail. */
export async function findRequest(db: Db, id: QuoteRequestId, now: Date): Promise<OpenedRequest | null> {
  const request = await rows.readRequest(db, id);
  return request === null ? null : openedOf(db, request, now);
}

async function openedOf(db: Db, request: rows.QuoteRequest, now: Date): Promise<OpenedRequest | null> {
  const opened = await openQuote(db, request.quoteId, now);
  return opened === null ? null : { ...opened, request, state: stateOf(request, opened) };
}

function stateOf(request: rows.QuoteRequest, { state }: Pick<OpenedQuote, "state">): RequestState {
  if (request.isReplaced) return "replaced";
  if (state === "changed" || state === "over") return state;
  // A payer who has told of a transfer may still pay in another way.
  if (request.answer !== null && request.kind === "approve") return "answered";
  return state;
}

/** Why nothing can be done by a link, in words for its reader. */
export const requestOver: Readonly<Record<Exclude<RequestState, "open">, Told>> = {
  replaced: told("quotes.linkReplaced"),
  answered: told("quotes.linkAnswered"),
  changed: told("quotes.linkChanged"),
  ended: told("quotes.linkEnded"),
  paid: told("quotes.linkPaid"),
  over: told("quotes.isOver"),
};

/**
 * The request of a link, whose order is locked, for an act by it.
 * @param hash of what the reader was shown
 * @throws DomainError not_found for an unknown token; conflict, in words for the reader, when nothing can be done by it any more
 */
async function lockRequest(
  trx: Trx,
  { token, hash, kind, now }: { token: string; hash: string; kind: QuoteRequestKind; now: Date },
): Promise<OpenedRequest> {
  const before = await openRequest(trx, token, now);
  if (before === null || before.request.kind !== kind) throw notFound();
  await lockOrder(trx, before.order.id);
  const opened = (await openRequest(trx, token, now)) ?? before;
  if (opened.state !== "open") throw new DomainError("conflict", requestOver[opened.state]);
  if (opened.quote.hash !== hash) throw new DomainError("conflict", requestOver.changed);
  return opened;
}

/**
 * An approver's yes or no. Of two at once the first counts.
 * @param input.hash of what the approver was shown
 * @throws DomainError as lockRequest; bad_request on the field `words` for a no without a word
 */
export async function answerRequest(
  { db }: Context,
  input: { token: string; hash: string; what: "approved" | "refused"; words: string; now: Date },
): Promise<void> {
  const { what, words, now } = input;
  if (what === "refused" && words === "") throw wrongField("words", told("quotes.aWordPlease"));
  await db.transaction().execute(async (trx) => {
    const opened = await lockRequest(trx, { ...input, kind: "approve" });
    await storeAnswer(trx, opened, { what, words, now });
    const { request } = opened;
    await tell(trx, opened, { to: request.email, part: "reader" });
  });
}

/**
 * A payer says that the order was paid by transfer: the buyer and the store are told, and no money moves and nobody has to act.
 * @throws DomainError as lockRequest; conflict when it was said before
 */
export async function tellOfTransfer(
  { db }: Context,
  input: { token: string; hash: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const opened = await lockRequest(trx, { ...input, kind: "pay" });
    await storeAnswer(trx, opened, { what: "transferred", words: "", now: input.now });
    await queueOrderNotice(trx, {
      dedupeKey: `quote-transfer:${opened.request.id}`,
      orderId: opened.order.id,
      subject: "Paid by transfer, says the payer",
      what: `${opened.request.email} says that quote ${numberInWords(opened.quote)} was paid by transfer. Nothing needs to be done: the order goes on by itself when the money arrives.`,
    });
  });
}

async function storeAnswer(
  trx: Trx,
  opened: OpenedRequest,
  { what, words, now }: { what: QuoteAnswer; words: string; now: Date },
): Promise<void> {
  const { request, order, quote } = opened;
  const approverId =
    request.kind === "approve" ? await approverAt(trx, order.customerId, request.email) : null;
  if (!(await rows.saveAnswer(trx, request.id, { what, words, at: now, approverId })))
    throw new DomainError("conflict", requestOver.answered);
  await record(trx, {
    userId: approverId,
    action: `quote.${what}`,
    subject: `order:${order.id}`,
    data: { quote: numberInWords(quote), request: request.id },
  });
  if (order.account !== null) await tell(trx, opened, { to: order.account.email, part: "buyer" });
}

/** The member with this mailbox, if they may approve for the company. */
async function approverAt(trx: Trx, customerId: CustomerId | null, email: string): Promise<UserId | null> {
  const user = customerId === null ? null : await findUserByEmail(trx, email);
  if (user === null || customerId === null) return null;
  const member = await findMembership(trx, user.id, customerId);
  return member !== null && may(member.role, "approve") ? user.id : null;
}

async function tell(
  trx: Trx,
  { request, order }: OpenedRequest,
  { to, part }: { to: string; part: "buyer" | "reader" },
): Promise<void> {
  await queueMail(trx, {
    kind: "quote-answer",
    dedupeKey: `quote-answer:${part}:${request.id}`,
    recipient: to,
    userId: part === "buyer" ? order.userId : null,
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
export async function tellPayers(trx: Trx, order: Order, payers: readonly string[]): Promise<void> {
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
export function listRequests(db: Db, quoteId: QuoteId): Promise<rows.QuoteRequest[]> {
  return rows.listRequests(db, quoteId);
}

/** The answer of an approver who refused and whom no approver has contradicted since; null when there is none. */
export function refusalAmong(
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
export async function findAskerOf(
  db: Db,
  { askedBy }: Pick<rows.QuoteRequest, "askedBy">,
): Promise<{ name: string; email: string | null } | null> {
  const user = askedBy === null ? null : await findUser(db, askedBy);
  if (user === null) return null;
  const name = `${user.firstName} ${user.lastName}`.trim();
  return { name, email: user.emailVerifiedAt === null ? null : user.email };
}
