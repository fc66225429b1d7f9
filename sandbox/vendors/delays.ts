/**
 * How long vendors take until what was made or changed there can be seen, and the one setting that makes all of it shorter. What is
 * hidden is answered as the vendor answers it, and each such answer is counted for the customer whose it is.
 */
import type { Sandbox } from "./sandbox.ts";

/** Milliseconds at the vendors, within what is told of them (docs/providers.md, sections 1.7 and 2.3). */
const vendorMs = {
  /** A tenant that was made: 404/60003. */
  tenant: 45_000,
  /** A tenant that has accepted us, which is found at once and may be sold to later: 403/20002. */
  relationship: 45_000,
  /** An order and its subscriptions: 404/20000 and 404/20003. */
  order: 60_000,
  /** A change of a subscription that was accepted with 202. */
  change: 30_000,
  googleOperation: 20_000,
  /** A new domain in Google's directory of users: 404. */
  googleDomain: 30_000,
  /** Until a customer's administrator accepts Google's terms, where nobody says otherwise. */
  googleTerms: 600_000,
} as const;
type Delayed = keyof typeof vendorMs;

/** Milliseconds here. */
export function delayOf(sandbox: Sandbox, what: Delayed): number {
  return vendorMs[what] * sandbox.delayScale;
}

/**
 * Whether a call that asks for something has to be told that it is not there.
 * @param customer Microsoft's id of the tenant or Google's name of the customer, for which the answer is counted
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
