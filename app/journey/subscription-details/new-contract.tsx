/** Step 1 of a further subscription for a company that has some: into one of its tenants, without an account to give. */

import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Country } from "#db/tables/enums.ts";
import { findItem } from "#server/catalogue/items.ts";
import { notFound } from "#server/errors.ts";
import { requireBuyer } from "#server/orders/draft.ts";
import { listTenants } from "#server/orders/existing-customer.ts";
import { limits } from "../../http/limits.ts";
import { formAction, type Page, pageLoader, requireSession } from "../../http/page.ts";
import { detailsBroken, detailsSchemaOf, saveDetails } from "./details-post.ts";
import { askerOf } from "../guard.ts";
import { companyOf, justBegun, type Offer } from "./offer.ts";
import { newOrderPanel } from "../panel-steps.ts";
import { newOrderParams } from "../../params.ts";
import { paths } from "../../paths.ts";
import type { Handle } from "../../ui/handle.ts";
import { unindexedPage } from "../../ui/head.ts";
import { detailsView } from "./details-view.ts";
import { NewJourney } from "./new-journey.tsx";

export const handle: Handle = { hydrate: true };

/**
 * @throws DomainError not_found; a redirect to the login, to an add-on's journey, to the company's own country, and to a
 * new order for who has no company yet or no Google domain
 */
async function offerAt(
  page: Page,
  params: { family: string; item: string; country: Country },
): Promise<Offer> {
  requireSession(page);
  const item = await findItem(page.context.db, params.item);
  if (item === null || item.family !== params.family) throw notFound("plan");
  if (item.isAddon) throw redirect(paths.newAddOn({ sku_id: item.sku }));
  const plan = { ...params, item: item.id };
  const company = await companyOf(page);
  if (company === null) throw redirect(paths.newOrder(plan));
  requireBuyer(askerOf(page));
  if (company.country !== params.country || item.id !== params.item) {
    throw redirect(paths.newContract({ ...plan, country: company.country }));
  }
  if (item.family === "google" && (await listTenants(page.context.db, company.id, "google")).length === 0) {
    throw redirect(paths.newOrder(plan));
  }
  return { kind: "TUP", item, country: company.country, company };
}

export const loader = pageLoader(newOrderParams, async (page, params) => {
  const offer = await offerAt(page, params);
  return { ...(await detailsView(page, offer, await justBegun(page, offer))), panel: newOrderPanel(offer) };
});

export const action = formAction({
  params: newOrderParams,
  limit: limits.beginOrder,
  schema: async (page, params) => detailsSchemaOf(await offerAt(page, params)),
  whenBroken: detailsBroken,
  handler: async (page, params, value) => {
    const offer = await offerAt(page, params);
    return saveDetails(page, offer, await justBegun(page, offer), value);
  },
});

export const meta = unindexedPage<{ item: { name: string } }>(
  (data) => `Add ${data?.item.name ?? "a subscription"}`,
);

export default function NewContract() {
  const data = useLoaderData<typeof loader>();
  return <NewJourney {...data} lastResult={useActionData<typeof action>()?.result} />;
}
