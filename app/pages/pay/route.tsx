/** `/orders/{id}/pay`: ways to pay an order outside its checkout. Plain forms, which need no script here or at the provider. */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import { noTaxDetails, taxDetailsOf } from "#server/accounts/company-profile.ts";
import { hasOpenProforma } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { beginLink, beginTransfer } from "#server/billing/payments/begin.ts";
import { computeAmountToTransfer } from "#server/billing/payments/matching.ts";
import { createPaymentLink } from "#server/billing/payments/payment-link/create-link.ts";
import { linkOf } from "#server/billing/payments/payment-link/link-state.ts";
import { isMisconfigured, isWayRefused } from "#server/billing/payments/refused-way.ts";
import { lookUpOnReopening } from "#server/billing/payments/sweep.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { type OtherMethod, otherMethodsFor } from "#server/catalogue/pricing/payment-methods.ts";
import { notFound } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { billingProblem } from "#server/orders/billing-problem.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { inAppBrowserOf } from "../../http/in-app-browsers.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { currentPath, openOrder, requesterOf } from "../../journey/guard.ts";
import { inAppBrowserNote, paymentLinkText } from "../../journey/payment-option-texts.ts";
import { otherMethodSchema } from "../../journey/place-order/review-schema.ts";
import { referencesForm, saveReferences } from "../../journey/references-data.ts";
import { termsOf } from "../../journey/review-data.ts";
import { orderIdParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { useTranslate } from "../../ui/text.tsx";
import { type OfferedWay, WaysForm } from "./ways-form.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const { context, text } = request;
  const { db, env } = context;
  let order = await openOrder(request, params);
  if (order.paymentStatus === "pending" && (await lookUpOnReopening(context, order.id)))
    order = await openOrder(request, params, { fresh: true });
  if (isPaid(order) || isRefunded(order) || order.account === null) throw redirect(currentPath(order));
  const hasProforma = await hasOpenProforma(db, order);
  const payable = otherMethodsFor(env, order.country, order.total);
  if (hasProforma && !payable.includes("link")) throw redirect(paths.proforma(order.id));
  if (payable.length === 0) throw notFound();
  const link = await madeLink(request, order);
  // The review explains the problem and leads to the form that corrects it.
  if (link === null && !hasProforma && billingProblem(env.sellers, order.account) !== null)
    throw redirect(stepPath(order, "place-order"));
  const refused = await refusedWays(db, order, payable);
  const browser = inAppBrowserOf(request.raw.headers);
  const isLinkFirst = browser !== null && payable.includes("link");
  const offered = payable
    .filter((way) => !(way === "link" && link !== null) && !(way === "transfer" && hasProforma))
    .filter((way) => !refused.includes(way))
    .toSorted((one, other) => (isLinkFirst ? rank(one) - rank(other) : rank(other) - rank(one)));
  const total = formatMoney(order.total);
  const tax = order.customerId === null ? noTaxDetails : await taxDetailsOf(db, order.customerId);
  const { terms, agreement } = await termsOf(request, order);
  const { email } = order.account;
  return {
    title: text("paying.anotherWay"),
    refused: refused.map((way) => text(refusedTexts[way])),
    why:
      isLinkFirst && link === null && !refused.includes("link") ? inAppBrowserNote(request, browser) : null,
    link:
      link === null
        ? null
        : {
            url: link.url,
            says: link.isMisconfigured ? text("paying.notWorking") : paymentLinkText(request, order, link),
          },
    proforma: hasProforma ? paths.proforma(order.id) : null,
    ways: offered.map((way) => wayOf(request, way, { order, email, withheld: tax.rateBasisPoints })),
    product: order.line.name,
    total,
    terms,
    references: referencesForm(order),
    /** Hidden fields with the shown values, for comparison. */
    posted: { intent: "place-order", total: String(order.total.minor), agreement },
    review: stepPath(order, "place-order"),
  };
});

