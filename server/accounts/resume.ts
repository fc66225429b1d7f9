/** Resumes an order by the link mailed to its buyer, which logs them in and proves the mailbox. */
import type { OrderId } from "#db/ids.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";
import { notifyOwner } from "./account-notifications.ts";
import { passFirstFactor } from "./complete-sign-in.ts";
import { recordEmailVerification } from "./email-verification.ts";
import type { SignedIn } from "./identities.ts";
import { consumeToken } from "./one-time-tokens.ts";
import { findUser } from "./users.ts";

/** Creates the refusal of a link that no longer works, the same for every reason. */
export const resumeLinkExpiredError = () => new DomainError("not_found", msg("access.linkOver"));

/** @throws DomainError not_found when the link is unknown, used, ended or expired; forbidden when the account is closed or locked */
export function signInByResumeLink(
  { db, env }: Pick<Context, "db" | "env">,
  token: string,
): Promise<SignedIn & { orderId: OrderId }> {
  return db.transaction().execute(async (trx) => {
    const holder = await consumeToken(trx, { purpose: "resume-order", token });
    const user = holder === null ? null : await findUser(trx, holder.userId);
    if (holder?.orderId == null || user === null) throw resumeLinkExpiredError();
    const { userId, orderId } = holder;
    const proof = await recordEmailVerification(trx, userId, { passwordChosen: false });
    await notifyOwner(trx, { userId, email: user.email }, { what: "signed-in-by-link" });
    return { ...proof, orderId, signIn: await passFirstFactor(trx, env.SESSION_SECRETS, userId) };
  });
}
