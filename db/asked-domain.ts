/** The domain that an order asks for at its vendor, wherever its family keeps it: with its details, or as a prefix of the vendor's own. */
import { type RawBuilder, sql } from "kysely";

/** Of a row of `orders`: what its details say; null where they say none. */
export const domainInDetails = sql<string | null>`orders.details -> 'google' ->> 'domain'`;

/** Of a row of `orders`: that it asks for this one. */
export function asksForDomain(domain: string): RawBuilder<boolean> {
  return sql<boolean>`(${domainInDetails} = ${domain}
    or (orders.signin ->> 'prefix') || '.onmicrosoft.com' = ${domain})`;
}
