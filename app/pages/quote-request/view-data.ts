/** View model for an approver or a payer: the asking buyer and the reason, every line, and the possible actions. */
import { isColleague } from "#server/accounts/third-party-mail.ts";
import { bankLines } from "#server/billing/documents/proforma-view.ts";
import { transferOf } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { openCheckout } from "#server/billing/payments/begin.ts";
import { readPartialPaymentsText } from "#server/billing/payments/payment-options.ts";
import type { IssuedQuote } from "#server/billing/quotes/quote.ts";
import {
  findRequestSender,
  type OpenedQuoteRequest,
  requestClosedMessages,
} from "#server/billing/quotes/requests.ts";
import { formatQuoteTotal, quoteView } from "#server/billing/quotes/view.ts";
import {
  formatPaymentMethods,
  instantMethodsFor,
  otherMethodsFor,
} from "#server/catalogue/pricing/payment-methods.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { withoutContacts } from "#server/foundation/security/plain-text.ts";
import { safeName } from "#server/mail/safe-name.ts";
import { nameForStrangers } from "#server/mail/templates/shared.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** @param token of the link, to which the checkout returns */
export async function requestView(request: RequestContext, opened: OpenedQuoteRequest, token: string) {
  const { context, text, language } = request;
  const { request: quoteRequest, order, state } = opened;
  const isInHouse = await isColleague(context.db, order.customerId, quoteRequest.email);
  const quote = isInHouse ? opened.quote : forStrangers(opened.quote);
  const isToApprove = quoteRequest.kind === "approve";
  const sender = await findRequestSender(context.db, quoteRequest);
  const typed = sender?.name ?? "";
  const named = (isInHouse ? typed : (safeName(typed) ?? "")) || text("quotes.somebody");
  const who = sender === null || sender.email === null ? named : `${named} (${sender.email})`;
  const companyName = order.account?.companyName ?? "";
  const company = isInHouse ? companyName : nameForStrangers(companyName, language);
  const view = quoteView(quote, context.env.PUBLIC_URL);
  return {
    title: titleOf(request, opened),
    isAnswered: state === "answered",
    total: formatQuoteTotal(quote),
    /** Why no action is possible, or the action that was taken; null while one is possible. */
    over: state === "open" ? null : overInWords(request, opened),
    who: isToApprove
      ? text("quotes.asksToApprove", { who, company })
      : text("quotes.asksToPay", { who, company }),
    why: quoteRequest.why,
    lines: view.lines.map(({ description, notes, quantity, unitPrice, amount }) => ({
      label: [description, ...notes].join(", "),
      value: `${text("quotes.perLicence", { quantity, price: unitPrice })} = ${amount}`,
    })),
    totals: view.totals,
    facts: [
      ...view.facts,
      { label: view.billedTo, value: [view.recipient.name, ...view.recipient.lines].join(", ") },
    ],
    openUntil:
      state === "open"
        ? text("quotes.openUntil", { date: formatDate(quote.validUntil, order.country, language) })
        : null,
    hash: quote.hash,
    approve: state === "open" && isToApprove,
    pay: state === "open" && !isToApprove ? await waysToPay(request, opened, token) : null,
  };
}

/** Cleans text typed by users, for a reader outside the company. */
function forStrangers(quote: IssuedQuote): IssuedQuote {
  const { recipient, references } = quote.facts;
  const clean = (typed: string | null) => (typed === null ? null : withoutContacts(typed));
  return {
    ...quote,
    facts: {
      ...quote.facts,
      recipient: {
        ...recipient,
        name: withoutContacts(recipient.name),
        addressLines: recipient.addressLines.map(withoutContacts),
      },
      ...(references !== undefined && {
        references: {
          purchaseOrder: clean(references.purchaseOrder),
          costCentre: clean(references.costCentre),
          note: clean(references.note),
        },
      }),
    },
  };
}

function titleOf({ text }: RequestContext, { request: { kind, answer }, state }: OpenedQuoteRequest): string {
  if (state === "open") return text(kind === "approve" ? "quotes.approveHeading" : "quotes.payHeading");
  if (state !== "answered" || answer === null) return text("quotes.linkOverTitle");
  return text(answer.what === "approved" ? "quotes.approvedTitle" : "quotes.refusedTitle");
}

function overInWords(
  { text, language }: RequestContext,
  { request, order, state }: OpenedQuoteRequest,
): string[] {
  const { answer } = request;
  if (state === "answered" && answer !== null) {
    const date = formatDate(answer.at, order.country, language);
    return [
      text(answer.what === "approved" ? "quotes.youApproved" : "quotes.youRefused", { date }),
      ...(answer.words === "" ? [] : [text("quotes.inYourWords", { words: answer.words })]),
      text("quotes.buyerWasTold"),
    ];
  }
  return state === "open" ? [] : [translate(language, requestClosedMessages[state])];
}

/** A payer's actions: opening the checkout, transferring to the order's account, and reporting the transfer. */
async function waysToPay(
  { context, text, language }: RequestContext,
  { request, order, quote }: OpenedQuoteRequest,
  token: string,
) {
  const { env, db } = context;
  const total = formatQuoteTotal(quote);
  const methods = instantMethodsFor(env, order.country, order.total);
  const checkout = await openCheckout(context, order, {
    cancelPath: paths.quoteRequest(token),
    language,
    payer: { email: request.email },
  });
  const transfer = await transferOf(db, order, new Date());
  const isTransferOpen = transfer?.isOpen === true;
  // After a partial payment the rest goes to the same account, and the order accepts no other payment.
  const isPartIn = (await readPartialPaymentsText(db, order)) !== null;
  return {
    total,
    checkout:
      checkout === null || isPartIn
        ? null
        : {
            url: checkout.hostedUrl,
            fields: checkout.fields,
            choices: checkout.choices.map(({ method, label }) => ({ method, label })),
          },
    /**
     * Null where the checkout does not accept the total, another payment is no longer accepted, or the checkout is already open.
     */
    payInCheckout:
      methods.length === 0 || checkout !== null || isPartIn
        ? null
        : text("quotes.payInCheckout", { total, methods: formatPaymentMethods(language, methods) }),
    mayTransfer:
      !isTransferOpen && !isPartIn && otherMethodsFor(env, order.country, order.total).includes("transfer"),
    account:
      transfer === null || !isTransferOpen
        ? null
        : transfer.proforma.bank === null
          ? []
          : bankLines({ ...transfer.proforma, language }, transfer.proforma.bank, transfer.missingMinor),
    /** The received and the missing amount; null before a partial payment. */
    partIn: isPartIn && transfer !== null && isTransferOpen ? translate(language, transfer.said) : null,
    said:
      request.answer === null
        ? null
        : text("quotes.saidTransferred", { date: formatDate(request.answer.at, order.country, language) }),
  };
}

export type RequestView = Awaited<ReturnType<typeof requestView>>;
