/**
 * Rate limits in fixed windows, counted in the database so that all web processes share them. Keys are hashed, so the table
 * contains no plain email or network address.
 */
import { countAttempt, deleteAttempts, uncountAttempt } from "#db/rate-limits.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError, sentences } from "../errors.ts";
import { type Told, told } from "../languages/text.ts";
import { hashToken } from "./token.ts";

export interface RateLimit {
  /** The limited operation, e.g. `login-address`. */
  name: string;
  /** The limited party: an email, an account id, a network (see network.ts). */
  key: string;
  /** Attempts allowed per window, from 1. */
  limit: number;
  windowSeconds: number;
  /** The first sentence of a refusal, where the specification words it. */
  refusal?: Told | string;
  /** For tests. Defaults to the process's clock. */
  now?: Date;
}

/**
 * Counts one attempt and refuses it when the window is full. Call it before the work it guards, and outside any transaction
 * that may roll back, because failed attempts must count too.
 * @throws DomainError rate_limited with retryAfterSeconds, the seconds until the window ends
 */
export async function consumeRateLimit(db: Db, rate: RateLimit): Promise<void> {
  const now = rate.now ?? new Date();
  const windowStart = startOfWindow(now, rate.windowSeconds);
  const count = await countAttempt(db, storedKey(rate), windowStart);
  if (count <= rate.limit) return;
  const end = windowStart.getTime() + rate.windowSeconds * 1_000;
  const retryAfterSeconds = Math.max(1, Math.ceil((end - now.getTime()) / 1_000));
  const wait =
    retryAfterSeconds < 60
      ? told("errors.waitSeconds", { count: retryAfterSeconds })
      : told("errors.waitMinutes", { count: Math.ceil(retryAfterSeconds / 60) });
  throw new DomainError("rate_limited", rate.refusal === undefined ? wait : sentences(rate.refusal, wait), {
    retryAfterSeconds,
  });
}

/** Takes back a successful attempt, where only failures count. `now` must be that of the attempt. */
export async function refundRateLimit(db: Db, rate: RateLimit): Promise<void> {
  await uncountAttempt(db, storedKey(rate), startOfWindow(rate.now ?? new Date(), rate.windowSeconds));
}

/** Clears all attempts of a key, for example after a correct password. */
export async function clearRateLimit(db: Db, rate: Pick<RateLimit, "name" | "key">): Promise<void> {
  await deleteAttempts(db, storedKey(rate));
}

function startOfWindow(now: Date, windowSeconds: number): Date {
  const length = windowSeconds * 1_000;
  return new Date(Math.floor(now.getTime() / length) * length);
}

function storedKey({ name, key }: Pick<RateLimit, "name" | "key">): string {
  return `${name}:${hashToken(`${name}\n${key}`)}`;
}
