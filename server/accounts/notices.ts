/**
 * Mails about an account to its owner: a new password, a sign-in, a role, who has come in by their invitation. Whoever got in and
 * shut the owner out cannot also keep it from them. The words are server/mail/account-notices.ts.
 */
import { z } from "zod";
import { newId, type UserId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueMail } from "../outbox/mail.ts";

const role = z.enum(["owner", "buyer", "viewer"]);

/** What happened. A list of emails is joined with commas, since a mail's facts are texts. */
export const accountNotice = z.discriminatedUnion("what", [
  z.object({
    what: z.literal("password-set"),
    invitesWithdrawn: z.string(),
    /** Whether the account had none before. */
    isFirst: z.enum(["yes", "no"]).default("no"),
  }),
  z.object({ what: z.literal("signed-in-by-link") }),
  z.object({ what: z.literal("identity-linked") }),
  z.object({
    what: z.literal("mailbox-proven"),
    membersRemoved: z.string(),
    invitesWithdrawn: z.string(),
    passwordRemoved: z.enum(["yes", "no"]),
  }),
  z.object({ what: z.literal("role-changed"), company: z.string(), role }),
  z.object({ what: z.literal("member-removed"), company: z.string() }),
  z.object({ what: z.literal("member-joined"), company: z.string(), member: z.string(), role }),
]);
export type AccountNotice = z.infer<typeof accountNotice>;

/** Asks for the mail, in the transaction of what it tells. */
export async function notifyOwner(
  trx: Trx,
  owner: { userId: UserId; email: string },
  notice: AccountNotice,
): Promise<void> {
  await queueMail(trx, {
    kind: "account-notice",
    dedupeKey: `account-notice:${newId()}`,
    recipient: owner.email,
    userId: owner.userId,
    data: notice,
  });
}
