/** Actions on a cancellation that its vendor neither makes nor refuses: the same decisions as the operator's command. */
import type { Decision } from "#db/billing/cancellations.ts";
import { decideCancellation, whyNotDecided } from "#server/billing/cancellations/decide.ts";
import { moneyRoles } from "../roles.ts";
import { defineAction, nothing } from "./action.ts";
import { cancellationSubject } from "./subjects.ts";

const decision = (
  decided: Decision["act"],
  words: { label: string; explains: string; reason: { label: string; hint: string }; said: string },
) =>
  defineAction({
    label: words.label,
    explains: words.explains,
    subject: cancellationSubject,
    roles: moneyRoles,
    needsStepUp: true,
    reason: words.reason,
    asks: nothing,
    whyNot: (cancellation) => whyNotDecided(cancellation, decided),
    async perform({ db }, { id }, _value, { by, staffId, reason }) {
      await decideCancellation(db, id, { act: decided, reason }, { by, staffId });
      return { said: words.said };
    },
  });

export const refuseCancellation = decision("refuse", {
  label: "Reject cancellation",
  explains:
    "The subscription stays as it is, with no refund. If the vendor has already made the change, the cancellation is completed instead.",
  reason: { label: "Reason", hint: "The buyer sees this. Kept in the audit log." },
  said: "Rejecting the cancellation.",
});

export const finishCancellation = decision("finish", {
  label: "Complete cancellation",
  explains:
    "For a change you can see at the vendor but that the vendor hasn't reported. Ends or reduces the subscription here and refunds the buyer.",
  reason: { label: "What you saw at the vendor", hint: "Kept in the audit log." },
  said: "Completing the cancellation.",
});
