/** What the page of an approver or a payer shows: who asks and why, every line, and what can be done. */
import { bankLines } from "#server/documents/proforma-view.ts";
import { tell } from "#server/languages/text.ts";
import * as paths from "#server/paths.ts";
import { transferOf } from "#server/payments/bank-transfer/state.ts";
import { openCheckout } from "#server/payments/begin.ts";
import { partsOf } from "#server/payments/ways.ts";
import { instantMethodsFor, methodsInWords, otherMethodsFor } from "#server/pricing/payment-methods.ts";
import { findAskerOf, type OpenedRequest, requestOver } from "#server/quotes/requests.ts";
import { quoteView, totalInWords } from "#server/quotes/view.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** @param token of the link, which the checkout leads back to */
export async function requestView(request: RequestContext, opened: OpenedRequest, token: string) {
  const { context, text, language } = request;
  const { request: asked, quote, order, state } = opened;
  const isToApprove = asked.kind === "approve";
  const asker = await findAskerOf(context.db, asked);
  const named = asker === null || asker.name === "" ? text("quotes.somebody") : asker.name;
  const who = asker === null || asker.email === null ? named : `${named} (${asker.email})`;
  const company = order.account?.companyName ?? "";
  const view = quoteView(quote, context.env.PUBLIC_URL);
  return {
    title: titleOf(request, opened),
    isAnswered: state === "answered",
    /** Why nothing can be done, or what was done; null while something can. */
    over: state === "open" ? null : overInWords(request, opened),
    who: isToApprove
      ? text("quotes.asksToApprove", { who, company })
      : text("quotes.asksToPay", { who, company }),
    why: asked.why,
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

function titleOf({ text }: RequestContext, { request: { kind, answer }, state }: OpenedRequest): string {
  if (state === "open") return text(kind === "approve" ? "quotes.approveHeading" : "quotes.payHeading");
  if (state !== "answered" || answer === null) return text("quotes.linkOverTitle");
  return text(answer.what === "approved" ? "quotes.approvedTitle" : "quotes.refusedTitle");
}

function overInWords({ text, language }: RequestContext, { request, order, state }: OpenedRequest): string[] {
  const { answer } = request;
  if (state === "answered" && answer !== null) {
    const date = formatDate(answer.at, order.country, language);
    return [
      text(answer.what === "approved" ? "quotes.youApproved" : "quotes.youRefused", { date }),
      ...(answer.words === "" ? [] : [text("quotes.inYourWords", { words: answer.words })]),
      text("quotes.buyerWasTold"),
    ];
  }
  return state === "open" ? [] : [tell(language, requestOver[state])];
}

/** What a payer can do: go to the checkout, transfer to the order's account, and say that it was transferred. */
async function waysToPay(
  { context, text, language }: RequestContext,
  { request, order, quote }: OpenedRequest,
  token: string,
) {
  const { env, db } = context;
  const total = totalInWords(quote);
  const methods = instantMethodsFor(env, order.country, order.total);
  const checkout = await openCheckout(context, order, {
    cancelPath: paths.quoteRequest(token),
    language,
    payer: { email: request.email },
  });
  const transfer = await transferOf(db, order, new Date());
  const isTransferOpen = transfer?.isOpen === true;
  // Once a part has arrived, the rest goes to the same account, and the order takes no other payment.
  const isPartIn = (await partsOf(db, order)) !== null;
  return {
    total,
    checkout: checkout === null || isPartIn ? null : { url: checkout.hostedUrl, fields: checkout.fields },
    /** Null where the checkout takes no such total or no other payment any more, or stands ready. */
    payInCheckout:
      methods.length === 0 || checkout !== null || isPartIn
        ? null
        : text("quotes.payInCheckout", { total, methods: methodsInWords(language, methods) }),
    mayTransfer:
      !isTransferOpen && !isPartIn && otherMethodsFor(env, order.country, order.total).includes("transfer"),
    account:
      transfer === null || !isTransferOpen
        ? null
        : transfer.proforma.bank === null
          ? []
          : bankLines({ ...transfer.proforma, language }, transfer.proforma.bank, transfer.missingMinor),
    /** What has come and what is missing; null before a part has come. */
    partIn: isPartIn && transfer !== null && isTransferOpen ? tell(language, transfer.said) : null,
    said:
      request.answer === null
        ? null
        : text("quotes.saidTransferred", { date: formatDate(request.answer.at, order.country, language) }),
  };
}

export type RequestView = Awaited<ReturnType<typeof requestView>>;
