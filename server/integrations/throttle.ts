/**
 * Keeps the calls of all processes within a provider's quota: each reserves a slot in the database and waits for it, so that
 * calls run first come first served, and paid orders keep their turn. After a rate-limited call, all wait for the time that the
 * provider requests.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ThrottleRate } from "#db/platform/provider-throttle.ts";
import { type Provider, ProviderError } from "./errors.ts";

export interface Throttle {
  /**
   * Waits until the call may be made.
   * @throws ProviderError (transient, 429) when the wait is too long, with the wait
   */
  turn(call: string): Promise<void>;
  /** Reports that the provider has rate-limited a call. @param seconds the wait that it requests */
  refused(seconds: number | undefined): Promise<void>;
}

/** A sixth of a quota may be used at once, and the rest evenly, so that no minute exceeds it. */
const partsOfQuota = 6;
const minuteMs = 60_000;
/** Wait when a provider rate-limits a call without naming one. */
const usualHoldSeconds = 5;
const tooManyRequests = 429;

/** Store of reserved slots, shared by all processes. */
export interface SlotStore {
  /** @returns the wait in milliseconds; null, without a reservation, if it is longer than `maxMs` */
  book(name: string, spacing: ThrottleRate, maxMs: number): Promise<number | null>;
  /** Blocks all slots until `ms` have passed. */
  hold(name: string, ms: number): Promise<void>;
}

export interface Quota {
  bookings: SlotStore;
  /** Account that the quota belongs to, if we have several at a provider. */
  account?: string;
  /** Calls per minute, at least 1. */
  callsPerMinute: number;
  /** Longest wait of a call, in milliseconds. */
  maxMs: number;
}

/** @returns undefined without a quota */
export function createThrottle(provider: Provider, quota: Quota | undefined): Throttle | undefined {
  if (quota === undefined) return undefined;
  const { bookings, account, callsPerMinute, maxMs } = quota;
  const name = account === undefined ? provider : `${provider}:${account}`;
  const burst = Math.max(1, Math.floor(callsPerMinute / partsOfQuota));
  const everyMs = minuteMs / Math.max(1, callsPerMinute - burst);
  return {
    async turn(call) {
      const wait = await bookings.book(name, { everyMs, burst }, maxMs);
      if (wait === null)
        throw new ProviderError(provider, "transient", call, {
          status: tooManyRequests,
          code: "calls_booked",
          retryAfterSeconds: Math.ceil(maxMs / 1_000),
        });
      if (wait > 0) await sleep(wait);
    },
    refused: (seconds = usualHoldSeconds) => bookings.hold(name, seconds * 1_000),
  };
}
