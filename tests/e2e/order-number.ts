/** An order's number, as its buyer and our team see it. */
import { orderNumber } from "#server/orders/number.ts";
import type { Sql } from "./fixtures.ts";

export async function orderNumberOf(sql: Sql, orderId: string): Promise<string> {
  const [{ number, created_at: createdAt } = {}] = await sql(
    "select number::int, created_at from orders where id = $1",
    [orderId],
  );
  return orderNumber({ number, createdAt });
}