const rank = (way: OtherMethod) => (way === "link" ? 0 : 1);

const refusedTexts = { link: "paying.linkRefused", transfer: "paying.transferRefused" } as const;

/** The ways that the provider has just refused for this order. */
async function refusedWays(db: Db, order: Order, ways: readonly OtherMethod[]): Promise<OtherMethod[]> {
  const refused = await Promise.all(ways.map((way) => isWayRefused(db, order, way)));
  return ways.filter((_way, index) => refused[index]);
}

/** The order's open payment link. Creates it now if that failed before. */
async function madeLink({ context }: RequestContext, order: Order) {
  const link = await linkOf(context.db, order, new Date());
  const made = (known: typeof link) => (known === null ? null : { ...known, isMisconfigured: false });
  if (link === null || link.url !== null) return made(link);
  try {
    await createPaymentLink(context, link.intentId);
    return made(await linkOf(context.db, order, new Date()));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error, orderId: order.id }, "a payment link is not made yet");
    return { ...link, isMisconfigured: isMisconfigured(error) };
  }
}

function wayOf(
  { context: { env }, text, language }: RequestContext,
  way: OtherMethod,
  { order, email, withheld }: { order: Order; email: string; withheld: number | null },
): OfferedWay {
  const total = formatMoney(order.total);
  if (way === "link") {
    const says = text("paying.linkIntro", { email, total });
    return { way, title: text("paying.byLink"), says, conditions: [], button: text("paying.sendLink") };
  }
  const rates = env.TDS_RATES.map((rate) => `${rate / 100}%`);
  const ownTds =
    withheld === null || !env.TDS_RATES.includes(withheld)
      ? null
      : text("paying.wayYourTds", {
          rate: `${withheld / 100}%`,
          amount: formatMoney(computeAmountToTransfer(order, withheld)),
        });
  const tds =
    rates.length === 0 ? [] : [ownTds ?? translate(language, { key: "paying.wayTds", values: { rates } })];
  const price = text("paying.wayPrice", { days: env.PROFORMA_DAYS });
  return {
    way,
    title: text("paying.byTransfer"),
    says: text("paying.wayIntro", { total }),
    conditions: [price, ...tds],
    button: text("paying.makeProforma"),
  };
}

const begin = { link: beginLink, transfer: beginTransfer } as const;
const shownAt = { link: paths.payAnotherWay, transfer: paths.proforma } as const;

export const action = formAction({
  params: orderIdParams,
  limit: rateLimits.pay,
  schema: otherMethodSchema,
  handler: async (request, params, value): Promise<Response> => {
    const order = await openOrder(request, params);
    if (value.references === "asked") await saveReferences(request, order.id, value);
    await begin[value.way](request.context, {
      order,
      requester: requesterOf(request),
      shownTotalMinor: value.total,
      shownAgreement: value.agreement,
      now: new Date(),
    });
    return redirect(shownAt[value.way](order.id), 303);
  },
});

export default function PayAnotherWay() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{data.title}</h1>
      <p className="lead">
        {data.product}, {data.total}
      </p>
      {data.refused.map((said) => (
        <Callout key={said} type="error">
          <p>{said}</p>
        </Callout>
      ))}
      {data.why !== null && (
        <Callout type="info">
          <p>{data.why}</p>
        </Callout>
      )}
      {data.link !== null && (
        <>
          <h2>{text("paying.yourLink")}</h2>
          <p>{data.link.says}</p>
          {data.link.url !== null && (
            <p>
              <a className="button" href={data.link.url}>
                {text("paying.openLink")}
              </a>
            </p>
          )}
        </>
      )}
      {data.ways.length > 0 && <WaysForm lastResult={result} {...data} />}
      <p className="actions">
        {data.proforma !== null && <a href={data.proforma}>{text("paying.openProforma")}</a>}{" "}
        <a href={data.review}>{text("paying.backToReview")}</a>
      </p>
    </section>
  );
}
