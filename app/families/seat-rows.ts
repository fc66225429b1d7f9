import type { Order } from "#db/orders/order.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { SummaryRow } from "../ui/summary-list.tsx";
import type { ChangeOf } from "./family.ts";

export function seatRows(order: Order, changeOf: ChangeOf, text: Translate): SummaryRow[] {
  const { line } = order;
  const price = formatMoney(line.unitPrice);
  return [
    {
      label: text("steps.unitPrice"),
      value: text("steps.unitPriceOf", { price, per: perUser(order, text) }),
    },
    {
      label: text("steps.quantityRow"),
      value: String(line.quantity),
      change: changeOf("details", "quantity"),
    },
  ];
}

/** The period that a seat's price covers: a whole term, or the rest of one. */
export function perUser({ line, details }: Order, text: Translate): string {
  if (details.proration !== undefined) return text("steps.perUserToEnd");
  return text(line.billingCycle === "annual" ? "steps.perUserYear" : "steps.perUserMonth");
}

/** The terms of families with a seat limit (docs/decisions/catalogue.md#seat-limits). */
export const cappedTerms: readonly MessageDescriptor[] = [
  msg("legal.atMost300"),
  msg("legal.reduceWithin72Hours"),
  msg("legal.advanceNoCancellation"),
  msg("legal.supportAlways"),
];
