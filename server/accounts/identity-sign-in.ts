/**
 * Sign-in through an identity provider. A known identity logs in. An unknown one whose email the provider has verified gets the
 * account of that email, or a new one. Any other email is an unverified claim, so nothing is opened or created before the mailbox
 * or the account's password has been proven.
 */

import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { IdentityPerson } from "#server/integrations/identity-providers/client.ts";
import type { Context } from "#server/platform/context.ts";
import { passFirstFactor } from "./complete-sign-in.ts";
import { findIdentityUser, type SignedIn, signInByVerifiedEmail } from "./identities.ts";
import { openProof } from "./identity-proofs.ts";

export type IdentityOutcome =
  | ({ outcome: "signed-in" } & SignedIn)
  /** Key of the required proof, for the browser's cookie. */
  | { outcome: "proof-needed"; key: string };

/**
 * @param returnPath the visitor's destination, stored when a proof is needed first
 * @throws DomainError forbidden when the account is closed or locked
 */
export function continueWithIdentity(
  { db, env }: Pick<Context, "db" | "env">,
  person: IdentityPerson & { language: LanguageId },
  returnPath: string,
): Promise<IdentityOutcome> {
  const secrets = env.SESSION_SECRETS;
  return db.transaction().execute(async (trx): Promise<IdentityOutcome> => {
    const userId = await findIdentityUser(trx, person);
    if (userId !== null) {
      return {
        outcome: "signed-in",
        signIn: await passFirstFactor(trx, secrets, userId),
        passwordRemoved: false,
      };
    }
    if (person.email !== null && person.emailIsVerified) {
      return { outcome: "signed-in", ...(await signInByVerifiedEmail(trx, secrets, person, person.email)) };
    }
    return { outcome: "proof-needed", key: await openProof(trx, person, returnPath) };
  });
}
