/** Actions on an order; they call the same functions as the operator's commands. */
import { z } from "zod";
import { type EInvoice, listEInvoicesOf } from "#db/billing/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { LoggedMail } from "#db/mail/mails.ts";
import type { Db } from "#db/tables/index.ts";
import {
  cancelReasons,
  requestRegistrationCancellation,
} from "#server/billing/documents/cancel-registration.ts";
import { retryDocument } from "#server/billing/documents/registration-queue.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { closeRefundedOrder, retryFulfilment, whyNotClosed } from "#server/fulfilment/attention.ts";
import { isFullyReturned } from "#server/orders/payment-state.ts";
import { mailKindLabels, mailStateLabels, registeredDocumentLabels } from "../labels.ts";
import { isResent, readMailLog, resendMail, resumeMailFor, sendResumeMail } from "../mail-log.ts";
import { editorRoles, moneyRoles } from "../roles.ts";
import { defineAction, nothing } from "./action.ts";
import { orderSubject } from "./subjects.ts";

export const retryOrder = defineAction({
  label: "Try again now",
  explains:
    "Restarts the order from the step that failed, with a new set of tries. Completed steps aren't repeated.",
  subject: orderSubject,
  roles: editorRoles,
  needsStepUp: false,
  reason: { label: "What you fixed", hint: "Kept in the audit log." },
  asks: nothing,
  whyNot: (order) =>
    order.fulfilmentStatus !== "needs_attention"
      ? "This order hasn't stopped."
      : isFullyReturned(order)
        ? "This order was refunded, so nothing can be bought for it."
        : null,
  async perform({ db }, order, _value, actor) {
    await retryFulfilment(db, order.id, actor);
    return { said: "Order restarted." };
  },
});

export const closeOrder = defineAction({
  label: "Close",
  explains:
    "For an order refunded while in progress, once you've checked that the vendor has nothing left for it. Nothing more will be bought.",
  subject: orderSubject,
  roles: editorRoles,
  needsStepUp: false,
  reason: { label: "What you saw at the vendor", hint: "Kept in the audit log." },
  asks: nothing,
  whyNot: whyNotClosed,
  async perform({ db }, order, _value, actor) {
    await closeRefundedOrder(db, order.id, actor);
    return { said: "Order closed." };
  },
});

export const addOrderNoteAction = defineAction({
  label: "Add note",
  explains: "Adds a note to the order timeline. Customers can't see it.",
  subject: orderSubject,
  roles: editorRoles,
  needsStepUp: false,
  reason: { label: "Note", hint: "Visible to staff in the order timeline. It can't be edited later." },
  asks: nothing,
  async perform({ db }, { id }, _value, { staffId, by, reason }) {
    await recordAudit(db, {
      userId: null,
      staffId,
      action: "order.note",
      subject: `order:${id}`,
      data: { reason, by },
    });
    return { said: "Note added." };
  },
});

/** Lists an order's mails that may be sent again, newest first. */
async function resendable(db: Db, orderId: OrderId): Promise<LoggedMail[]> {
  const { rows } = await readMailLog(db, { orderId, limit: 100 });
  return rows.filter(({ kind, state }) => state !== "waiting" && isResent(kind));
}

export const resendOrderMailAction = defineAction({
  label: "Resend an email",
  explains: "Resends an email about this order to the same address, with new links.",
  subject: orderSubject,
  roles: editorRoles,
  needsStepUp: false,
  asks: z.object({ mail: z.string("Choose an email.").min(1, "Choose an email.") }),
  fields: async ({ id }, { db }) => [
    {
      name: "mail",
      label: "Email",
      kind: "choice",
      options: (await resendable(db, id)).map((mail) => ({
        value: mail.id,
        label: `${mailKindLabels[mail.kind]} to ${mail.recipient}, ${mail.createdAt.toISOString().slice(0, 10)}, ${mailStateLabels[mail.state].toLowerCase()}`,
      })),
    },
  ],
  whyNot: async ({ id }, { db }) =>
    (await resendable(db, id)).length > 0 ? null : "No emails were sent for this order.",
  async perform({ db }, { id }, { mail }, actor) {
    const found = (await resendable(db, id)).find((each) => each.id === mail);
    if (found === undefined) throw wrongField("mail", "That email can't be resent for this order.");
    await resendMail(db, found.id, actor);
    return { said: "Email queued to resend." };
  },
});

