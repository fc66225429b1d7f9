/** Login with email and password: slow for guessers, and the same for known and unknown emails. */

import type { Db } from "#db/tables/index.ts";
import { lockUserWithPassword, selectUserByEmail } from "#db/users.ts";
import { DomainError } from "../errors.ts";
import { told } from "../languages/text.ts";
import { logins } from "../metrics/series.ts";
import { networkOf } from "../security/network.ts";
import { clearRateLimit, consumeRateLimit, type RateLimit, refundRateLimit } from "../security/rate-limit.ts";
import { type Entrance, enterAccount } from "./entrance.ts";
import { verifyPassword } from "./passwords.ts";
import { readSession, type Session, type SessionSecrets, type SessionUser } from "./sessions.ts";

export const loginFailed = told("access.loginFailed");

export interface LoggedIn {
  token: string;
  user: SessionUser;
}

/** What a right password opens: see entrance.ts. */
export type Login = ({ outcome: "entered" } & LoggedIn) | Extract<Entrance, { outcome: "code-needed" }>;

interface LoginInput {
  email: string;
  password: string;
}

/**
 * Failures allowed in 15 minutes: 5 for an account from one network, 20 from a network, 100 for an account from
 * everywhere. The last is high, since anyone can use it up and lock the owner out for the rest of the window. Pass `db`,
 * not a transaction: failures must count even when nothing else is written.
 * @param secrets see createSession
 * @param clientAddress as the proxy in front reports it
 * @param now for tests
 * @throws DomainError unauthenticated "Login failed. Please try again." for a wrong password, an unknown email and a
 * disabled account, in the same time
 * @throws DomainError rate_limited
 */
export async function beginLogin(
  db: Db,
  secrets: SessionSecrets,
  input: LoginInput,
  clientAddress: string,
  now = new Date(),
): Promise<Login> {
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
 * As beginLogin, where no code can be asked for: in a call, and when an identity is linked by the password.
 * @throws DomainError forbidden for an account with a second factor
 */
export async function logIn(
  db: Db,
  secrets: SessionSecrets,
  input: LoginInput,
  clientAddress: string,
  now = new Date(),
): Promise<LoggedIn> {
  const login = await beginLogin(db, secrets, input, clientAddress, now);
  if (login.outcome === "code-needed") throw new DomainError("forbidden", told("twoStep.signInOnSite"));
  return { token: login.token, user: login.user };
}

async function checkedLogin(
  db: Db,
  secrets: SessionSecrets,
  input: LoginInput,
  clientAddress: string,
  now: Date,
): Promise<Login> {
  const email = input.email.trim();
  const [pair, network, account] = limitsFor(email, networkOf(clientAddress), now);
  // Counted before the password is checked, so that concurrent guesses cannot exceed the limit.
  for (const limit of [pair, network, account]) await consumeRateLimit(db, limit);

  const user = await selectUserByEmail(db, email);
  const passwordHash = user?.passwordHash ?? null;
  const isRight = await verifyPassword(passwordHash, input.password);
  if (user === null || passwordHash === null || !isRight) throw failure();

  const entrance = await db.transaction().execute(async (trx) => {
    // Locks and checks the user again. A concurrent password change or disabling revokes all sessions, and the one
    // created here would escape that.
    if (!(await lockUserWithPassword(trx, user.id, passwordHash))) throw failure();
    return enterAccount(trx, secrets, user.id, now);
  });
  const login = entrance.outcome === "entered" ? await holderOf(entrance.session) : entrance;

  await clearRateLimit(db, pair);
  await refundRateLimit(db, network);
  await refundRateLimit(db, account);
  return login;

  async function holderOf({ token }: Session): Promise<Login> {
    const loggedIn = await readSession(db, secrets, token, now);
    if (loggedIn === null) throw failure();
    return { outcome: "entered", token, user: loggedIn };
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

function failure(): DomainError {
  return new DomainError("unauthenticated", loginFailed);
}
