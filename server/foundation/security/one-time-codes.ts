/**
 * Verifies the codes of a second factor: a code of an authenticator app, or a recovery code. Each works once. Attempts are
 * limited for each holder, because six digits are quickly guessed.
 */
import type { Db } from "#db/tables/index.ts";
import { type RefusedAccount, wrongField } from "../errors.ts";
import type { MessageDescriptor } from "../languages/text.ts";
import { clearRateLimit, consumeRateLimit } from "./rate-limit.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { stepOfCode } from "./totp.ts";

/** Holder of the codes, and access to their storage. */
export interface CodeHolder {
  /** Rate limit that counts attempts. */
  limit: { name: string; key: string };
  /** Outcome for the log. */
  account: RefusedAccount;
  /** Refusal of a wrong or used code. */
  refusal: MessageDescriptor | string;
  /** Returns the secret of the app, in base32; null without an app. */
  readSecret(): Promise<string | null>;
  /** Uses the time step of a code once. @returns false when it, or a later one, was used before */
  takeStep(step: number): Promise<boolean>;
  /** @returns false for an unknown or used code */
  takeRecoveryCode(hash: string): Promise<boolean>;
}

/**
 * @param db the database, not a transaction: failed attempts must count
 * @returns the kind of code
 * @throws DomainError bad_request at the field `code` for a wrong or used code
 * @throws DomainError rate_limited after five wrong ones in 15 minutes
 */
export async function verifyOneTimeCode(
  db: Db,
  holder: CodeHolder,
  typed: string,
  now: Date,
): Promise<"app" | "recovery"> {
  const attempts = { ...holder.limit, account: holder.account, limit: 5, windowSeconds: 15 * 60, now };
  await consumeRateLimit(db, attempts);
  const code = typed.replaceAll(/\s/g, "");
  const kind = /^\d{6}$/.test(code) ? "app" : "recovery";
  const isTaken =
    kind === "app"
      ? await takeAppCode(holder, code, now)
      : await holder.takeRecoveryCode(hashRecoveryCode(code));
  if (!isTaken) throw wrongField("code", holder.refusal, { outcome: "wrong-code", ...holder.account });
  await clearRateLimit(db, attempts);
  return kind;
}

async function takeAppCode(holder: CodeHolder, code: string, now: Date): Promise<boolean> {
  const secret = await holder.readSecret();
  const step = secret === null ? null : stepOfCode(secret, code, now);
  return step !== null && holder.takeStep(step);
}
