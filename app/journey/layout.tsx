/** The frame of an order's steps: side panel and the step itself. */
import { Outlet, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { itemCopyIn } from "#server/catalogue/item-copy.ts";
import { getItemTexts } from "#server/catalogue/items.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { brand } from "#server/foundation/brand.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { pageLoader } from "../http/page.ts";
import type { RequestContext } from "../http/request-context.ts";
import { orderParams } from "../params.ts";
import { noindexMeta } from "../ui/head.ts";
import { JourneyFrame } from "./frame.tsx";
import { openOrder, prefetchOrder } from "./guard.ts";
import { quantityText } from "./order-labels.ts";
import { panelSteps } from "./panel-steps.ts";
import { postPaymentView } from "./post-payment-data.ts";
import { PostPaymentStatus } from "./post-payment-status.tsx";
import { Receipt } from "./receipt.tsx";
import { receiptOf } from "./receipt-data.ts";
import { currentStep, stepsOf } from "./steps.ts";

export { shouldRevalidate } from "./stale-page.ts";

async function frameOf(request: RequestContext, params: z.output<typeof orderParams>) {
  const order = await openOrder(request, params);
  const { text } = request;
  const requested = request.url.pathname.split("/").at(-1);
  const shown = stepsOf(order).find((step) => step.slug === requested) ?? currentStep(order);
  const { line } = order;
  const [item, afterwards] = await Promise.all([
    getItemTexts(request.context.db, order.itemId),
    postPaymentView(request, order),
  ]);
  const { description, features } = itemCopyIn(item, request.language);
  return {
    title: translate(request.language, shown.title),
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
            quantity: quantityText(order, text),
            total: formatMoney(order.total),
            isPaid: isPaid(order),
          },
    service: { name: item.name, description, features },
    supportUrl: brand.supportUrl,
    afterwards,
    // The last step has its own receipt, with all of the order's documents.
    receipt: order.fulfilmentStatus === "done" ? null : receiptOf(request, order),
  };
}

export const loader = pageLoader(orderParams, frameOf, { prefetch: prefetchOrder });

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export default function OrderLayout() {
  const { title: _, ordering, afterwards, receipt, ...panel } = useLoaderData<typeof loader>();
  return (
    <JourneyFrame panel={panel} ordering={ordering}>
      {receipt !== null && <Receipt {...receipt} />}
      {afterwards !== null && <PostPaymentStatus {...afterwards} />}
      <Outlet />
    </JourneyFrame>
  );
}
