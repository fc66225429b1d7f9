/** Step 1 of an add-on: which of the company's base subscriptions it goes with. Without one there is nothing to add to. */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { findItem, listDashboard } from "#server/catalogue/items.ts";
import { standardCountry } from "#server/countries/country.ts";
import { notFound } from "#server/errors.ts";
import { baseProductNeeded, requireBuyer } from "#server/orders/draft.ts";
import { listBases } from "#server/orders/existing-customer.ts";
import { limits } from "../../http/limits.ts";
import { formAction, type Page, pageLoader, redirectWith, requireSession } from "../../http/page.ts";
import { detailsBroken, detailsSchemaOf, saveDetails } from "./details-post.ts";
import { askerOf } from "../guard.ts";
import { companyOf, justBegun, type Offer } from "./offer.ts";
import { newOrderPanel } from "../panel-steps.ts";
import { itemName, uuid } from "../../params.ts";
import { paths } from "../../paths.ts";
import type { Handle } from "../../ui/handle.ts";
import { unindexedPage } from "../../ui/head.ts";
import { detailsView } from "./details-view.ts";
import { NewJourney } from "./new-journey.tsx";

export const handle: Handle = { hydrate: true };

/** Which add-on, and the base to begin with; without a sku the only add-on there is. */
const query = z.object({ sku_id: itemName.optional(), base: uuid.optional() });

/** @throws DomainError not_found; a redirect to the login, or to the catalogue without a base subscription */
async function offerAt(page: Page): Promise<{ offer: Offer; base: string | undefined }> {
  requireSession(page);
  const asked = query.safeParse(Object.fromEntries(page.url.searchParams));
  if (!asked.success) throw notFound("plan");
  const { sku_id: sku, base } = asked.data;
  const { db } = page.context;
  const item =
    sku === undefined ? ((await listDashboard(db, "microsoft")).addOns[0] ?? null) : await findItem(db, sku);
  if (item === null) throw notFound("plan");
  const company = await companyOf(page);
  requireBuyer(askerOf(page));
  if (!item.isAddon) {
    throw redirect(
      paths.newContract({ family: item.family, item: item.id, country: company?.country ?? standardCountry }),
    );
  }
  if (company === null || (await listBases(db, company.id, item)).length === 0) {
    throw await redirectWith(page, paths.explore(), { type: "error", message: baseProductNeeded });
  }
  return { offer: { kind: "ADDON", item, country: company.country, company }, base };
}

export const loader = pageLoader(z.unknown(), async (page) => {
  const { offer, base } = await offerAt(page);
  return {
    ...(await detailsView(page, offer, await justBegun(page, offer), base)),
    panel: newOrderPanel(offer),
  };
});

export const action = formAction({
  params: z.unknown(),
  limit: limits.beginOrder,
  schema: async (page) => detailsSchemaOf((await offerAt(page)).offer),
  whenBroken: detailsBroken,
  handler: async (page, _params, value) => {
    const { offer } = await offerAt(page);
    return saveDetails(page, offer, await justBegun(page, offer), value);
  },
});

export const meta = unindexedPage<{ item: { name: string } }>(
  (data) => `Add ${data?.item.name ?? "an add-on"}`,
);

export default function NewAddOn() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
