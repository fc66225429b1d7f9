/**
 * `/requests/{token}`: the page for an approver or a payer. A few kB, without a script or an account. Opening it changes nothing,
 * because mail scanners open links too; each action is a post, bound to the shown version.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { payByRequest } from "#server/billing/payments/pay-by-request.ts";
import { answerQuoteRequest, openQuoteRequest, reportTransfer } from "#server/billing/quotes/requests.ts";
import * as paths from "#server/foundation/paths.ts";
import { payerCookie } from "../../http/cookies.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { redirectWith } from "../../http/request-context.ts";
import { anyTokenParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SummaryList, Totals } from "../../ui/summary-list.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { answerSchema } from "./answer-schema.ts";
import { requestView } from "./view-data.ts";
import { ApproveForms, ClosedRequest, PayForms } from "./views.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { noScripts: true };

export const loader = pageLoader(
  anyTokenParams,
  async (request, { token }) => {
    const opened = await openQuoteRequest(request.context.db, token, new Date());
    if (opened === null) return { title: request.text("quotes.linkUnknownTitle"), view: null };
    const view = await requestView(request, opened, token);
    // The provider returns to an address without the token, and names the paid order but not the link.
    if (view.pay !== null && view.pay.checkout !== null)
      request.responseHeaders.append("Set-Cookie", await payerCookie(request.context.env).serialize(token));
    return { title: view.title, view };
  },
  { limit: rateLimits.pay },
);

/** Fragments of the page's answers for a payer, which on a phone are far below its top, with the next action. */
const answers = {
  checkout: { part: "checkout", next: "quotes.nextCheckout" },
  transfer: { part: "account", next: "quotes.nextTransfer" },
  transferred: { part: "said", next: "quotes.nextTransferred" },
} as const;

export const action = formAction({
  params: anyTokenParams,
  limit: rateLimits.pay,
  schema: answerSchema,
  handler: async (request, { token }, value): Promise<Response> => {
    const input = { token, hash: value.hash, now: new Date() };
    switch (value.intent) {
      case "approved":
      case "refused":
        await answerQuoteRequest(request.context, { ...input, what: value.intent, words: value.words });
        return redirect(paths.quoteRequest(token), 303);
      case "checkout":
      case "transfer":
        await payByRequest(request.context, { ...input, way: value.intent });
        break;
      case "transferred":
        await reportTransfer(request.context, input);
        break;
    }
    const { part, next } = answers[value.intent];
    return redirectWith(request, paths.quoteRequest(token, part), {
      type: "success",
      message: request.text(next),
    });
  },
});

export default function QuoteRequestPage() {
  const { title, view } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  const text = useTranslate();
  if (view === null)
    return (
      <section className="page narrow">
        <h1>{title}</h1>
        <p>{text("quotes.linkUnknown")}</p>
      </section>
    );
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      {view.over !== null && <ClosedRequest says={view.over} isAnswered={view.isAnswered} />}
      <p className="figure">{view.total}</p>
      <p className="lead">{view.who}</p>
      {view.approve && <ApproveForms hash={view.hash} lastResult={result} />}
      {view.why !== "" && (
        <>
          <h2>{text("quotes.inTheirWords")}</h2>
          <p>{view.why}</p>
        </>
      )}
      <h2>{text("quotes.whatIsOrdered")}</h2>
      <SummaryList lines={view.lines} />
      <Totals lines={view.totals} />
      <SummaryList lines={view.facts} />
      {view.pay !== null && <PayForms {...view.pay} hash={view.hash} lastResult={result} />}
      {view.openUntil !== null && <p className="hint">{view.openUntil}</p>}
    </section>
  );
}
