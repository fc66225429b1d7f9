/** Acts on an order: the same functions that the operator's commands call. */
import { z } from "zod";
import { type EInvoice, listEInvoicesOf } from "#db/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { LoggedMail } from "#db/mails.ts";
import { money } from "#db/money.ts";
import { listReceivedFor, type Received } from "#db/refunds.ts";
import type { Db } from "#db/tables/index.ts";
import { record } from "#server/accounts/audit.ts";
import { cancelDocument, cancelReasons, retryDocument } from "#server/documents/registration.ts";
import { wrongField } from "#server/errors.ts";
import { closeGivenBack, retryFulfilment, whyNotClosed } from "#server/fulfilment/attention.ts";
import { isGivenBack } from "#server/orders/order.ts";
import { refundByOperator } from "#server/payments/operator-refund.ts";
import { broughtMoney, leftOf } from "#server/payments/refund.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { minorOf } from "#server/pricing/money.ts";
import { isResent, readMailLog, resendMail, sendWayBack, wayBackTo } from "../mail-log.ts";
import { actingRoles, moneyRoles } from "../roles.ts";
import { amountOf } from "../waiting.ts";
import { mailKindWords, mailStateWords, paymentRowWords, registeredKindWords } from "../words.ts";
import { act, nothing } from "./act.ts";
import { orderSubject } from "./subjects.ts";

export const retryOrder = act({
  label: "Try again now",
  explains:
    "Carries the order on from the step that failed, with a fresh count of tries. What has succeeded is not repeated.",
  subject: orderSubject,
  roles: actingRoles,
  needsStepUp: false,
  reason: { label: "What was put right", hint: "Stays in the audit log." },
  asks: nothing,
  hindrance: (order) =>
    order.fulfilmentStatus !== "needs_attention"
      ? "The order has not stopped."
      : isGivenBack(order)
        ? "Its money went back: nothing may be bought for it."
        : null,
  async perform({ db }, order, _value, performer) {
    await retryFulfilment(db, order.id, performer);
    return { said: "The order is on its way again." };
  },
});

export const closeOrder = act({
  label: "Close",
  explains:
    "For an order whose money went back while it was being carried out, once you have seen that the vendor holds nothing of it any more. Nothing is bought for it again.",
  subject: orderSubject,
  roles: actingRoles,
  needsStepUp: false,
  reason: { label: "What was seen at the vendor", hint: "Stays in the audit log." },
  asks: nothing,
  hindrance: whyNotClosed,
  async perform({ db }, order, _value, performer) {
    await closeGivenBack(db, order.id, performer);
    return { said: "The order is closed." };
  },
});

export const noteOrder = act({
  label: "Write a note",
  explains: "Adds a note to the order's story. The customer does not see it.",
  subject: orderSubject,
  roles: actingRoles,
  needsStepUp: false,
  reason: { label: "Note", hint: "Staff read it in the order's story. It cannot be changed later." },
  asks: nothing,
  async perform({ db }, { id }, _value, { staffId, by, reason }) {
    await record(db, {
      userId: null,
      staffId,
      action: "order.note",
      subject: `order:${id}`,
      data: { reason, by },
    });
    return { said: "The note is in the order's story." };
  },
});

/** The payments of an order of which money is left. */
async function refundable(db: Db, id: OrderId): Promise<Received[]> {
  return (await listReceivedFor(db, id)).filter((payment) => broughtMoney(payment) && leftOf(payment) > 0);
}

export const refundOrder = act({
  label: "Refund",
  explains:
    "Gives money back the way it came. It does not cancel anything at the vendor: do that first. A credit note is issued with it.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: { label: "Reason", hint: "The customer reads it, and it stays in the audit log." },
  asks: z.object({
    payment: z.string("Choose a payment.").min(1, "Choose a payment.").max(100),
    amount: z.string().trim().max(20).default(""),
    again: z.enum(["no", "yes"]).default("no"),
  }),
  async fields({ id }, { db }) {
    const payments = await refundable(db, id);
    return [
      {
        name: "payment",
        label: "Payment",
        kind: "choice",
        options: payments.map((payment) => ({
          value: payment.providerPaymentId,
          label: `${payment.providerPaymentId} (${paymentRowWords[payment.status]}), left: ${
            amountOf({ amountMinor: leftOf(payment), currency: payment.currency }) ?? "unknown"
          }`,
        })),
      },
      {
        name: "amount",
        label: "Amount",
        hint: "In the payment's currency, such as 1234.50. Leave it empty for all that is left.",
        kind: "amount",
        isOptional: true,
      },
      {
        name: "again",
        label: "If the same refund was asked for within a day",
        kind: "choice",
        options: [
          { value: "no", label: "Do not repeat it" },
          { value: "yes", label: "Refund once more" },
        ],
      },
    ];
  },
  hindrance: async ({ id }, { db }) =>
    (await refundable(db, id)).length > 0 ? null : "No payment of this order has anything left to refund.",
  async perform({ db, env }, { id }, { payment, amount, again }, { staffId, by, reason }) {
    const payments = await listReceivedFor(db, id);
    if (!payments.some(({ providerPaymentId }) => providerPaymentId === payment))
      throw wrongField("payment", "That is not a payment of this order.");
    const amountMinor = amount === "" ? null : minorOf(amount);
    if (amount !== "" && amountMinor === null) throw wrongField("amount", "Enter an amount such as 1234.50.");
    const done = await refundByOperator(db, env, {
      what: payment,
      amountMinor,
      reason,
      again: again === "yes",
      by,
      staffId,
      isMeant: true,
    });
    return {
      said:
        done.outcome === "repeated"
          ? `Nothing was done: ${formatMoney(done.amount)} was asked for within the last day for the same reason.`
          : `${formatMoney(money(done.amount.minor, done.amount.currency))} is being refunded.`,
    };
  },
});

