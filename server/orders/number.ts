/** An order's number for people: short enough to read out over a phone (docs/decisions/orders.md#order-numbers). */
import type { Order } from "#db/orders/order.ts";
import { brand } from "#server/foundation/brand.ts";

/**
 * Formats an order's number: "HUB-26-000123" is the store, the year (UTC) in which the order was begun, and a count over all
 * orders.
 */
export function orderNumber({ number, createdAt }: Pick<Order, "number" | "createdAt">): string {
  const year = String(createdAt.getUTCFullYear() % 100).padStart(2, "0");
  return `${brand.orderPrefix}-${year}-${String(number).padStart(6, "0")}`;
}

const written = /^(?:[A-Z]+-)?(?:\d{2}-)?0*([1-9]\d{0,14})$/;

/** Reads the count from a number as people write it: "hub-26-000123", "26-123", "123". Null for anything else. */
export function readOrderNumber(text: string): number | null {
  const [, count] = written.exec(text.trim().toUpperCase()) ?? [];
  return count === undefined ? null : Number(count);
}
