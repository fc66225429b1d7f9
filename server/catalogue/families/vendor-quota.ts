/** Takes turns at a vendor whose quota all processes share, so that background work leaves room for paid orders. */
import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "#server/foundation/errors.ts";
import { consumeRateLimit, type RateLimit } from "#server/foundation/security/rate-limit.ts";
import type { Context } from "#server/platform/context.ts";

/** Waits until the quota has room, and uses one call of it. */
export async function waitForQuota(
  { db }: Pick<Context, "db">,
  quota: Pick<RateLimit, "name" | "key" | "limit" | "windowSeconds">,
): Promise<void> {
  while (true) {
    try {
      return await consumeRateLimit(db, quota);
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryAfterSeconds === undefined) throw error;
      await sleep(error.retryAfterSeconds * 1_000);
    }
  }
}
