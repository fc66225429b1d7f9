/** Reads a customer's entitlements from Cloud Channel in our terms, within its quota. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import type { GoogleEntitlement } from "#server/providers/google.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import type { ListOptions } from "../family.ts";
import { type Reading, readDates } from "../found.ts";

/**
 * Google allows 24 entitlement lists a minute per project (docs/providers.md, section 2.1). One call every 3 seconds
 * makes 20.
 */
const secondsBetween = 3;

/** Lists all entitlements of a customer. @throws ProviderError */
export async function listEntitlements(
  context: Context,
  externalId: string,
  { now, secondsBetweenLists = secondsBetween }: ListOptions,
): Promise<Reading[]> {
  await takeTurn(context, secondsBetweenLists);
  const all = await context.google.listEntitlements(externalId);
  return all.map((one) => readEntitlement(one, context.env.GOOGLE_PRODUCT_ID, now));
}

/** Waits for a slot. The limit is in the database because all processes share the project's quota. */
async function takeTurn({ db }: Context, seconds: number): Promise<void> {
  while (true) {
    try {
      return await consumeRateLimit(db, {
        name: "google-list",
        key: "entitlements",
        limit: 1,
        windowSeconds: seconds,
      });
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryAfterSeconds === undefined) throw error;
      await sleep(error.retryAfterSeconds * 1_000);
    }
  }
}

const dayMs = 86_400_000;

/**
 * Accepts only yearly commitments, the only kind we sell (docs/specification.md, section 9.1).
 * @param product the product our SKUs are sold under
 */
export function readEntitlement(entitlement: GoogleEntitlement, product: string, now: Date): Reading {
  if (entitlement.state !== "ACTIVE") return { is: "over" };
  const { product: soldUnder, sku } = entitlement.sku ?? { product: "", sku: "" };
  const unlike = (why: string): Reading => ({ is: "unlike ours", sku, why });
  if (soldUnder !== product) return unlike(`of product ${soldUnder || "unknown"}`);
  const { numUnits, commitmentStart, commitmentEnd } = entitlement;
  if (numUnits === undefined || numUnits < 1) return unlike("no commitment");
  const dates = readDates(commitmentStart, commitmentEnd);
  if (dates === null) return unlike("no commitment");
  if (dates.end <= now) return { is: "over" };
  const days = Math.round((dates.end.getTime() - dates.start.getTime()) / dayMs);
  if (days < 365 || days > 366) return unlike(`${days} days`);
  return {
    is: "running",
    found: {
      externalId: entitlement.name,
      sku,
      parentExternalId: entitlement.baseEntitlement ?? null,
      quantity: numUnits,
      term: "P1Y",
      billingCycle: "annual",
      ...dates,
    },
  };
}
