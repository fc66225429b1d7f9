/** Step 1 of an add-on: the base subscription it goes with. A company without one cannot buy it. */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findItem, listAddOns } from "#server/catalogue/items.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { baseProductNeeded, requireBuyer } from "#server/orders/draft.ts";
import { listCompanyAddOnBases } from "#server/orders/existing-customer.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { type RequestContext, redirectWith, requireSession } from "../../http/request-context.ts";
import { itemName, uuid } from "../../params.ts";
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

/** The add-on and the preselected base. Without a SKU, the only add-on there is. */
const query = z.object({ sku_id: itemName.optional(), base: uuid.optional() });

/** @throws DomainError not_found; a redirect to the login, or to the catalogue without a base subscription */
async function offerAt(
  request: RequestContext,
): Promise<{ offer: PurchaseContext; base: string | undefined }> {
  requireSession(request);
  const parsedQuery = query.safeParse(Object.fromEntries(request.url.searchParams));
  if (!parsedQuery.success) throw notFound("plan");
  const { sku_id: sku, base } = parsedQuery.data;
  const { db } = request.context;
  const wanted = sku ?? (await listAddOns(db))[0]?.sku;
  const item = wanted === undefined ? null : await findItem(db, wanted);
  if (item === null) throw notFound("plan");
  const company = await companyOf(request);
  requireBuyer(requesterOf(request));
  if (!item.isAddon) {
    throw redirect(
      paths.newContract({ family: item.family, item: item.id, country: company?.country ?? standardCountry }),
    );
  }
  if (company === null || (await listCompanyAddOnBases(db, company.id, item)).length === 0) {
    const message = translate(request.language, baseProductNeeded);
    throw await redirectWith(request, paths.explore(), { type: "error", message });
  }
  return { offer: { kind: "ADDON", item, country: company.country, company }, base };
}

export const loader = pageLoader(z.unknown(), async (request) => {
  const { offer, base } = await offerAt(request);
  return {
    ...(await detailsView(request, offer, await recentDraftOf(request, offer), base)),
    panel: newOrderPanel(offer, request.language),
    title: request.text("steps.addTitle", { name: offer.item.name }),
  };
});

export const action = formAction({
  params: z.unknown(),
  limit: rateLimits.beginOrder,
  faultMessage: detailsBroken,
  open: async (request) => newOrderForm(request, (await offerAt(request)).offer),
});

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export default function NewAddOn() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
