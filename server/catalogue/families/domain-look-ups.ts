/** Rate limit for domain look-ups: vendors have a quota for our calls, and paid orders need it. */
import type { Db } from "#db/tables/index.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";

/**
 * Limits look-ups at all vendors together.
 * @throws DomainError rate_limited
 */
export function limitDomainLookUps(db: Db, clientAddress: string): Promise<void> {
  const key = networkOf(clientAddress);
  return consumeRateLimit(db, { name: "domain-check", key, limit: 120, windowSeconds: 600 });
}
