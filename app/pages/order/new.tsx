/**
 * Step 1 of a new order: posting it makes the draft and moves to the order's own address (DESIGN ruling 3). Going back
 * here finds that draft again.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brand } from "#server/brand.ts";
import { type CatalogueItem, findItem } from "#server/catalogue/items.ts";
import { notFound } from "#server/errors.ts";
import { baseProductNeeded, beginOrder, changeSelection } from "#server/orders/draft.ts";
import { findJustBegun } from "#server/orders/find.ts";
import { hashToken, newToken } from "#server/security/token.ts";
import { draftCookie } from "../../http/cookies.ts";
import { formAction, type Page, pageLoader, redirectWith } from "../../http/page.ts";
import { askerOf, stepPath } from "../../journey/guard.ts";
import { Panel } from "../../journey/panel.tsx";
import { newOrderSteps } from "../../journey/panel-steps.ts";
import { currentStep } from "../../journey/steps.ts";
import { newOrderParams } from "../../params.ts";
import { paths } from "../../paths.ts";
import { chosenIn, detailsData, detailsSchemaOf, selectionIn } from "./details-data.ts";
import { DetailsForm } from "./details-form.tsx";

export const handle = { hydrate: true };

type Params = { family: string; item: string; country: "IN" | "US" };

/** @throws DomainError not_found; a redirect for an add-on without its base */
async function itemOf(page: Page, params: Params) {
  const item = await findItem(page.context.db, params.item);
  if (item === null || item.family !== params.family) throw notFound("plan");
  if (item.isAddon) {
    throw await redirectWith(page, paths.explore(), { type: "error", message: baseProductNeeded });
  }
  return item;
}

const justBegun = (page: Page, item: CatalogueItem, country: Params["country"]) =>
  findJustBegun(page.context.db, { itemId: item.id, country }, askerOf(page), new Date());

export const loader = pageLoader(newOrderParams, async (page, params) => {
  const item = await itemOf(page, params);
  // The address names the item by its id; a sku is accepted and put right.
  if (item.id !== params.item) throw redirect(paths.newOrder({ ...params, item: item.id }));
  const begun = await justBegun(page, item, params.country);
  return {
    ...detailsData(item, params.country),
    chosen: begun === null ? { term: "P1Y" as const, quantity: item.minSeats, domain: "" } : chosenIn(begun),
    panel: { steps: newOrderSteps(item.family), summary: null, service: null, supportUrl: brand.supportUrl },
  };
});

export const action = formAction({
  params: newOrderParams,
  // The plan first: an address that sells nothing is a 404, whatever is posted to it.
  schema: async (page, params) => detailsSchemaOf((await itemOf(page, params)).family),
  handler: async (page, params, value) => {
    const { db, env } = page.context;
    const item = await itemOf(page, params);
    const asker = askerOf(page);
    if (asker.userId === null && asker.draftKey === null) {
      const key = newToken();
      page.headers.append("Set-Cookie", await draftCookie(env).serialize(key));
      asker.draftKey = hashToken(key);
    }
    const selection = await selectionIn(page, value);
    const begun = await justBegun(page, item, params.country);
    const now = new Date();
    if (begun !== null) {
      await db
        .transaction()
        .execute((trx) => changeSelection(trx, { orderId: begun.id, item, selection, asker, now }));
      return redirect(stepPath(begun, currentStep(begun).slug), 303);
    }
    const id = await db
      .transaction()
      .execute((trx) => beginOrder(trx, { item, country: params.country, selection, asker, now }));
    return redirect(
      paths.orderStep({ id, family: item.family, item: item.id, country: params.country }, "create-account"),
      303,
    );
  },
});

export const meta = ({ data }: { data?: { item: { name: string } } }) => [
  { title: `${data?.item.name ?? "Subscription"} | Hubs of Happiness` },
];

export default function NewOrder() {
  const { panel, ...data } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <div className="page journey">
      <div className="step">
        <DetailsForm {...data} lastResult={reply?.result} />
      </div>
      <Panel {...panel} />
    </div>
  );
}
