/** Questions that choose a Google plan: current mail, storage per person, and retention. */
import { msg } from "#server/foundation/languages/text.ts";
import { type AdvisorAnswer, type AdvisorQuestions, noRequirement } from "../plan-advisor.ts";

/** Answer about storage for a person's files and mail. @param gigabytes minimum */
function room(id: string, text: AdvisorAnswer["text"], gigabytes: number, amount: string): AdvisorAnswer {
  return {
    id,
    text,
    reasons: [msg("compare.roomReason", { amount })],
    fits: ({ storage }) => storage !== null && storage >= gigabytes,
  };
}

export const choosing: AdvisorQuestions = [
  {
    id: "mail",
    text: msg("compare.mail"),
    answers: [
      {
        id: "here",
        text: msg("compare.mailHere"),
        reasons: [msg("compare.mailReason")],
        fits: ({ mailbox }) => mailbox !== null,
      },
      noRequirement("elsewhere", msg("compare.mailElsewhere")),
    ],
  },
  {
    id: "room",
    text: msg("compare.room"),
    answers: [
      room("small", msg("compare.roomSmall"), 30, "30 GB"),
      room("medium", msg("compare.roomMedium"), 1000, "1 TB"),
      room("large", msg("compare.roomLarge"), 2000, "2 TB"),
      room("huge", msg("compare.roomHuge"), 5000, "5 TB"),
    ],
  },
  {
    id: "after",
    text: msg("compare.after"),
    answers: [
      noRequirement("nothing", msg("compare.afterNothing")),
      {
        id: "recordings",
        text: msg("compare.afterRecordings"),
        reasons: [msg("compare.recordingsReason")],
        fits: (facts) => facts.meetings?.also === "recordings",
      },
      {
        id: "records",
        text: msg("compare.afterRecords"),
        reasons: [msg("compare.recordsReason")],
        fits: ({ security }) => security.includes("records"),
      },
    ],
  },
];
