/** Actions on work items that are not orders. */
import { dismissWorkItem } from "#db/desk/work-queue.ts";
import { acknowledgeByStaff } from "#server/billing/reconciliation/reconcile.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { editorRoles, moneyRoles } from "../roles.ts";
import { notWaiting } from "../work-queue.ts";
import { defineAction, nothing } from "./action.ts";
import { differenceSubject, itemSubject } from "./subjects.ts";

export const dismissWorkItemAction = defineAction({
  label: "Mark as resolved",
  explains: "Removes this from Needs attention because it's done or needs no action.",
  subject: itemSubject,
  roles: editorRoles,
  needsStepUp: false,
  reason: { label: "What was done", hint: "Kept in the audit log." },
  asks: nothing,
  whyNot: ({ lasts }) => (lasts ? null : "This leaves the list automatically once it's fixed."),
  async perform({ db }, { kind, key, lasts }, _value, { staffId, by, reason }) {
    if (!lasts) throw notWaiting();
    await db.transaction().execute(async (trx) => {
      await dismissWorkItem(trx, { kind, key });
      await recordAudit(trx, {
        userId: null,
        staffId,
        action: "item.done",
        subject: `item:${kind}:${key}`,
        data: { reason, by },
      });
    });
    return { said: "Marked as resolved." };
  },
});

export const acknowledgeDiscrepancyAction = defineAction({
  label: "Acknowledge discrepancy",
  explains: "Removes a discrepancy that needs no correction. It comes back if its amount changes.",
  subject: differenceSubject,
  roles: moneyRoles,
  needsStepUp: true,
  asks: nothing,
  async perform({ db }, { key }, _value, { staffId, by, reason }) {
    if (!(await acknowledgeByStaff({ db }, key, { because: reason, by, staffId, now: new Date() })))
      throw notWaiting();
    return { said: "Discrepancy acknowledged." };
  },
});
