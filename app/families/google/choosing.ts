/** Which Google plan: by where mail is, how much room people need, and what must be kept. */
import { told } from "#server/languages/text.ts";
import { type Answer, type Choosing, nothing } from "../choosing.ts";

/** Room for a person's files and mail. @param gigabytes at least so many */
function room(id: string, text: Answer["text"], gigabytes: number, amount: string): Answer {
  return {
    id,
    text,
    reasons: [told("compare.roomReason", { amount })],
    fits: ({ storage }) => storage !== null && storage >= gigabytes,
  };
}

export const choosing: Choosing = [
  {
    id: "mail",
    text: told("compare.mail"),
    answers: [
      {
        id: "here",
        text: told("compare.mailHere"),
        reasons: [told("compare.mailReason")],
        fits: ({ mailbox }) => mailbox !== null,
      },
      nothing("elsewhere", told("compare.mailElsewhere")),
    ],
  },
  {
    id: "room",
    text: told("compare.room"),
    answers: [
      room("small", told("compare.roomSmall"), 30, "30 GB"),
      room("medium", told("compare.roomMedium"), 1000, "1 TB"),
      room("large", told("compare.roomLarge"), 2000, "2 TB"),
      room("huge", told("compare.roomHuge"), 5000, "5 TB"),
    ],
  },
  {
    id: "after",
    text: told("compare.after"),
    answers: [
      nothing("nothing", told("compare.afterNothing")),
      {
        id: "recordings",
        text: told("compare.afterRecordings"),
        reasons: [told("compare.recordingsReason")],
        fits: (facts) => facts.meetings?.also === "recordings",
      },
      {
        id: "records",
        text: told("compare.afterRecords"),
        reasons: [told("compare.recordsReason")],
        fits: ({ security }) => security.includes("records"),
      },
    ],
  },
];