export const sendLinkAct = defineAction({
  label: "Email a link to resume",
  explains: "Emails the buyer a new link to the step where their order is waiting.",
  subject: orderSubject,
  roles: editorRoles,
  needsStepUp: false,
  asks: nothing,
  whyNot(order) {
    const way = resumeMailFor(order);
    return "none" in way ? way.none : null;
  },
  async perform({ db }, { id, account }, _value, actor) {
    await sendResumeMail(db, id, actor);
    return { said: `Link emailed to ${account?.email ?? "the buyer"}.` };
  },
});

const documentChoice = (documents: readonly EInvoice[]) =>
  ({
    name: "document",
    label: "Document",
    kind: "choice",
    options: documents.map(({ number, kind, errorWords }) => ({
      value: number,
      label: [`${number} (${registeredDocumentLabels[kind]})`, errorWords].filter(Boolean).join(": "),
    })),
  }) as const;

const theDocument = z.string("Choose a document.").min(1, "Choose a document.").max(40);
const refused = (documents: readonly EInvoice[]) => documents.filter(({ state }) => state === "failed");
const registered = (documents: readonly EInvoice[]) => documents.filter(({ state }) => state === "final");

function requireAmong(documents: readonly EInvoice[], number: string): void {
  if (!documents.some((document) => document.number === number))
    throw wrongField("document", "That document isn't for this order.");
}

export const retryDocumentAct = defineAction({
  label: "Register a document again",
  explains: "Resubmits a rejected document to the e-invoice portal. Fix what the portal rejected first.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: false,
  reason: { label: "What you fixed", hint: "Kept in the audit log." },
  asks: z.object({ document: theDocument }),
  fields: async ({ id }, { db }) => [documentChoice(refused(await listEInvoicesOf(db, id)))],
  whyNot: async ({ id }, { db }) =>
    refused(await listEInvoicesOf(db, id)).length > 0
      ? null
      : "The portal hasn't rejected any documents for this order.",
  async perform({ db }, { id }, { document }, actor) {
    requireAmong(await listEInvoicesOf(db, id), document);
    await retryDocument(db, document, actor);
    return { said: `${document} will be registered.` };
  },
});

export const cancelRegistrationAction = defineAction({
  label: "Cancel a registered document",
  explains: "Cancels a document at the e-invoice portal, within 24 hours of its registration.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: {
    label: "Reason",
    hint: "Up to 100 characters. Sent to the portal and kept in the audit log.",
  },
  asks: z.object({
    document: theDocument,
    cause: z.enum(["1", "2", "3", "4"], "Choose a reason."),
  }),
  fields: async ({ id }, { db }) => [
    documentChoice(registered(await listEInvoicesOf(db, id))),
    {
      name: "cause",
      label: "Reason code",
      kind: "choice",
      options: Object.entries(cancelReasons).map(([value, label]) => ({ value, label })),
    },
  ],
  whyNot: async ({ id }, { db }) =>
    registered(await listEInvoicesOf(db, id)).length > 0 ? null : "No document of this order is registered.",
  async perform({ db }, { id }, { document, cause }, { staffId, by, reason }) {
    requireAmong(await listEInvoicesOf(db, id), document);
    if (reason.length > 100) throw wrongField("reason", "Use 100 characters or fewer.");
    await requestRegistrationCancellation(db, document, {
      code: cause,
      words: reason,
      by,
      staffId,
      now: new Date(),
    });
    return { said: `${document} will be cancelled.` };
  },
});
