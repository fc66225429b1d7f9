/** Step 1 of a further subscription for an existing customer: into one of its tenants, without Create Account. */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Country } from "#db/tables/enums.ts";
import { findItem } from "#server/catalogue/items.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { listTenants, requiresNewOrder } from "#server/orders/existing-customer.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { newOrderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { requesterOf } from "../guard.ts";
import { newOrderPanel } from "../panel-steps.ts";
import { detailsBroken, newOrderForm } from "./details-post.ts";
import { detailsView } from "./details-view.ts";
import { NewJourney } from "./new-journey.tsx";
import { companyOf, type PurchaseContext, recentDraftOf } from "./purchase-context.ts";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

/**
 * @throws DomainError not_found; a redirect to the login, to an add-on's journey, to the company's own country, and to a new
 *   order for a user without a company or, for families sold to a domain, without a domain
 */
async function offerAt(
  request: RequestContext,
  params: { family: string; item: string; country: Country },
): Promise<PurchaseContext> {
  requireSession(request);
  const item = await findItem(request.context.db, params.item);
  if (item === null || item.family !== params.family) throw notFound("plan");
  if (item.isAddon) throw redirect(paths.newAddOn({ sku_id: item.sku }));
  const plan = { ...params, item: item.id };
  const company = await companyOf(request);
  if (company === null) throw redirect(paths.newOrder(plan));
  requireBuyer(requesterOf(request));
  if (company.country !== params.country || item.id !== params.item) {
    throw redirect(paths.newContract({ ...plan, country: company.country }));
  }
  if (requiresNewOrder(item) && (await listTenants(request.context.db, company.id, item.family)).length === 0)
    throw redirect(paths.newOrder(plan));
  return { kind: "TUP", item, country: company.country, company };
}

export const loader = pageLoader(newOrderParams, async (request, params) => {
  const offer = await offerAt(request, params);
  return {
    ...(await detailsView(request, offer, await recentDraftOf(request, offer))),
    panel: newOrderPanel(offer, request.language),
    title: request.text("steps.addTitle", { name: offer.item.name }),
  };
});

export const action = formAction({
  params: newOrderParams,
  limit: rateLimits.beginOrder,
  faultMessage: detailsBroken,
  open: async (request, params) => newOrderForm(request, await offerAt(request, params)),
});

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export default function NewContract() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
