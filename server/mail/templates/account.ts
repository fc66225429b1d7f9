import type { MemberRole } from "#db/tables/enums.ts";
import type { MemberInvite } from "#server/accounts/invites.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { exportDays } from "#server/privacy/export.ts";
import type { MailContent } from "../layout.ts";
import { safeName } from "../safe-name.ts";
import { sharedTextsIn, store } from "./shared.ts";

export function accountTemplatesIn(language: LanguageId) {
  const { text } = sharedTextsIn(language);
  return {
    setPassword: ({ link }: { link: string }): MailContent => ({
      subject: text("mail.setPasswordSubject", { store }),
      preheader: text("mail.setPasswordPreheader"),
      paragraphs: [text("mail.accountMade"), text("mail.setPasswordOnce")],
      button: { label: text("mail.setPassword"), link },
      afterwards: [text("mail.notYourOrder")],
    }),

    resetPassword: ({ link }: { link: string }): MailContent => ({
      subject: text("mail.resetSubject", { store }),
      preheader: text("mail.resetPreheader"),
      paragraphs: [text("mail.resetAsked")],
      button: { label: text("mail.newPassword"), link },
      afterwards: [text("mail.resetNotYou")],
    }),

    confirmEmail: ({ link }: { link: string }): MailContent => ({
      subject: text("mail.confirmSubject", { store }),
      preheader: text("mail.confirmPreheader"),
      paragraphs: [text("mail.confirmHow"), text("mail.confirmSignsOut")],
      button: { label: text("mail.confirmEmail"), link },
      afterwards: [text("mail.confirmNotYou")],
    }),

    storeViewed: ({
      when,
      reason,
      company,
    }: {
      when: string;
      reason: string;
      company: string;
    }): MailContent => ({
      subject: text("mail.viewedSubject", { store }),
      preheader: text("mail.viewedPreheader"),
      paragraphs: [
        text("mail.viewed", { when, company: safeName(company) ?? text("mail.companyHere", { store }) }),
        text("mail.viewedWhy", { reason }),
        text("mail.viewedLimits"),
        text("mail.viewedNotExpected"),
      ],
    }),

    dataExport: ({ whose, until, link }: { whose: string; until: string; link: string }): MailContent => ({
      subject: text("myData.exportSubject"),
      preheader: text("myData.exportPreheader", { days: exportDays }),
      paragraphs: [text("myData.exportMail", { whose, date: until })],
      button: { label: text("myData.openMyData"), link },
      afterwards: [text("myData.exportNotYou")],
    }),

    deletionAsked: ({ due, link }: { due: string; link: string }): MailContent => ({
      subject: text("myData.deletionSubject", { store }),
      preheader: text("myData.deletionPreheader", { date: due }),
      paragraphs: [text("myData.deletionMail", { date: due })],
      button: { label: text("myData.keep"), link },
      afterwards: [text("myData.deletionNotYou")],
    }),

    deletionStopped: ({ link }: { link: string }): MailContent => ({
      subject: text("myData.stoppedSubject", { store }),
      preheader: text("myData.stoppedPreheader"),
      paragraphs: [text("myData.stoppedMail")],
      button: { label: text("myData.openMyData"), link },
    }),

    identityCode: ({
      code,
      minutes,
      provider,
    }: {
      code: string;
      minutes: number;
      provider: string;
    }): MailContent => {
      const spaced = `${code.slice(0, 4)} ${code.slice(4)}`;
      return {
        subject: text("mail.codeSubject", { provider }),
        preheader: text("mail.codePreheader", { minutes }),
        paragraphs: [
          text("mail.code", { code: spaced, minutes }),
          text("mail.codeWhy", { provider }),
          text("mail.codeNotYou"),
        ],
        amount: { label: text("mail.codeLabel"), value: spaced },
      };
    },

    accountCode: ({ code, minutes }: { code: string; minutes: number }): MailContent => ({
      subject: text("mail.accountCodeSubject", { store }),
      preheader: text("mail.codePreheader", { minutes }),
      paragraphs: [text("mail.accountCode", { code, minutes }), text("mail.accountCodeNotYou")],
      amount: { label: text("mail.codeLabel"), value: code },
    }),

    memberInvite: ({ invite, link }: { invite: MemberInvite; link: string }): MailContent => ({
      subject: text("mail.inviteSubject", { store }),
      preheader: text("mail.invitePreheader"),
      paragraphs: [invitation(invite, text)],
      button: { label: text("mail.answerInvite"), link },
      afterwards: [text("mail.inviteOnce")],
    }),
  } as const;
}

function invitation(
  { inviter: typed, inviterEmail: email, company: called, role }: MemberInvite,
  text: Translate,
): string {
  const name = safeName(typed);
  const company = safeName(called);
  const named = name === null ? email : `${name} (${email})`;
  const values = {
    inviter: (email === null ? name : named) ?? text("mail.somebody"),
    company: company === null ? text("mail.theirCompany") : `“${company}”`,
  };
  return text(inviteKeys[role], values);
}

const inviteKeys = {
  owner: "mail.inviteAsOwner",
  buyer: "mail.inviteAsBuyer",
  approver: "mail.inviteAsApprover",
  viewer: "mail.inviteAsViewer",
} as const satisfies Record<MemberRole, string>;
