/**
 * Mails about an account to its owner: a new password, a sign-in, a role, a member who accepted their invitation. An intruder who
 * locks the owner out cannot suppress them. The texts are in server/mail/account-notification-mail.ts.
 */
import { z } from "zod";
import { newId, type UserId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { storedIdentityProvider } from "#server/integrations/identity-providers/registry.ts";
import { memberRoles } from "./roles.ts";

const role = z.enum(memberRoles);

/** Reported event. Lists of emails are joined with commas, because a mail's data holds only strings. */
export const accountNotice = z.discriminatedUnion("what", [
  z.object({
    what: z.literal("password-set"),
    invitesWithdrawn: z.string(),
    /** "yes" when the account had no password before. */
    isFirst: z.enum(["yes", "no"]).default("no"),
  }),
  z.object({ what: z.literal("signed-in-by-link") }),
  z.object({
    what: z.literal("identity-linked"),
    provider: z.string().default("").transform(storedIdentityProvider),
  }),
  z.object({
    what: z.literal("identity-unlinked"),
    provider: z.string().transform(storedIdentityProvider),
  }),
  z.object({ what: z.literal("second-factor-on") }),
  z.object({ what: z.literal("second-factor-off") }),
  /** Done by staff. */
  z.object({ what: z.literal("second-factor-removed") }),
  /** These three are done by staff, too. */
  z.object({ what: z.literal("sessions-ended") }),
  z.object({ what: z.literal("account-locked") }),
  z.object({ what: z.literal("account-unlocked") }),
  /** An empty text is unknown. */
  z.object({
    what: z.literal("new-device"),
    browser: z.string(),
    system: z.string(),
    network: z.string(),
    country: z.string(),
  }),
  z.object({ what: z.literal("passkey-added"), name: z.string() }),
  z.object({ what: z.literal("passkey-removed"), name: z.string() }),
  z.object({ what: z.literal("second-factor-required"), company: z.string() }),
  z.object({ what: z.literal("second-factor-optional"), company: z.string() }),
  z.object({ what: z.literal("recovery-codes-renewed") }),
  z.object({ what: z.literal("recovery-code-used") }),
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

/** Queues the mail. Pass the transaction of the reported change. */
export async function notifyOwner(
  trx: Trx,
  owner: { userId: UserId; email: string },
  notice: AccountNotice,
): Promise<void> {
  await queueOwnMail(trx, {
    kind: "account-notice",
    dedupeKey: `account-notice:${newId()}`,
    userId: owner.userId,
    data: notice,
  });
}
