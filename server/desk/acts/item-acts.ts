/** Acts on what needs a person and is not an order. */
import { putAway } from "#db/waiting.ts";
import { record } from "#server/accounts/audit.ts";
import { lookAtVendor } from "#server/fulfilment/pause.ts";
import { acknowledge } from "#server/reconciliation/reconcile.ts";
import { actingRoles, moneyRoles } from "../roles.ts";
import { notWaiting } from "../waiting.ts";
import { act, nothing } from "./act.ts";
import { differenceSubject, itemSubject, vendorSubject } from "./subjects.ts";

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
      await putAway(trx, { kind, key }, new Date());
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

export const lookAtVendorAct = act({
  label: "Look now",
  explains:
    "Asks the vendor at once whether it takes orders again, instead of in a few minutes. When it does, the orders that wait go on by themselves.",
  subject: vendorSubject,
  roles: actingRoles,
  needsStepUp: false,
  reason: { label: "What was put right", hint: "Stays in the audit log." },
  asks: nothing,
  async perform({ db }, { account }, _value, performer) {
    if (!(await lookAtVendor(db, account, performer))) throw notWaiting();
    return { said: "The vendor is being asked." };
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
