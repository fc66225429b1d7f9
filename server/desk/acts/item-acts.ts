/** Acts on what needs a person and is not an order. */
import { putAway } from "#db/waiting.ts";
import { record } from "#server/accounts/audit.ts";
import { acknowledge } from "#server/reconciliation/reconcile.ts";
import { actingRoles, moneyRoles } from "../roles.ts";
import { notWaiting } from "../waiting.ts";
import { act, nothing } from "./act.ts";
import { differenceSubject, itemSubject } from "./subjects.ts";

export const itemDone = act({
  label: "Put away",
  explains: "Takes this off the list of what needs a person, because it is done or needs nothing.",
  subject: itemSubject,
  roles: actingRoles,
  needsStepUp: false,
  reason: { label: "What was done", hint: "Stays in the audit log." },
  asks: nothing,
  hindrance: ({ lasts }) => (lasts ? null : "This leaves the list by itself once it is put right."),
  async perform({ db }, { kind, key, lasts }, _value, { staffId, by, reason }) {
    if (!lasts) throw notWaiting();
    await db.transaction().execute(async (trx) => {
      await putAway(trx, { kind, key });
      await record(trx, {
        userId: null,
        staffId,
        action: "item.done",
        subject: `item:${kind}:${key}`,
        data: { reason, by },
      });
    });
    return { said: "It is off the list." };
  },
});

export const acknowledgeDifferenceAct = act({
  label: "Acknowledge a difference",
  explains:
    "Takes a difference of the books off the list, because it is right as it is. It comes back if its amount changes.",
  subject: differenceSubject,
  roles: moneyRoles,
  needsStepUp: true,
  asks: nothing,
  async perform({ db }, { key }, _value, { staffId, by, reason }) {
    if (!(await acknowledge({ db }, key, { because: reason, by, staffId, now: new Date() })))
      throw notWaiting();
    return { said: "The difference is acknowledged." };
  },
});
