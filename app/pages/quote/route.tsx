/** `/quotes/{id}`: a version of an order's quote, whether it is still valid, and the button that accepts it. */
import { useActionData, useLoaderData } from "@remix-run/react";
import { listApprovers, whyOrderApprovalNeeded } from "#server/billing/quotes/order-approval.ts";
import { formatQuoteNumber, mailsQuoteTo, type OpenedQuote } from "#server/billing/quotes/quote.ts";
import { findActiveRefusal, listQuoteRequests, sendQuoteRequest } from "#server/billing/quotes/requests.ts";
import { quoteView } from "#server/billing/quotes/view.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { mayOpenOrder } from "#server/orders/find.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, redirectWith } from "../../http/request-context.ts";
import { currentPath, requesterOf } from "../../journey/guard.ts";
import { termsOf } from "../../journey/review-data.ts";
import { quoteIdParams } from "../../params.ts";
import { Callout, type CalloutProps } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { PrintableDocument } from "../../ui/printable-document.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { ConfirmEmail } from "../account/confirm-email.tsx";
import { openQuotePage } from "./open-quote.ts";
import { requestSchema } from "./request-schema.ts";
import { quoteRequestTexts } from "./request-texts.ts";
import { SendForms } from "./send-forms.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(quoteIdParams, async (request, params) => {
  const opened = await openQuotePage(request, params);
  const { quote, order, newer, state } = opened;
  const requester = requesterOf(request);
  const mayAct = mayOrder(requester) && mayOpenOrder(order, requester);
  const mailsQuote = await mailsQuoteTo(request.context.db, requester.userId);
  const requests = state === "open" ? await listQuoteRequests(request.context.db, quote.id) : [];
  const refusal = findActiveRefusal(requests);
  return {
    title: `${request.text("quotes.title")} ${formatQuoteNumber(quote)}`,
    state,
    standing: refusal === null ? standingIn(request, opened) : refusedIn(request, opened, refusal),
    /** Sentences about each recipient: since when they were asked, and their answer. */
    requests: mayAct ? requests.map((each) => quoteRequestTexts(request, each, order.country)) : [],
    /** Advice on a refusal; null without one, and for a user who cannot act. */
    change:
      refusal === null || !mayAct
        ? null
        : { says: request.text("quotes.changeAndAsk"), href: stepPath(order, "subscription-details") },
    newer: newer === null ? null : paths.quote(newer.id),
    view: quoteView(quote, request.context.env.PUBLIC_URL),
    pdf: paths.quotePdf(quote.id),
    order: mayAct ? currentPath(order) : null,
    references: mayAct && state === "open" ? paths.orderReferences(order.id) : null,
    makeNew: mayAct && state === "expired" ? paths.orderQuote(order.id) : null,
    confirm: mayAct && state === "open" && !mailsQuote ? { email: request.session?.email ?? "" } : null,
    sending: mayAct && state === "open" && mailsQuote ? await sendingOf(request, opened) : null,
  };
});

async function sendingOf(request: RequestContext, { order }: OpenedQuote) {
  const { db } = request.context;
  const requester = requesterOf(request);
  const needed = await whyOrderApprovalNeeded(db, order, requester, new Date());
  const approvers =
    needed === null || order.customerId === null ? [] : await listApprovers(db, order.customerId, requester);
  return {
    /** Why an approval is needed, and from whom; empty when none is. */
    needed:
      needed === null
        ? []
        : [
            translate(request.language, needed),
            approvers.length === 0
              ? request.text("rules.nobodyCounts")
              : translate(request.language, { key: "rules.whoCounts", values: { approvers } }),
          ],
    ...(await termsOf(request, order)),
  };
}

export const action = formAction({
  params: quoteIdParams,
  limit: rateLimits.pay,
  schema: requestSchema,
  handler: async (request, params, value): Promise<Response> => {
    const { quote } = await openQuotePage(request, params);
    const { intent: kind, email, why } = value;
    const agreement = value.intent === "pay" ? value.agreement : null;
    const requester = requesterOf(request);
    const now = new Date();
    await sendQuoteRequest(request.context, {
      quoteId: quote.id,
      requester,
      kind,
      email,
      why,
      agreement,
      now,
    });
    const message = request.text("quotes.sent", { email });
    return redirectWith(request, paths.quote(quote.id), { type: "success", message });
  },
});

/** Describes the state of the quote. */
function standingIn(
  { text, language }: Pick<RequestContext, "text" | "language">,
  { quote, order, newer, state }: OpenedQuote,
): { type: CalloutProps["type"]; says: string } {
  const date = formatDate(quote.validUntil, order.country, language);
  switch (state) {
    case "open":
      return { type: "info", says: text("quotes.isOpen", { date }) };
    case "changed":
      return {
        type: "error",
        says:
          newer === null
            ? text("quotes.isBeingChanged")
            : text("quotes.isChanged", { number: formatQuoteNumber(newer) }),
      };
    case "expired":
      return { type: "due", says: text("quotes.hasEnded", { date }) };
    case "paid":
      return { type: "success", says: text("quotes.isPaid") };
    case "refunded":
      return { type: "error", says: text("quotes.isOver") };
  }
}

function refusedIn(
  { text, language }: Pick<RequestContext, "text" | "language">,
  { order }: OpenedQuote,
  { email, words, at }: NonNullable<ReturnType<typeof findActiveRefusal>>,
): ReturnType<typeof standingIn> {
  const date = formatDate(at, order.country, language);
  return { type: "error", says: text("quotes.isRefused", { email, words, date }) };
}

export default function QuotePage() {
  const {
    state,
    standing,
    requests,
    change,
    newer,
    view,
    pdf,
    order,
    references,
    makeNew,
    confirm,
    sending,
  } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  const text = useTranslate();
  const isAcceptable = state === "open" && change === null && order !== null;
  return (
    <div className="page">
      <Callout type={standing.type}>
        <p>{standing.says}</p>
        {requests.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {change !== null && <p>{change.says}</p>}
        {newer !== null && (
          <p>
            <a href={newer}>{text("quotes.openNewer")}</a>
          </p>
        )}
      </Callout>
      {sending !== null && sending.needed.length > 0 && (
        <Callout type="info">
          {sending.needed.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Callout>
      )}
      <div className="in-row answers off-paper">
        {change !== null ? (
          <a className="button" href={change.href}>
            {text("quotes.changeOrder")}
          </a>
        ) : (
          isAcceptable && (
            <a className="button" href={order}>
              {text("quotes.placeOrder")}
            </a>
          )
        )}
        {sending !== null && <SendForms {...sending} result={result} />}
      </div>
      <p className="actions off-paper">
        <a href={pdf}>{text("quotes.download")}</a>{" "}
        {references !== null && <a href={references}>{text("references.edit")}</a>}{" "}
        {!isAcceptable && order !== null && <a href={order}>{text("quotes.openOrder")}</a>}
      </p>
      {makeNew !== null && (
        <form method="post" action={makeNew}>
          <SubmitButton>{text("quotes.makeNew")}</SubmitButton>
        </form>
      )}
      {confirm !== null && <ConfirmEmail {...confirm}>{text("quotes.notMailed")}</ConfirmEmail>}
      <PrintableDocument view={view} />
    </div>
  );
}
