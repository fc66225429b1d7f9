/** Texts of a paid order's receipt. A refunded or disputed payment has none: see post-payment-data.ts. */
import type { Order } from "#db/orders/order.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { ReceiptView } from "./receipt.tsx";

/** @param links the order's documents; its invoice when left out */
export function receiptOf(
  { text, language }: Pick<RequestContext, "text" | "language">,
  order: Order,
  links?: ReceiptView["links"],
): ReceiptView | null {
  const { paidAt, country, total, fulfilmentStatus } = order;
  if (paidAt === null || order.paymentStatus !== "completed") return null;
  return {
    sum: text("journey.sumPaid", { amount: formatMoney(total) }),
    about: text("journey.orderPaid", {
      number: orderNumber(order),
      date: formatDate(paidAt, country, language),
    }),
    left: fulfilmentStatus === "waiting_for_signin" ? text("journey.oneStepLeft") : null,
    links: links ?? [{ label: text("closure.invoice"), href: paths.invoice(order.id) }],
  };
}
