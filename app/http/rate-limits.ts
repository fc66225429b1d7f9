/**
 * Rate limits per network for everything that costs us or a provider work. A page and the call that does the same share one
 * limit, because otherwise a client could use both. Limits per account or email are counted where the work is done.
 */
import { msg } from "#server/foundation/languages/text.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit, type RateLimit } from "#server/foundation/security/rate-limit.ts";
import { webContext } from "./context.ts";
import type { RequestContext } from "./request-context.ts";

export type RateLimitRule = Pick<RateLimit, "name" | "limit" | "windowSeconds" | "refusal">;

const windowSeconds = 600;

export const rateLimits = {
  /** Beginning an order, or changing one that is not yet placed. */
  beginOrder: { name: "begin-order", limit: 120, windowSeconds },
  /** Anything that may call the payment provider. */
  pay: { name: "capture-payment", limit: 120, windowSeconds },
  /** The same limit for a buyer who returns from paying: its refusal says that the payment is not lost. */
  payReturn: {
    name: "capture-payment",
    limit: 120,
    windowSeconds,
    refusal: msg("errors.paymentGoesOn"),
  },
  /** Anything that asks a vendor what can be cancelled. */
  cancel: { name: "cancel", limit: 120, windowSeconds },
  /** Saving a renewal choice, which a mailed link allows without a login. */
  renewalChoice: { name: "renewal-choice", limit: 120, windowSeconds },
  /** Calendar programs, of which one network may have many. */
  calendar: { name: "calendar", limit: 300, windowSeconds },
  /** Everything in Desk, including its sign-in. */
  desk: { name: "desk", limit: 1_200, windowSeconds },
  deskSignIn: { name: "desk-sign-in", limit: 60, windowSeconds },
  /** Files that are drawn page by page. */
  bundle: { name: "bundle", limit: 60, windowSeconds },
  /** A PDF of one document. */
  pdf: { name: "pdf", limit: 120, windowSeconds, refusal: msg("errors.manyPdfs") },
  /** Browsers' reports of what a Content-Security-Policy has blocked. */
  cspReport: { name: "csp-report", limit: 60, windowSeconds },
  agreement: { name: "agreement", limit: 60, windowSeconds },
  search: { name: "search", limit: 300, windowSeconds },
  checkUser: { name: "check-user", limit: 60, windowSeconds },
  subscription: { name: "subscription-detail", limit: 300, windowSeconds },
  administratorSignIn: { name: "administrator-sign-in", limit: 60, windowSeconds },
  administratorCallback: { name: "administrator-callback", limit: 60, windowSeconds },
  unsubscribe: { name: "unsubscribe", limit: 300, windowSeconds },
  identityCallback: { name: "identity-callback", limit: 60, windowSeconds },
} as const satisfies Record<string, RateLimitRule>;

/** @throws DomainError rate_limited with retryAfterSeconds */
export async function enforceRateLimit(
  limit: RateLimitRule,
  { clientAddress }: Pick<RequestContext, "clientAddress">,
): Promise<void> {
  // Counted with the store's own connection, because that of a read-only visitor refuses the write.
  await consumeRateLimit(webContext().db, { ...limit, key: networkOf(clientAddress) });
}
