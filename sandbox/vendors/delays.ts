/**
 * Delays after which vendors show new or changed resources, and the one setting that shortens all of them. A hidden resource gets
 * the vendor's real response, and each such response is counted for its customer.
 */
import type { Sandbox } from "./sandbox.ts";

/** Milliseconds at the vendors, within the documented ranges (docs/providers.md, sections 1.7 and 2.3). */
const vendorMs = {
  /** A new tenant: 404/60003. */
  tenant: 45_000,
  /** A tenant that has accepted us: found at once, but can be sold to only later (403/20002). */
  relationship: 45_000,
  /** An order and its subscriptions: 404/20000 and 404/20003. */
  order: 60_000,
  /** A change of a subscription that was accepted with 202. */
  change: 30_000,
  googleOperation: 20_000,
  /** A new domain in Google's directory of users: 404. */
  googleDomain: 30_000,
  /** Time until a customer's administrator accepts Google's terms, unless set otherwise. */
  googleTerms: 600_000,
} as const;
type Delayed = keyof typeof vendorMs;

/** Milliseconds in this sandbox. */
export function delayOf(sandbox: Sandbox, what: Delayed): number {
  return vendorMs[what] * sandbox.delayScale;
}

/**
 * Whether a resource is still hidden from a call.
 * @param customer Microsoft's id of the tenant or Google's name of the customer, for which the response is counted
 */
export function isHidden(sandbox: Sandbox, what: Delayed, customer: string, since: number): boolean {
  const delayMs = delayOf(sandbox, what);
  const hidden = delayMs > 0 && sandbox.now() - since < delayMs;
  if (hidden) recordHiddenLookup(sandbox, customer);
  return hidden;
}

export function recordHiddenLookup(sandbox: Sandbox, customer: string): void {
  sandbox.unseen[customer] = (sandbox.unseen[customer] ?? 0) + 1;
}
