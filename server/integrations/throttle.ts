/**
 * Keeps the calls of all processes within a provider's quota: each books its moment in the database and waits for it, so that whoever
 * asks first is answered first, and paid orders keep their turn. After a refusal for too many calls, all wait for as long as it says.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ThrottleRate } from "#db/platform/provider-throttle.ts";
import { type Provider, ProviderError } from "./errors.ts";

export interface Throttle {
  /**
   * Waits until the call may be made.
   * @throws ProviderError (transient, 429) when that is too far ahead, with the wait
   */
  turn(call: string): Promise<void>;
  /** The provider has refused a call as one too many. @param seconds for how long, as it says */
  refused(seconds: number | undefined): Promise<void>;
}

/** A sixth of a quota may be used at once, and the rest evenly: so no minute has more calls than it. */
const partsOfQuota = 6;
const minuteMs = 60_000;
/** Where a provider refuses and does not say for how long. */
const usualHoldSeconds = 5;
const tooManyRequests = 429;

/** Where moments are booked, for all processes. */
export interface SlotStore {
  /** @returns how long to wait, in milliseconds; null, and nothing booked, where that is longer than `mostMs` */
  book(name: string, spacing: ThrottleRate, maxMs: number): Promise<number | null>;
  /** Nothing is free before `ms` have passed. */
  hold(name: string, ms: number): Promise<void>;
}

export interface Quota {
  bookings: SlotStore;
  /** Whose quota it is, where a provider has several accounts of ours. */
  account?: string;
  /** From 1. */
  callsPerMinute: number;
  /** How long a call is held back at most, in milliseconds. */
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
