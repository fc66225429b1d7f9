/**
 * Rate limits, counted in the database so that all web processes share them. A window opens with the first attempt and has a fixed
 * length. Keys are hashed, so the table contains no plain email or network address.
 */
import { countAttempt, deleteAttempts, uncountAttempt } from "#db/platform/rate-limits.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError, type RefusedAccount, sentences } from "../errors.ts";
import { type MessageDescriptor, msg } from "../languages/text.ts";
import { hashToken } from "./token.ts";

export interface RateLimit {
  /** The limited operation, e.g. `login-address`. */
  name: string;
  /** Limited party: an email, an account id, a network (see network.ts). */
  key: string;
  /** Attempts allowed per window, at least 1. */
  limit: number;
  windowSeconds: number;
  /** First sentence of a refusal, if the specification gives it. */
  refusal?: MessageDescriptor | string;
  /** Name in the log of a refusal. */
  account?: RefusedAccount;
  /** Defaults to the process's clock; set in tests. */
  now?: Date;
}

/**
 * Counts one attempt and refuses it when the window is full. Call it before the work it guards, and outside any transaction
 * that may roll back, because failed attempts must count too.
 * @throws DomainError rate_limited with retryAfterSeconds, the seconds until the window ends
 */
export async function consumeRateLimit(db: Db, rate: RateLimit): Promise<void> {
  const now = rate.now ?? new Date();
  const { count, startedAt } = await countAttempt(db, storedKey(rate), {
    now,
    windowSeconds: rate.windowSeconds,
  });
  if (count <= rate.limit) return;
  const end = startedAt.getTime() + rate.windowSeconds * 1_000;
  const retryAfterSeconds = Math.max(1, Math.ceil((end - now.getTime()) / 1_000));
  const wait =
    retryAfterSeconds < 60
      ? msg("errors.waitSeconds", { count: retryAfterSeconds })
      : msg("errors.waitMinutes", { count: Math.ceil(retryAfterSeconds / 60) });
  throw new DomainError("rate_limited", rate.refusal === undefined ? wait : sentences(rate.refusal, wait), {
    retryAfterSeconds,
    facts: { outcome: "rate-limited", limit: rate.name, ...rate.account },
  });
}

/** Undoes a successful attempt, where only failures count. `now` must be that of the attempt. */
export async function refundRateLimit(db: Db, rate: RateLimit): Promise<void> {
  await uncountAttempt(db, storedKey(rate), rate.now ?? new Date());
}

/** Clears all attempts of a key, for example after a correct password. */
export async function clearRateLimit(db: Db, rate: Pick<RateLimit, "name" | "key">): Promise<void> {
  await deleteAttempts(db, storedKey(rate));
}

function storedKey({ name, key }: Pick<RateLimit, "name" | "key">): string {
  return `${name}:${hashToken(`${name}\n${key}`)}`;
}
