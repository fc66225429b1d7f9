/** The texts of mails about an account: what happened and when, and what to do if it was not the reader. */
import type { MemberRole } from "#db/tables/enums.ts";
import type { AccountNotice } from "#server/accounts/account-notifications.ts";
import { deviceText, locationText } from "#server/accounts/device-text.ts";
import { brand } from "#server/foundation/brand.ts";
import { assertNever } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import type { MailContent } from "./layout.ts";
import { safeName } from "./safe-name.ts";

export interface AccountNotificationFacts {
  notice: AccountNotice;
  /** Day and time in the reader's time zone. */
  when: string;
  /** Link to reset the password. */
  resetLink: string;
  membersLink: string;
  secondFactorLink: string;
}

const store = brand.name;

export function accountNotificationMail(
  { notice, when, resetLink, membersLink, secondFactorLink }: AccountNotificationFacts,
  language: LanguageId,
): MailContent {
  const text = textIn(language);
  const { subject, happened, about } = wordsOf(notice, when, language);
  const preheader = text("mail.noticePreheader");
  switch (about) {
    case "access":
      return {
        subject,
        preheader,
        paragraphs: [...happened, text("mail.noticeAccess")],
        button: { label: text("mail.resetPassword"), link: resetLink },
      };
    case "lock":
      return {
        subject,
        preheader,
        paragraphs: [...happened, text("mail.noticeLock", { email: brand.supportEmail })],
      };
    case "own-place":
      return { subject, preheader, paragraphs: [...happened, text("mail.noticeOwnPlace")] };
    case "to-set-up":
      return {
        subject,
        preheader,
        paragraphs: [...happened, text("mail.noticeOwnPlace")],
        button: { label: text("mail.setUpTwoStep"), link: secondFactorLink },
      };
    case "new-member":
      return {
        subject,
        preheader,
        paragraphs: [...happened, text("mail.noticeNewMember")],
        button: { label: text("mail.members"), link: membersLink },
      };
    default:
      return assertNever(about);
  }
}

interface Words {
  subject: string;
  happened: string[];
  /**
   * Logging in, a lock, the reader's own role in a company, a set-up that the reader has to do, or a new member of the company.
   */
  about: "access" | "lock" | "own-place" | "to-set-up" | "new-member";
}

function wordsOf(notice: AccountNotice, when: string, language: LanguageId): Words {
  const text = textIn(language);
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
    case "identity-linked": {
      const { name: provider } = identityProviders[notice.provider];
      return {
        subject: text("mail.identitySubject", { store, provider }),
        happened: [text("mail.identityLinked", { store, when, provider })],
        about: "access",
      };
    }
    case "identity-unlinked": {
      const { name: provider } = identityProviders[notice.provider];
      return {
        subject: text("mail.identityRemovedSubject", { store, provider }),
        happened: [text("mail.identityRemoved", { store, when, provider })],
        about: "access",
      };
    }
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
    case "sessions-ended":
      return {
        subject: text("mail.sessionsEndedSubject", { store }),
        happened: [text("mail.sessionsEnded", { store, when })],
        about: "access",
      };
    case "account-locked":
      return {
        subject: text("mail.accountLockedSubject", { store }),
        happened: [text("mail.accountLocked", { store, when })],
        about: "lock",
      };
    case "account-unlocked":
      return {
        subject: text("mail.accountUnlockedSubject", { store }),
        happened: [text("mail.accountUnlocked", { store, when })],
        about: "lock",
      };
    case "new-device":
      return {
        subject: text("mail.newDeviceSubject", { store }),
        happened: [
          text("mail.newDevice", {
            store,
            when,
            device: deviceText(text, notice),
            place: locationText(text, language, notice),
          }),
        ],
        about: "access",
      };
    case "passkey-added":
      return {
        subject: text("mail.passkeyAddedSubject", { store }),
        happened: [text("mail.passkeyAdded", { store, when, name: passkeyOf(notice.name, text) })],
        about: "access",
      };
    case "passkey-removed":
      return {
        subject: text("mail.passkeyRemovedSubject", { store }),
        happened: [text("mail.passkeyRemoved", { store, when, name: passkeyOf(notice.name, text) })],
        about: "access",
      };
    case "second-factor-required":
      return {
        subject: text("mail.twoStepRequiredSubject"),
        happened: [text("mail.twoStepRequired", { when, company: companyOf(notice.company, text) })],
        about: "to-set-up",
      };
    case "second-factor-optional":
      return {
        subject: text("mail.twoStepOptionalSubject"),
        happened: [text("mail.twoStepOptional", { when, company: companyOf(notice.company, text) })],
        about: "own-place",
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
      return assertNever(notice);
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

function takenBack(emails: string, text: Translate): string[] {
  return emails === "" ? [] : [text("mail.withdrawn", { emails })];
}

function passkeyOf(name: string, text: Translate): string {
  const shown = safeName(name);
  return shown === null ? text("mail.passkeyUnnamed") : `“${shown}”`;
}

function companyOf(name: string, text: Translate): string {
  const shown = safeName(name);
  return shown === null ? text("mail.companyHere", { store }) : `“${shown}”`;
}
