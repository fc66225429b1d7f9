/** Mails about quotes: to the buyer, and to approvers and payers, who might not know the store. */
import { parseId, type QuoteId, type QuoteRequestId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { findQuote, formatQuoteNumber } from "#server/billing/quotes/quote.ts";
import {
  findQuoteRequest,
  findRequestSender,
  listQuoteRequests,
  mintRequestToken,
  type OpenedQuoteRequest,
  type QuoteRequest,
} from "#server/billing/quotes/requests.ts";
import { formatQuoteTotal } from "#server/billing/quotes/view.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import type { MailContent } from "./layout.ts";
import { safeName } from "./safe-name.ts";
import { nameForStrangers } from "./templates/shared.ts";

/** Data that a quote mail is written from. */
interface About {
  context: Pick<Context, "db" | "env">;
  order: Order;
  language: LanguageId;
  facts: Readonly<Record<string, string>>;
}

/** @returns null for a mail that has become pointless since it was queued */
export async function quoteMail(
  kind: "quote" | "quote-request" | "quote-answer" | "quote-void",
  about: Omit<About, "order"> & { order: Order | null },
): Promise<MailContent | null> {
  const { order } = about;
  if (order === null) return null;
  const letters = {
    quote: made,
    "quote-request": requestMail,
    "quote-answer": answered,
    "quote-void": voided,
  };
  const content = await letters[kind]({ ...about, order });
  return content === null ? null : { ...content, orderNumber: orderNumber(order) };
}

async function made({ context: { db, env }, order, language, facts }: About): Promise<MailContent | null> {
  const id = parseId<QuoteId>(facts.quoteId);
  const quote = id === null ? null : await findQuote(db, id);
  if (quote === null) return null;
  const text = textIn(language);
  const values = {
    total: formatQuoteTotal(quote),
    date: formatDate(quote.validUntil, order.country, language),
  };
  return {
    subject: text("quotes.mailSubject", { name: order.line.name, number: formatQuoteNumber(quote) }),
    preheader: text("quotes.mailPreheader", values),
    paragraphs: [
      quote.version === 1 ? text("quotes.mailMade", values) : text("quotes.mailChanged", values),
      text("quotes.mailThen"),
    ],
    button: { label: text("quotes.open"), link: `${env.PUBLIC_URL}${paths.quote(quote.id)}` },
    aside: { label: text("quotes.pdf"), link: `${env.PUBLIC_URL}${paths.quotePdf(quote.id)}` },
    amount: { label: text("quotes.total"), value: values.total },
  };
}

async function requestIn({ context, facts }: About): Promise<OpenedQuoteRequest | null> {
  const id = parseId<QuoteRequestId>(facts.requestId);
  return id === null ? null : findQuoteRequest(context.db, id, new Date());
}

/** Returns the sender's name in a form that is safe for strangers. @param unnamed text in place of a missing name */
async function senderName({ context }: About, request: QuoteRequest, unnamed: string): Promise<string> {
  const sender = await findRequestSender(context.db, request);
  const name = safeName(sender?.name ?? "") ?? unnamed;
  return sender === null || sender.email === null ? name : `${name} (${sender.email})`;
}

/** Writes the request without the buyer's own words, because the mail is signed with the store's name; the page shows them. */
async function requestMail(about: About): Promise<MailContent | null> {
  const { context, order, language } = about;
  const opened = await requestIn(about);
  if (opened === null || opened.state !== "open") return null;
  const { request, quote } = opened;
  const text = textIn(language);
  const token = await mintRequestToken(context.db, request.id);
  const total = formatQuoteTotal(quote);
  const date = formatDate(quote.validUntil, order.country, language);
  const subject = {
    name: order.line.name,
    company: nameForStrangers(order.account?.companyName ?? "", language),
  };
  const values = {
    who: await senderName(about, request, text("quotes.somebody")),
    licences: text("orders.licences", { count: order.line.quantity }),
    name: order.line.name,
    total,
  };
  const isToApprove = request.kind === "approve";
  return {
    subject: isToApprove
      ? text("quotes.mailApproveSubject", subject)
      : text("quotes.mailPaySubject", subject),
    preheader: text("quotes.mailAskedPreheader", { total, date }),
    paragraphs: [
      isToApprove ? text("quotes.mailAsksToApprove", values) : text("quotes.mailAsksToPay", values),
      text("quotes.mailAsksHow", { date }),
    ],
    button: {
      label: text("quotes.mailSeeOrder"),
      link: `${context.env.PUBLIC_URL}${paths.quoteRequest(token)}`,
    },
    amount: { label: text("quotes.total"), value: total },
    afterwards: [text("quotes.mailUnknown")],
  };
}

/** Skips the mail once a newer link is on its way to the same reader, because that mail says more. */
async function voided(about: About): Promise<MailContent | null> {
  const { context, order, language } = about;
  const opened = await requestIn(about);
  if (opened === null || opened.state !== "changed") return null;
  const { request, newer } = opened;
  const later = newer === null ? [] : await listQuoteRequests(context.db, newer.id);
  const isRequestedAgain = later.some(
    ({ kind, email }) => kind === request.kind && email.toLowerCase() === request.email.toLowerCase(),
  );
  if (isRequestedAgain) return null;
  const text = textIn(language);
  const who = await senderName(about, request, text("quotes.theBuyer"));
  const { name } = order.line;
  const company = nameForStrangers(order.account?.companyName ?? "", language);
  return {
    subject: text("quotes.mailVoidSubject", { name, company }),
    preheader: text("quotes.mailVoidPreheader"),
    paragraphs: [
      request.kind === "approve"
        ? text("quotes.mailVoidApprove", { name, company })
        : text("quotes.mailVoidPay", { name, company }),
      text("quotes.mailVoidThen", { who }),
    ],
  };
}

/** Writes the answer to the buyer, to the approver, whose link another person may have used, or to the payer of a paid order. */
async function answered(about: About): Promise<MailContent | null> {
  const { context, order, language, facts } = about;
  const text = textIn(language);
  const { name } = order.line;
  if (facts.part === "payer")
    return {
      subject: text("quotes.mailPaidSubject", { name }),
      preheader: text("quotes.isPaid"),
      paragraphs: [text("quotes.mailPaid", { name, total: formatMoney(order.total) })],
    };
  const opened = await requestIn(about);
  const answer = opened?.request.answer ?? null;
  if (opened === null || answer === null) return null;
  const { request, quote } = opened;
  const { email } = request;
  const number = formatQuoteNumber(quote);
  const values = { email, number };
  const said = {
    approved: {
      subject: text("quotes.mailApprovedSubject", { name }),
      happened: text("quotes.mailApproved", values),
      next: text("quotes.mailWhatNext"),
      own: text("quotes.mailYouApproved", { name, total: formatQuoteTotal(quote) }),
    },
    refused: {
      subject: text("quotes.mailRefusedSubject", { name }),
      happened: text("quotes.mailRefused", values),
      next: text("quotes.changeAndAsk"),
      own: text("quotes.mailYouRefused", { name, total: formatQuoteTotal(quote) }),
    },
    transferred: {
      subject: text("quotes.mailTransferredSubject", { email, name }),
      happened: text("quotes.mailTransferred", values),
      next: null,
      own: text("quotes.mailTransferred", values),
    },
  }[answer.what];
  const preheader = text("quotes.mailAnswerPreheader", { number });
  if (facts.part === "reader")
    return { subject: said.subject, preheader, paragraphs: [said.own, text("quotes.mailNotYou")] };
  const open = { label: text("quotes.open"), link: `${context.env.PUBLIC_URL}${paths.quote(quote.id)}` };
  const change = {
    label: text("quotes.changeOrder"),
    link: `${context.env.PUBLIC_URL}${stepPath(order, "subscription-details")}`,
  };
  return {
    subject: said.subject,
    preheader,
    paragraphs: [
      said.happened,
      ...(answer.words === "" ? [] : [text("quotes.mailInTheirWords", { words: answer.words })]),
      ...(said.next === null ? [] : [said.next]),
    ],
    ...(answer.what === "refused" ? { button: change, aside: open } : { button: open }),
  };
}
