/** The texts of mails about an account: what happened and when, and what to do if it was not the reader. */
import type { MemberRole } from "#db/tables/enums.ts";
import type { AccountNotice } from "#server/accounts/notices.ts";
import { brand } from "#server/brand.ts";
import { unreachable } from "#server/errors.ts";
import { plainName } from "./plain-name.ts";
import { letter, type MailText } from "./templates.ts";

export interface AccountNoticeFacts {
  notice: AccountNotice;
  /** Day and time in the reader's zone. */
  when: string;
  /** The link to reset the password. */
  resetLink: string;
}

export function accountNoticeMail({ notice, when, resetLink }: AccountNoticeFacts): MailText {
  const { subject, happened, isAboutAccess } = wordsOf(notice, when);
  return letter({
    subject,
    paragraphs: [
      ...happened,
      isAboutAccess
        ? "If this was you, there is nothing to do. If it was not, reset your password now: that signs everybody out. Then write to us."
        : "If you did not expect this, ask an owner of the company, or write to us.",
    ],
    ...(isAboutAccess && { action: { label: "Reset your password", link: resetLink } }),
  });
}

interface Words {
  subject: string;
  happened: string[];
  /** True when it is about logging in, false when it is about a company. */
  isAboutAccess: boolean;
}

function wordsOf(notice: AccountNotice, when: string): Words {
  const account = `your ${brand.name} account`;
  switch (notice.what) {
    case "password-set":
      return {
        subject:
          notice.isFirst === "yes"
            ? `Your ${brand.name} account has a password now`
            : `The password of ${account} was changed`,
        happened: [
          `${notice.isFirst === "yes" ? "A" : "A new"} password was set for ${account} on ${when}. Every other sign-in has ended, and links to your account that were mailed before no longer work.`,
          ...takenBack(notice.invitesWithdrawn),
        ],
        isAboutAccess: true,
      };
    case "signed-in-by-link":
      return {
        subject: `A link signed you in to ${account}`,
        happened: [`The link to your order that we mailed you was used to sign in on ${when}.`],
        isAboutAccess: true,
      };
    case "identity-linked":
      return {
        subject: `Outlook now opens ${account}`,
        happened: [
          `An Outlook sign-in was connected with ${account} on ${when}. It opens the account from now on.`,
        ],
        isAboutAccess: true,
      };
    case "mailbox-proven":
      return {
        subject: `The email of ${account} is confirmed`,
        happened: [
          `This email was confirmed as yours on ${when}. Until then somebody else could have used the account, so we have ended what was set up in it before.`,
          ...(notice.passwordRemoved === "yes"
            ? ["The password that was set before no longer works. Reset it to choose a new one."]
            : []),
          ...(notice.membersRemoved === ""
            ? []
            : [`No longer members of your company: ${notice.membersRemoved}. Invite those you know again.`]),
          ...takenBack(notice.invitesWithdrawn),
        ],
        isAboutAccess: true,
      };
    case "role-changed": {
      const company = companyOf(notice.company);
      return {
        subject: "Your role in a company was changed",
        happened: [`On ${when} an owner of ${company} made you ${article(notice.role)}.`],
        isAboutAccess: false,
      };
    }
    case "member-joined": {
      const company = companyOf(notice.company);
      return {
        subject: "Your invitation was accepted",
        happened: [
          `On ${when} ${notice.member} joined ${company}, as ${article(notice.role)}.`,
          "Under Members an owner changes what a member may do, or removes them.",
        ],
        isAboutAccess: false,
      };
    }
    case "member-removed":
      return {
        subject: "You are no longer a member of a company",
        happened: [
          `On ${when} you were removed from ${companyOf(notice.company)}. You no longer see its subscriptions and orders. Your own account stays.`,
        ],
        isAboutAccess: false,
      };
    default:
      return unreachable(notice);
  }
}

function takenBack(emails: string): string[] {
  return emails === ""
    ? []
    : [`Open invitations were taken back: ${emails}. Send them again if you want to.`];
}

function article(role: MemberRole): string {
  return `${role === "owner" ? "an" : "a"} ${role}`;
}

function companyOf(name: string): string {
  const shown = plainName(name);
  return shown === null ? `a company at ${brand.name}` : `“${shown}”`;
}
