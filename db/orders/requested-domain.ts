/**
 * The domain that an order requests at its vendor, wherever its family stores it: in the order's details, or as a prefix of
 * the vendor's own domain.
 */
import { type RawBuilder, sql } from "kysely";

/** SQL on a row of `orders`: the domain in its details, or null. */
export const domainInDetails = sql<string | null>`orders.details -> 'google' ->> 'domain'`;

/** SQL condition on a row of `orders`: whether it requests this domain. */
export function requestsDomain(domain: string): RawBuilder<boolean> {
  return sql<boolean>`(${domainInDetails} = ${domain}
    or (orders.signin ->> 'prefix') || '.onmicrosoft.com' = ${domain})`;
}
