/**
 * Step 1 of a new order: posting it creates the draft and redirects to the order's own address
 * (docs/decisions/orders.md#drafts). Going back to this page finds that draft again.
 */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { Country } from "#db/tables/enums.ts";
import { findItem } from "#server/catalogue/items.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { listTenants } from "#server/orders/existing-customer.ts";
import { withDraftKey } from "../../http/draft-key.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, redirectWith } from "../../http/request-context.ts";
import { newOrderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { requesterOf } from "../guard.ts";
import { newOrderPanel } from "../panel-steps.ts";
import { type Answers, detailsBroken, newOrderForm } from "./details-post.ts";
import { detailsView } from "./details-view.ts";
import { NewJourney } from "./new-journey.tsx";
import { companyOf, type PurchaseContext, recentDraftOf } from "./purchase-context.ts";

export const handle: Handle = { hydrate: true, publiclyCacheable: true };

export { shouldRevalidate } from "../stale-page.ts";

/**
 * @throws DomainError not_found, or forbidden for a viewer; for an add-on, a redirect to its own journey or to the login
 *   before it
 */
async function offerAt(
  request: RequestContext,
  params: { family: string; item: string; country: Country },
): Promise<PurchaseContext> {
  const item = await findItem(request.context.db, params.item);
  if (item === null || item.family !== params.family) throw notFound("plan");
  requireBuyer(requesterOf(request));
  if (item.isAddon) {
    const addOn = paths.newAddOn({ sku_id: item.sku });
    if (request.session !== null) throw redirect(addOn);
    // Only a signed-in company can have a base subscription.
    const message = request.text("steps.logInFirst", { name: item.name });
    throw await redirectWith(request, paths.login(addOn), { type: "error", message });
  }
  return { kind: "NEW", item, country: params.country, company: null };
}

/** The parts of the address besides the plan. */
const query = z.object({
  TUP: z.literal("true").optional().catch(undefined),
  another: z.literal("true").optional().catch(undefined),
  quantity: z.string().optional(),
  term: z.string().optional(),
});

/**
 * Redirects a company that has an account to the shorter journey, which offers that account and a new one (docs/specification.md,
 * section 9). A post stays here, because its page was opened before the visitor logged in.
 * @throws a redirect to the journey of existing customers
 */
async function toContractOfCustomer(request: RequestContext, { item, country }: PurchaseContext) {
  const { TUP, another, ...begun } = query.parse(Object.fromEntries(request.url.searchParams));
  const contract = paths.newContract({ family: item.family, item: item.id, country }, begun);
  if (TUP !== undefined) throw redirect(contract);
  const company = another === undefined ? await companyOf(request) : null;
  if (company?.country !== country) return;
  const tenants = await listTenants(request.context.db, company.id, item.family);
  if (tenants.some((tenant) => tenant.country === country)) throw redirect(contract);
}

export const loader = pageLoader(newOrderParams, async (request, params) => {
  const offer = await offerAt(request, params);
  // The canonical address uses the item's id. A SKU is accepted and redirected.
  if (offer.item.id !== params.item) throw redirect(paths.newOrder({ ...params, item: offer.item.id }));
  await toContractOfCustomer(request, offer);
  const { name, description } = offer.item;
  return {
    ...(await detailsView(request, offer, await recentDraftOf(request, offer))),
    panel: newOrderPanel(offer, request.language),
    path: paths.newOrder(params),
    about: request.text("steps.aboutPlan", { name, description }),
  };
});

export const action = formAction({
  params: newOrderParams,
  limit: rateLimits.beginOrder,
  // Checks the plan first: an address that sells nothing is a 404 for any post.
  faultMessage: detailsBroken,
  open: async (request, params) => {
    const form = newOrderForm(request, await offerAt(request, params));
    return {
      ...form,
      handler: (_request, _params, answers: Answers) =>
        withDraftKey(request, () => form.handler(request, params, answers)),
    };
  },
});

export const meta = indexedPage<{ path: string; about: string; item: { name: string } }>(
  ({ path, about, item }) => ({ title: item.name, description: about, path }),
);

export default function NewOrder() {
  const { path: _, about: __, ...data } = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
