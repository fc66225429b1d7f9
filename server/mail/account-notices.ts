/** The texts of mails about an account: what happened and when, and what to do if it was not the reader. */
import type { AccountNotice } from "#server/accounts/notices.ts";
import { withArticle } from "#server/accounts/role-words.ts";
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
  membersLink: string;
}

export function accountNoticeMail({ notice, when, resetLink, membersLink }: AccountNoticeFacts): MailText {
  const { subject, happened, about } = wordsOf(notice, when);
  switch (about) {
    case "access":
      return letter({
        subject,
        paragraphs: [
          ...happened,
          "If this was you, there is nothing to do. If it was not, reset your password now: that signs everybody out. Then write to us.",
        ],
        action: { label: "Reset your password", link: resetLink },
      });
    case "own-place":
      return letter({
        subject,
        paragraphs: [...happened, "If you did not expect this, ask an owner of the company, or write to us."],
      });
    case "new-member":
      return letter({
        subject,
        paragraphs: [
          ...happened,
          "You can change their role or remove them under Members. If you did not expect this, remove them and write to us.",
        ],
        action: { label: "Members", link: membersLink },
      });
    default:
      return unreachable(about);
  }
}

interface Words {
  subject: string;
  happened: string[];
  /** Logging in, the reader's own place in a company, or somebody who has joined the reader's company. */
  about: "access" | "own-place" | "new-member";
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
          `${notice.isFirst === "yes" ? "A" : "A new"} password was set for ${account} on ${when}. Every other sign-in has ended, and links to your account that were emailed before no longer work.`,
          ...takenBack(notice.invitesWithdrawn),
        ],
        about: "access",
      };
    case "signed-in-by-link":
      return {
        subject: `A link signed you in to ${account}`,
        happened: [`The link to your order that we emailed you was used to sign in on ${when}.`],
        about: "access",
      };
    case "identity-linked":
      return {
        subject: `Outlook now opens ${account}`,
        happened: [
          `An Outlook sign-in was connected with ${account} on ${when}. It opens the account from now on.`,
        ],
        about: "access",
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
        about: "access",
      };
    case "role-changed": {
      const company = companyOf(notice.company);
      return {
        subject: "Your role in a company was changed",
        happened: [`On ${when} an owner of ${company} made you ${withArticle(notice.role)}.`],
        about: "own-place",
      };
    }
    case "member-joined": {
      const company = companyOf(notice.company);
      return {
        subject: "A new member joined your company",
        happened: [`On ${when} ${notice.member} joined ${company}, as ${withArticle(notice.role)}.`],
        about: "new-member",
      };
    }
    case "member-removed":
      return {
        subject: "You are no longer a member of a company",
        happened: [
          `On ${when} you were removed from ${companyOf(notice.company)}. You no longer see its subscriptions and orders. Your own account stays.`,
        ],
        about: "own-place",
      };
    default:
      return unreachable(notice);
  }
}

function takenBack(emails: string): string[] {
  return emails === "" ? [] : [`Open invitations were withdrawn: ${emails}. Send them again if you want to.`];
}

function companyOf(name: string): string {
  const shown = plainName(name);
  return shown === null ? `a company at ${brand.name}` : `“${shown}”`;
}
