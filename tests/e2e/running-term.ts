/**
 * A year's term that is almost over, both in the store and at the vendor, which the store asks after each order and would copy.
 */
import type { Control, Sql } from "./fixtures.ts";

export async function endSoon(
  { sql, control }: { sql: Sql; control: Control },
  domain: string,
): Promise<void> {
  const [{ external_id: id, end_date: endsAt } = { external_id: "", end_date: "" }] = await sql(
    `update subscriptions set end_date = now() + interval '20 days', start_date = now() - interval '345 days'
      where domain = $1 returning external_id, end_date`,
    [domain],
  );
  await control("console", { id, endsAt: new Date(endsAt).toISOString() });
}