/** The mails of an order that may be sent again, the newest first. */
async function resendable(db: Db, orderId: OrderId): Promise<LoggedMail[]> {
  const { rows } = await readMailLog(db, { orderId, limit: 100 });
  return rows.filter(({ kind, state }) => state !== "waiting" && isResent(kind));
}

export const resendMailAct = act({
  label: "Resend a mail",
  explains: "Sends a mail of this order once more to the same address. Links in it are made anew.",
  subject: orderSubject,
  roles: actingRoles,
  needsStepUp: false,
  asks: z.object({ mail: z.string("Choose a mail.").min(1, "Choose a mail.") }),
  fields: async ({ id }, { db }) => [
    {
      name: "mail",
      label: "Mail",
      kind: "choice",
      options: (await resendable(db, id)).map((mail) => ({
        value: mail.id,
        label: `${mailKindWords[mail.kind]} to ${mail.recipient}, ${mail.createdAt.toISOString().slice(0, 10)}, ${mailStateWords[mail.state].toLowerCase()}`,
      })),
    },
  ],
  hindrance: async ({ id }, { db }) =>
    (await resendable(db, id)).length > 0 ? null : "No mail was sent for this order.",
  async perform({ db }, { id }, { mail }, performer) {
    const found = (await resendable(db, id)).find((each) => each.id === mail);
    if (found === undefined)
      throw wrongField("mail", "That is not a mail of this order that can be sent again.");
    await resendMail(db, found.id, performer);
    return { said: "The mail is on its way again." };
  },
});

export const sendLinkAct = act({
  label: "Mail the way back",
  explains: "Mails the buyer a new link to the step at which their order waits for them.",
  subject: orderSubject,
  roles: actingRoles,
  needsStepUp: false,
  asks: nothing,
  hindrance(order) {
    const way = wayBackTo(order);
    return "none" in way ? way.none : null;
  },
  async perform({ db }, { id, account }, _value, performer) {
    await sendWayBack(db, id, performer);
    return { said: `A link is on its way to ${account?.email ?? "the buyer"}.` };
  },
});

const documentChoice = (documents: readonly EInvoice[]) =>
  ({
    name: "document",
    label: "Document",
    kind: "choice",
    options: documents.map(({ number, kind, errorWords }) => ({
      value: number,
      label: [`${number} (${registeredKindWords[kind]})`, errorWords].filter(Boolean).join(": "),
    })),
  }) as const;

const theDocument = z.string("Choose a document.").min(1, "Choose a document.").max(40);
const refused = (documents: readonly EInvoice[]) => documents.filter(({ state }) => state === "failed");
const registered = (documents: readonly EInvoice[]) => documents.filter(({ state }) => state === "final");

function requireAmong(documents: readonly EInvoice[], number: string): void {
  if (!documents.some((document) => document.number === number))
    throw wrongField("document", "That is not a document of this order.");
}

export const retryDocumentAct = act({
  label: "Register a document again",
  explains:
    "Sends a document that the e-invoice portal refused to it again. Put right first what it refused.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: false,
  reason: { label: "What was put right", hint: "Stays in the audit log." },
  asks: z.object({ document: theDocument }),
  fields: async ({ id }, { db }) => [documentChoice(refused(await listEInvoicesOf(db, id)))],
  hindrance: async ({ id }, { db }) =>
    refused(await listEInvoicesOf(db, id)).length > 0
      ? null
      : "The portal has refused no document of this order.",
  async perform({ db }, { id }, { document }, performer) {
    requireAmong(await listEInvoicesOf(db, id), document);
    await retryDocument(db, document, performer);
    return { said: `${document} will be registered.` };
  },
});

export const cancelDocumentAct = act({
  label: "Cancel a registered document",
  explains:
    "Takes a document back at the e-invoice portal, which is possible for 24 hours after it was registered.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: {
    label: "Reason",
    hint: "At most 100 characters. The portal keeps it, and it stays in the audit log.",
  },
  asks: z.object({
    document: theDocument,
    cause: z.enum(["1", "2", "3", "4"], "Choose a cause."),
  }),
  fields: async ({ id }, { db }) => [
    documentChoice(registered(await listEInvoicesOf(db, id))),
    {
      name: "cause",
      label: "Cause",
      kind: "choice",
      options: Object.entries(cancelReasons).map(([value, label]) => ({ value, label })),
    },
  ],
  hindrance: async ({ id }, { db }) =>
    registered(await listEInvoicesOf(db, id)).length > 0 ? null : "No document of this order is registered.",
  async perform({ db }, { id }, { document, cause }, { staffId, by, reason }) {
    requireAmong(await listEInvoicesOf(db, id), document);
    if (reason.length > 100) throw wrongField("reason", "The portal takes at most 100 characters.");
    await cancelDocument(db, document, { code: cause, words: reason, by, staffId, now: new Date() });
    return { said: `${document} will be cancelled.` };
  },
});
