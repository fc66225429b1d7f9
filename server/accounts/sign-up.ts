/** Sign-up with a password. */
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { recordConsent } from "./consents.ts";
import { createUser } from "./users.ts";

export const userCreated = msg("access.userCreated");

export interface SignUp {
  email: string;
  firstName: string;
  lastName: string;
  /** 10 digits. */
  phone: string;
  password: string;
  language: LanguageId;
}

/**
 * Creates a user. Reports a taken email, as Create Account does (docs/decisions/orders.md#checkout-account), so that a user who
 * has forgotten their account learns what to do. Twenty tries an hour for a network, so that nobody can enumerate our customers,
 * or keep us busy hashing. Pass `db`, not a transaction: tries must count even when nothing else is written.
 * @param clientAddress as the proxy in front reports it
 * @throws DomainError conflict, on the field `email`, when the email has an account
 * @throws DomainError bad_request, on the field `password`, as hashNewPassword
 * @throws DomainError rate_limited
 */
export async function signUp(db: Db, input: SignUp, clientAddress: string): Promise<UserId> {
  await consumeRateLimit(db, {
    name: "sign-up",
    key: networkOf(clientAddress),
    limit: 20,
    windowSeconds: 3_600,
  });
  return db.transaction().execute(async (trx) => {
    const userId = await createUser(trx, input);
    const { language } = input;
    await recordConsent(trx, { userId, orderId: null, text: "privacy", language, at: new Date() });
    return userId;
  });
}
