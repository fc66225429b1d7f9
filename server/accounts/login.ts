/** Login with email and password: slow for guessers, and equally fast for known and unknown emails. */

import { lockUserWithPassword, replacePasswordHash, selectUserByEmail } from "#db/accounts/users.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError, type RefusedAccount } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import {
  clearRateLimit,
  consumeRateLimit,
  type RateLimit,
  refundRateLimit,
} from "#server/foundation/security/rate-limit.ts";
import { logins } from "#server/integrations/metrics/process-metrics.ts";
import { passFirstFactor, type SignInOutcome } from "./complete-sign-in.ts";
import { verifyPassword } from "./passwords.ts";
import { readSession, type Session, type SessionSecrets, type SessionUser } from "./sessions.ts";

export const loginFailed = msg("access.loginFailed");

export interface LoginSession {
  token: string;
  user: SessionUser;
}

/** Result of a correct password: see complete-sign-in.ts. */
export type LoginOutcome =
  | ({ outcome: "signed-in" } & LoginSession)
  | Extract<SignInOutcome, { outcome: "code-needed" }>;

interface LoginInput {
  email: string;
  password: string;
}

/**
 * Checks email and password. Failures allowed in 15 minutes: 5 for an account from one network, 20 from a network, 100 for an
 * account from everywhere. The last is high, since anyone can use it up and lock the owner out for the rest of the window. Pass
 * `db`, not a transaction: failures must count even when nothing else is written.
 * @param secrets see createSession
 * @param clientAddress as the proxy in front reports it
 * @param now for tests
 * @throws DomainError unauthenticated "Login failed. Please try again." for a wrong password, an unknown email and a closed
 * account, in the same time; forbidden for the correct password of a locked account
 * @throws DomainError rate_limited
 */
export async function beginLogin(
  db: Db,
  secrets: SessionSecrets,
  input: LoginInput,
  clientAddress: string,
  now = new Date(),
): Promise<LoginOutcome> {
  try {
    const login = await checkedLogin(db, secrets, input, clientAddress, now);
    logins.inc({ result: "ok" });
    return login;
  } catch (error) {
    if (error instanceof DomainError)
      logins.inc({ result: error.code === "rate_limited" ? "rate_limited" : "refused" });
    throw error;
  }
}

/**
 * Logs in where no code can be asked for: in an API call, and when the password links an identity. Otherwise as beginLogin.
 * @throws DomainError forbidden for an account with a second factor
 */
export async function logIn(
  db: Db,
  secrets: SessionSecrets,
  input: LoginInput,
  clientAddress: string,
  now = new Date(),
): Promise<LoginSession> {
  const login = await beginLogin(db, secrets, input, clientAddress, now);
  if (login.outcome === "code-needed") {
    throw new DomainError("forbidden", msg("twoStep.signInOnSite"), {
      facts: { outcome: "second-factor-needed" },
    });
  }
  return { token: login.token, user: login.user };
}

async function checkedLogin(
  db: Db,
  secrets: SessionSecrets,
  input: LoginInput,
  clientAddress: string,
  now: Date,
): Promise<LoginOutcome> {
  const email = input.email.trim();
  const [pair, network, account] = limitsFor(email, networkOf(clientAddress), now);
  const user = await selectUserByEmail(db, email);
  const about = { userId: user?.id };
  // Counted before the password is checked, so that concurrent guesses cannot exceed the limit.
  for (const limit of [pair, network, account]) await consumeRateLimit(db, { ...limit, account: about });

  let stored = user?.passwordHash ?? null;
  const isRight = await verifyPassword(stored, input.password, async (newHash) => {
    if (user !== null && (await replacePasswordHash(db, user.id, stored, newHash))) stored = newHash;
  });
  const passwordHash = stored;
  if (user === null || passwordHash === null || !isRight) throw failure(about);

  const signIn = await db.transaction().execute(async (trx) => {
    // Locks and checks the user again. A concurrent password change or lock revokes all sessions, and the one created here would
    // escape that.
    if (!(await lockUserWithPassword(trx, user.id, passwordHash))) throw failure(about);
    return passFirstFactor(trx, secrets, user.id, now);
  });
  const login = signIn.outcome === "signed-in" ? await holderOf(signIn.session) : signIn;

  await clearRateLimit(db, pair);
  await refundRateLimit(db, network);
  await refundRateLimit(db, account);
  return login;

  async function holderOf({ token }: Session): Promise<LoginOutcome> {
    const loggedIn = await readSession(db, secrets, token, now);
    if (loggedIn === null) throw failure(about);
    return { outcome: "signed-in", token, user: loggedIn };
  }
}

function limitsFor(email: string, network: string, now: Date): [RateLimit, RateLimit, RateLimit] {
  const key = email.toLowerCase();
  const windowSeconds = 15 * 60;
  return [
    { name: "login-pair", key: `${key}\n${network}`, limit: 5, windowSeconds, now },
    { name: "login-network", key: network, limit: 20, windowSeconds, now },
    { name: "login-account", key, limit: 100, windowSeconds, now },
  ];
}

function failure(about: RefusedAccount): DomainError {
  return new DomainError("unauthenticated", loginFailed, { facts: { outcome: "wrong-password", ...about } });
}
