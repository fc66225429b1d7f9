/** The sentence that a waiting or stopped order has for its buyer. */
import type { Order, OrderDetails } from "#db/order.ts";

/** @param note undefined for none any more */
export function withNote({ details }: Order, note: string | undefined): { details: OrderDetails } {
  const { note: _, ...others } = details;
  return { details: { ...others, note } };
}
