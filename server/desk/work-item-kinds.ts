/**
 * Kinds of work items: label, instructions, and the actions that end them. The lists themselves are in db/desk/work-queue.ts, and
 * a kind that is added there has to be named here.
 */
import type { WorkItemKind } from "#db/desk/work-queue.ts";
import { noLongerShownCode } from "#server/integrations/e-invoices.ts";
import type { ActionId } from "./actions/action-ids.ts";

interface KindAct {
  id: ActionId;
  label: string;
  /** Returns its subject's id, as in an address; left out for the item itself. */
  of?: (item: { kind: WorkItemKind; key: string }) => string;
  /** Whether it applies to an item with this text; left out if it applies to every item of the kind. */
  isFor?: (what: string) => boolean;
}

interface Kind {
  /** Label of one item. */
  label: string;
  /** Instructions for ending it, in a sentence. */
  toDo: string;
  /** Actions on the item itself. */
  acts: readonly KindAct[];
  /** Actions on its order that may end it. */
  orderActs: readonly ActionId[];
  /** End without an action, as a sentence; null when only an action ends it. */
  endsItself: string | null;
}

/** Formats an item's kind and key as one text, for an address. */
export const itemName = ({ kind, key }: { kind: WorkItemKind; key: string }): string => `${kind} ${key}`;

const putAway: KindAct = { id: "item.done", label: "Mark as resolved" };
const ofKey = ({ key }: { key: string }) => key;
const isNoLongerShown = (what: string) => what.startsWith(`${noLongerShownCode}:`);

/** tests/unit/desk/work-item-actions.test.ts fails for a kind that nothing ends. */
export const workItemKindDetails: Readonly<Record<WorkItemKind, Kind>> = {
  "stopped-order": {
    label: "Order stopped",
    toDo: "Fix what stopped it and try again, mark it as done, or refund it.",
    acts: [],
    orderActs: [
      "order.retry",
      "order.address",
      "order.contact",
      "order.tenant-name",
      "order.username",
      "order.move",
      "order.mark-done",
      "order.refund",
    ],
    endsItself: null,
  },
  "given-back": {
    label: "Refunded part-way through",
    toDo: "The order was refunded. Check what the vendor has for it, cancel that there, then close it.",
    acts: [],
    orderActs: ["order.close"],
    endsItself: null,
  },
  cancellation: {
    label: "Cancellation stuck",
    toDo: "It keeps retrying. Ask the vendor why it isn't done, then reject or complete it.",
    acts: [
      { id: "cancellation.refuse", label: "Reject", of: ofKey },
      { id: "cancellation.finish", label: "Complete", of: ofKey },
    ],
    orderActs: [],
    endsItself: "The vendor makes the change or reports it.",
  },
  payment: {
    label: "Unused payment",
    toDo: "Refund it: no order uses this payment.",
    acts: [],
    orderActs: ["order.refund"],
    endsItself: null,
  },
  refund: {
    label: "Refund failed",
    toDo: "Retry the refund, or pay by bank transfer and mark this as resolved.",
    acts: [putAway],
    orderActs: ["order.refund"],
    endsItself: null,
  },
  dispute: {
    label: "Dispute",
    toDo: "Respond in the payment provider's dashboard by the due date.",
    acts: [],
    orderActs: [],
    endsItself: "The bank decides, and the payment provider reports it.",
  },
  event: {
    label: "Payment event not used",
    toDo: "Find the payment in the payment provider's dashboard. Correct the order if it is ours, then mark this as resolved.",
    acts: [putAway],
    orderActs: [],
    endsItself: "The payment is settled, and the event is used.",
  },
  document: {
    label: "E-invoice rejected",
    toDo: "Correct what the portal rejected. Register it again unchanged only if the portal was wrong. Enter the registration that the portal no longer shows.",
    acts: [
      {
        id: "document.correct",
        label: "Correct and register",
        of: ofKey,
        isFor: (what) => !isNoLongerShown(what),
      },
      { id: "document.enter", label: "Enter registration", of: ofKey, isFor: isNoLongerShown },
    ],
    orderActs: ["document.retry"],
    endsItself: null,
  },
  "vendor-pause": {
    label: "Vendor paused",
    toDo: "Renew consent or credit with the vendor. Orders then continue automatically.",
    acts: [{ id: "vendor.probe", label: "Check again now", of: ofKey }],
    orderActs: [],
    endsItself: "The vendor accepts an order again.",
  },
  "password-mail": {
    label: "Password email not sent",
    toDo: "Call to check the address. If it's right, lift its suppression; if not, mark this as resolved.",
    acts: [{ id: "mail-suppression.lift", label: "Lift the suppression", of: ofKey }, putAway],
    orderActs: [],
    endsItself: null,
  },
  mail: {
    label: "Email rejected",
    toDo: "Get the correct address, resend the email, then mark this as resolved.",
    acts: [{ id: "mail.resend", label: "Resend", of: ofKey }, putAway],
    orderActs: ["order.contact", "order.resend-mail"],
    endsItself: null,
  },
  difference: {
    label: "Discrepancy",
    toDo: "Find out which side is right. Acknowledge it only if no correction is needed.",
    acts: [{ id: "difference.acknowledge", label: "Acknowledge", of: ofKey }],
    orderActs: [],
    endsItself: "Both sides agree.",
  },
};
