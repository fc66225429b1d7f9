import type { Order } from "#db/order.ts";
import { formatMoney } from "#server/pricing/format.ts";
import type { Line } from "../ui/lines.tsx";
import type { ChangeOf } from "./family.ts";

export function seatRows(order: Order, changeOf: ChangeOf): Line[] {
  const { line } = order;
  return [
    { label: "Unit price", value: `${formatMoney(line.unitPrice)} ${perUser(order)}` },
    { label: "Quantity", value: String(line.quantity), change: changeOf("details", "quantity") },
  ];
}

/** What a seat's price covers: a whole term, or the rest of one. */
export function perUser({ line, details }: Order): string {
  if (details.proration !== undefined) return "per user, to the end of the term";
  return `user/${line.billingCycle === "annual" ? "year" : "month"}`;
}

/** The terms of families with a seat limit (docs/decisions/seat-limits.md). */
export const cappedTerms: readonly string[] = [
  "You can buy up to 300 licences.",
  "Licences can only be reduced within 72 hours.",
  "100% advance payment. An order cannot be cancelled once it is placed.",
  "Support is available 24/7.",
];
