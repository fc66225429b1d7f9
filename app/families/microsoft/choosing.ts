/** Questions that choose a Microsoft plan: where documents are edited, how people talk, and what must be protected. */
import { msg } from "#server/foundation/languages/text.ts";
import { type AdvisorQuestions, noRequirement } from "../plan-advisor.ts";

const mail = msg("compare.mailReason");
const meetings = msg("compare.meetingsReason");

export const choosing: AdvisorQuestions = [
  {
    id: "documents",
    text: msg("compare.documents"),
    answers: [
      {
        id: "desktop",
        text: msg("compare.documentsDesktop"),
        reasons: [msg("compare.desktopReason")],
        fits: ({ desktopApps }) => desktopApps > 0,
      },
      {
        id: "browser",
        text: msg("compare.documentsBrowser"),
        reasons: [msg("compare.browserReason")],
        fits: ({ webApps }) => webApps,
      },
      noRequirement("none", msg("compare.documentsNone")),
    ],
  },
  {
    id: "talking",
    text: msg("compare.talking"),
    answers: [
      {
        id: "both",
        text: msg("compare.talkingBoth"),
        reasons: [mail, meetings],
        fits: (facts) => facts.mailbox !== null && facts.meetings !== null,
      },
      {
        id: "mail",
        text: msg("compare.talkingMail"),
        reasons: [mail],
        fits: ({ mailbox }) => mailbox !== null,
      },
      {
        id: "meetings",
        text: msg("compare.talkingMeetings"),
        reasons: [meetings],
        fits: (facts) => facts.meetings !== null,
      },
      noRequirement("none", msg("compare.talkingNone")),
    ],
  },
  {
    id: "protection",
    text: msg("compare.protection"),
    answers: [
      noRequirement("usual", msg("compare.protectionUsual")),
      {
        id: "devices",
        text: msg("compare.protectionDevices"),
        reasons: [msg("compare.devicesReason")],
        fits: ({ security }) => security.includes("deviceProtection"),
      },
    ],
  },
];
