/** Step 1 of an order that exists: the details may be changed until it is paid. */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { getItem } from "#server/catalogue/items.ts";
import { changeSelection } from "#server/orders/draft.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { askerOf, openStep, stepPath } from "../../journey/guard.ts";
import { currentStep } from "../../journey/steps.ts";
import { orderParams } from "../../params.ts";
import { chosenIn, detailsData, detailsSchemaOf, selectionIn } from "./details-data.ts";
import { DetailsForm } from "./details-form.tsx";

export const handle = { hydrate: true };

const step = "subscription-details";

export const loader = pageLoader(orderParams, async (page, params) => {
  const order = await openStep(page, params, step);
  const item = await getItem(page.context.db, order.itemId);
  return {
    ...detailsData(item, order.country),
    chosen: chosenIn(order),
  };
});

export const action = formAction({
  params: orderParams,
  schema: async (page, params) => detailsSchemaOf((await openStep(page, params, step)).family),
  handler: async (page, params, value) => {
    const order = await openStep(page, params, step);
    const item = await getItem(page.context.db, order.itemId);
    const selection = await selectionIn(page, value);
    await page.context.db.transaction().execute((trx) =>
      changeSelection(trx, {
        orderId: order.id,
        item,
        selection,
        asker: askerOf(page),
        now: new Date(),
      }),
    );
    return redirect(stepPath(order, currentStep(order).slug), 303);
  },
});

export default function SubscriptionDetails() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return <DetailsForm {...data} lastResult={reply?.result} />;
}
