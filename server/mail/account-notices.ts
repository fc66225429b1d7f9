/** The texts of mails about an account: what happened and when, and what to do if it was not the reader. */
import type { MemberRole } from "#db/tables/enums.ts";
import type { AccountNotice } from "#server/accounts/notices.ts";
import { brand } from "#server/brand.ts";
import { unreachable } from "#server/errors.ts";
import type { Text } from "#server/languages/messages.ts";
import type { Letter } from "./layout.ts";
import { plainName } from "./plain-name.ts";

export interface AccountNoticeFacts {
  notice: AccountNotice;
  /** Day and time in the reader's zone. */
  when: string;
  /** The link to reset the password. */
  resetLink: string;
  membersLink: string;
}

const store = brand.name;

export function accountNoticeMail(
  { notice, when, resetLink, membersLink }: AccountNoticeFacts,
  text: Text,
): Letter {
  const { subject, happened, about } = wordsOf(notice, when, text);
  const preheader = text("mail.noticePreheader");
  switch (about) {
    case "access":
      return {
        subject,
        preheader,
        paragraphs: [...happened, text("mail.noticeAccess")],
        button: { label: text("mail.resetPassword"), link: resetLink },
      };
    case "own-place":
      return { subject, preheader, paragraphs: [...happened, text("mail.noticeOwnPlace")] };
    case "new-member":
      return {
        subject,
        preheader,
        paragraphs: [...happened, text("mail.noticeNewMember")],
        button: { label: text("mail.members"), link: membersLink },
      };
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

function wordsOf(notice: AccountNotice, when: string, text: Text): Words {
  switch (notice.what) {
    case "password-set": {
      const isFirst = notice.isFirst === "yes";
      return {
        subject: text(isFirst ? "mail.passwordFirstSubject" : "mail.passwordAgainSubject", { store }),
        happened: [
          text(isFirst ? "mail.passwordFirst" : "mail.passwordAgain", { store, when }),
          ...takenBack(notice.invitesWithdrawn, text),
        ],
        about: "access",
      };
    }
    case "signed-in-by-link":
      return {
        subject: text("mail.linkUsedSubject", { store }),
        happened: [text("mail.linkUsed", { when })],
        about: "access",
      };
    case "identity-linked":
      return {
        subject: text("mail.outlookSubject", { store }),
        happened: [text("mail.outlookLinked", { store, when })],
        about: "access",
      };
    case "second-factor-on":
      return {
        subject: text("mail.twoStepOnSubject", { store }),
        happened: [text("mail.twoStepOn", { store, when })],
        about: "access",
      };
    case "second-factor-off":
      return {
        subject: text("mail.twoStepOffSubject", { store }),
        happened: [text("mail.twoStepOff", { store, when })],
        about: "access",
      };
    case "second-factor-removed":
      return {
        subject: text("mail.twoStepOffSubject", { store }),
        happened: [text("mail.twoStepRemoved", { store, when })],
        about: "access",
      };
    case "recovery-codes-renewed":
      return {
        subject: text("mail.codesRenewedSubject", { store }),
        happened: [text("mail.codesRenewed", { store, when })],
        about: "access",
      };
    case "recovery-code-used":
      return {
        subject: text("mail.codeUsedSubject", { store }),
        happened: [text("mail.codeUsed", { store, when })],
        about: "access",
      };
    case "mailbox-proven":
      return {
        subject: text("mail.provenSubject", { store }),
        happened: [
          text("mail.proven", { when }),
          ...(notice.passwordRemoved === "yes" ? [text("mail.provenNoPassword")] : []),
          ...(notice.membersRemoved === ""
            ? []
            : [text("mail.provenMembers", { emails: notice.membersRemoved })]),
          ...takenBack(notice.invitesWithdrawn, text),
        ],
        about: "access",
      };
    case "role-changed": {
      const values = { when, company: companyOf(notice.company, text) };
      return {
        subject: text("mail.roleSubject"),
        happened: [text(roleKeys[notice.role], values)],
        about: "own-place",
      };
    }
    case "member-joined": {
      const values = { when, member: notice.member, company: companyOf(notice.company, text) };
      return {
        subject: text("mail.joinedSubject"),
        happened: [text(joinedKeys[notice.role], values)],
        about: "new-member",
      };
    }
    case "member-removed":
      return {
        subject: text("mail.removedSubject"),
        happened: [text("mail.removed", { when, company: companyOf(notice.company, text) })],
        about: "own-place",
      };
    default:
      return unreachable(notice);
  }
}

const roleKeys = {
  owner: "mail.roleOwner",
  buyer: "mail.roleBuyer",
  approver: "mail.roleApprover",
  viewer: "mail.roleViewer",
} as const satisfies Record<MemberRole, string>;

const joinedKeys = {
  owner: "mail.joinedOwner",
  buyer: "mail.joinedBuyer",
  approver: "mail.joinedApprover",
  viewer: "mail.joinedViewer",
} as const satisfies Record<MemberRole, string>;

function takenBack(emails: string, text: Text): string[] {
  return emails === "" ? [] : [text("mail.withdrawn", { emails })];
}

function companyOf(name: string, text: Text): string {
  const shown = plainName(name);
  return shown === null ? text("mail.companyHere", { store }) : `“${shown}”`;
}
