/** The frame of an order's steps: side panel and the step itself. */
import { Outlet, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import type { Order } from "#db/order.ts";
import { brand } from "#server/brand.ts";
import { getItemTexts } from "#server/catalogue/items.ts";
import { itemWords } from "#server/catalogue/words.ts";
import type { Text } from "#server/languages/messages.ts";
import { tell } from "#server/languages/text.ts";
import { isPaid } from "#server/orders/order.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { pageLoader } from "../http/page.ts";
import type { RequestContext } from "../http/request-context.ts";
import { orderParams } from "../params.ts";
import { unindexedPage } from "../ui/head.ts";
import { Afterwards } from "./afterwards.tsx";
import { afterwardsIn } from "./afterwards-data.ts";
import { JourneyFrame } from "./frame.tsx";
import { openOrder, readOrderAhead } from "./guard.ts";
import { daysWords } from "./order-words.ts";
import { panelSteps } from "./panel-steps.ts";
import { currentStep, stepsOf } from "./steps.ts";

async function frameOf(request: RequestContext, params: z.output<typeof orderParams>) {
  const order = await openOrder(request, params);
  const { text } = request;
  const asked = request.url.pathname.split("/").at(-1);
  const shown = stepsOf(order).find((step) => step.slug === asked) ?? currentStep(order);
  const { line } = order;
  const [item, afterwards] = await Promise.all([
    getItemTexts(request.context.db, order.itemId),
    afterwardsIn(request, order),
  ]);
  const { description, features } = itemWords(item, request.language);
  return {
    title: tell(request.language, shown.title),
    steps: panelSteps(order, shown.slug, request.language),
    ordering: {
      item: line.sku,
      customerName: order.account?.companyName ?? "",
      selectedCust: order.customerId ?? "",
    },
    summary:
      shown.slug === "subscription-details"
        ? null
        : {
            name: line.name,
            quantity: text("steps.summary", {
              licences: text("orders.licences", { count: line.quantity }),
              period: howLong(order, text),
            }),
            total: formatMoney(order.total),
            isPaid: isPaid(order),
          },
    service: { name: item.name, description, features },
    supportUrl: brand.supportUrl,
    afterwards,
  };
}

export const loader = pageLoader(orderParams, frameOf, { ahead: readOrderAhead });

/** The period that the total pays for. */
function howLong({ line, details }: Order, text: Text): string {
  if (details.proration !== undefined) return daysWords(details.proration, text);
  return text(line.term === "P1Y" ? "steps.oneYearOf" : "steps.oneMonthOf");
}

export const meta = unindexedPage<{ title: string }>((data) => data?.title ?? "");

export default function OrderLayout() {
  const { title: _, ordering, afterwards, ...panel } = useLoaderData<typeof loader>();
  return (
    <JourneyFrame panel={panel} ordering={ordering}>
      {afterwards !== null && <Afterwards {...afterwards} />}
      <Outlet />
    </JourneyFrame>
  );
}
