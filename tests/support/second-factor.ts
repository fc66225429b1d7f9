/** Buyers with two-step sign-in. */
import { newId, type SessionId, type UserId } from "#db/ids.ts";
import {
  confirmAuthenticatorSetup,
  readAuthenticatorSetup,
  startAuthenticatorSetup,
} from "#server/accounts/second-factor.ts";
import { createUser } from "#server/accounts/users.ts";
import type { Context } from "#server/platform/context.ts";
import { codeAt } from "./desk.ts";
import { freshEmail } from "./journey.ts";
import { proveMailboxOf } from "./orders.ts";

export const buyerPassword = "a-good-Pass-1";

export interface GuardedBuyer {
  userId: UserId;
  email: string;
  /** Secret of their authenticator app, in base32. */
  secret: string;
  recoveryCodes: string[];
}

export async function makeBuyer({ db }: Pick<Context, "db">): Promise<{ userId: UserId; email: string }> {
  const email = freshEmail();
  const person = { firstName: "Asha", lastName: "Rao", phone: "9876543210" };
  const userId = await db
    .transaction()
    .execute((trx) => createUser(trx, { email, password: buyerPassword, ...person }));
  await proveMailboxOf(db, userId);
  return { userId, email };
}

/** Connects an app an hour ago, so that the current code is still unused. */
export async function connectApp(
  context: Context,
  owner: { userId: UserId; email: string },
  currentPassword = buyerPassword,
): Promise<GuardedBuyer> {
  const before = new Date(Date.now() - 3_600_000);
  await startAuthenticatorSetup(context, owner, { code: "", currentPassword: "" }, before);
  const setUp = await readAuthenticatorSetup(context, owner, before);
  if (setUp === null) throw new Error("Nothing was begun");
  const { secret } = setUp;
  const shown = { code: codeAt(secret, before), currentPassword };
  const session = { ...owner, sessionId: newId<SessionId>() };
  const recoveryCodes = await confirmAuthenticatorSetup(context, session, shown, before);
  return { ...owner, secret, recoveryCodes };
}

export async function makeGuardedBuyer(context: Context): Promise<GuardedBuyer> {
  return connectApp(context, await makeBuyer(context));
}
