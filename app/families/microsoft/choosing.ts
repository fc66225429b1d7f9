/** Which Microsoft plan: by where documents are written, how people talk, and what must be protected. */
import { told } from "#server/languages/text.ts";
import { type Choosing, nothing } from "../choosing.ts";

const mail = told("compare.mailReason");
const meetings = told("compare.meetingsReason");

export const choosing: Choosing = [
  {
    id: "documents",
    text: told("compare.documents"),
    answers: [
      {
        id: "desktop",
        text: told("compare.documentsDesktop"),
        reasons: [told("compare.desktopReason")],
        fits: ({ desktopApps }) => desktopApps > 0,
      },
      {
        id: "browser",
        text: told("compare.documentsBrowser"),
        reasons: [told("compare.browserReason")],
        fits: ({ webApps }) => webApps,
      },
      nothing("none", told("compare.documentsNone")),
    ],
  },
  {
    id: "talking",
    text: told("compare.talking"),
    answers: [
      {
        id: "both",
        text: told("compare.talkingBoth"),
        reasons: [mail, meetings],
        fits: (facts) => facts.mailbox !== null && facts.meetings !== null,
      },
      {
        id: "mail",
        text: told("compare.talkingMail"),
        reasons: [mail],
        fits: ({ mailbox }) => mailbox !== null,
      },
      {
        id: "meetings",
        text: told("compare.talkingMeetings"),
        reasons: [meetings],
        fits: (facts) => facts.meetings !== null,
      },
      nothing("none", told("compare.talkingNone")),
    ],
  },
  {
    id: "protection",
    text: told("compare.protection"),
    answers: [
      nothing("usual", told("compare.protectionUsual")),
      {
        id: "devices",
        text: told("compare.protectionDevices"),
        reasons: [told("compare.devicesReason")],
        fits: ({ security }) => security.includes("deviceProtection"),
      },
    ],
  },
];
