/** The domain that an order asks for at its vendor, wherever its family keeps it: with its details, or as a prefix of the vendor's own. */
import { type RawBuilder, sql } from "kysely";

/** Of a row of `orders`. */
export function asksForDomain(domain: string): RawBuilder<boolean> {
  return sql<boolean>`(orders.details -> 'google' ->> 'domain' = ${domain}
    or (orders.signin ->> 'prefix') || '.onmicrosoft.com' = ${domain})`;
}
