/** Acts on a cancellation that its vendor neither makes nor refuses: the same decisions as those of the operator's command. */
import type { Decision } from "#db/cancellations.ts";
import { decideCancellation, whyNotDecided } from "#server/cancellations/decide.ts";
import { moneyRoles } from "../roles.ts";
import { act, nothing } from "./act.ts";
import { cancellationSubject } from "./subjects.ts";

const decision = (
  decided: Decision["act"],
  words: { label: string; explains: string; reason: { label: string; hint: string }; said: string },
) =>
  act({
    label: words.label,
    explains: words.explains,
    subject: cancellationSubject,
    roles: moneyRoles,
    needsStepUp: true,
    reason: words.reason,
    asks: nothing,
    hindrance: (cancellation) => whyNotDecided(cancellation, decided),
    async perform({ db }, { id }, _value, { by, staffId, reason }) {
      await decideCancellation(db, id, { act: decided, reason }, { by, staffId });
      return { said: words.said };
    },
  });

export const refuseCancellation = decision("refuse", {
  label: "Refuse the cancellation",
  explains:
    "The subscription stays as it is, and nothing comes back. Should the vendor turn out to have made the change, it is finished instead.",
  reason: { label: "Reason", hint: "The buyer reads it, and it stays in the audit log." },
  said: "The cancellation is being refused.",
});

export const finishCancellation = decision("finish", {
  label: "Finish the cancellation",
  explains:
    "For a change that was seen at the vendor, although the vendor does not say so to the store: the subscription ends or shrinks here, and the money goes back.",
  reason: { label: "What was seen at the vendor", hint: "Stays in the audit log." },
  said: "The cancellation is being finished.",
});
