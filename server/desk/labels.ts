/** Desk's labels for enum values of the database: one table per enum, which the compiler checks for completeness. */

import type { MailState } from "#db/mail/mails.ts";
import type { JobState } from "#db/platform/jobs.ts";
import type {
  CancellationKind,
  CancellationState,
  FulfilmentStatus,
  MailKind,
  OrderKind,
  PaymentStatus,
  Stage,
  SubscriptionStatus,
} from "#db/tables/enums.ts";
import type { DocumentKind } from "#db/tables/invoices.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";
import type { QuoteAnswer, QuoteRequestKind } from "#db/tables/quotes.ts";
import type { QuoteState } from "#server/billing/quotes/quote.ts";
import type { QuoteRequestState } from "#server/billing/quotes/requests.ts";

type Words<Name extends string> = Readonly<Record<Name, string>>;

export const orderKindLabels: Words<OrderKind> = {
  NEW: "first purchase",
  TUP: "additional subscription",
  ADDON: "add-on",
  ADD: "more licenses",
  RENEW: "renewal",
};

/** Labels of an unpaid order's stage; the label of a paid order comes from its fulfilment status. */
const stageWords: Words<Stage> = {
  none: "Started",
  stage1: "Plan chosen",
  stage2: "Account entered",
  stage3: "Placed",
  stage4: "Done",
};

const paymentWords: Words<PaymentStatus> = {
  none: "not paid",
  pending: "in checkout",
  completed: "paid",
  failed: "payment failed",
  partly_refunded: "partially refunded",
  refunded: "refunded",
  disputed: "disputed",
  lost: "lost in dispute",
};

export const quoteStateLabels: Words<QuoteState> = {
  open: "open",
  changed: "superseded, new version being created",
  expired: "expired",
  paid: "paid",
  refunded: "refunded",
};

export const quoteRequestKindLabels: Words<QuoteRequestKind> = {
  approve: "to approve",
  pay: "to pay",
};

export const quoteAnswerLabels: Words<QuoteAnswer> = {
  approved: "approved",
  refused: "declined",
  transferred: "says they've paid by transfer",
};

/** Labels of a quote request's state while it has no response. */
export const quoteRequestStateLabels: Words<QuoteRequestState> = {
  open: "no response yet",
  replaced: "replaced by a newer request",
  answered: "answered",
  changed: "void: order changed",
  expired: "void: quote expired",
  paid: "closed: order paid",
  refunded: "closed: refunded",
};

/** Labels of the status of an order's payment. */
export const paymentRowStatusLabels: Words<PaymentRowStatus> = {
  returned: "not checked yet",
  part: "partial",
  captured: "paid",
  mismatch: "doesn't match the order",
  surplus: "unused",
  failed: "failed",
  refunded: "refunded",
};

/** Null while there is nothing to fulfil. */
const fulfilmentWords: Readonly<Record<FulfilmentStatus, string | null>> = {
  not_due: null,
  waiting_for_signin: "waiting for the buyer's sign-in details",
  queued: "queued",
  running: "in progress",
  done: "fulfilled",
  needs_attention: "stopped, needs attention",
};

/**
 * Formats an order's state as text: "Paid, in progress".
 * @param order.awaitsTransfer whether a bank account waits for its transfer
 */
export function orderStateText(order: {
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
  awaitsTransfer?: boolean;
}): string {
  const fulfilment = fulfilmentWords[order.fulfilmentStatus];
  const payment =
    order.awaitsTransfer === true ? "waits for a bank transfer" : paymentWords[order.paymentStatus];
  if (fulfilment === null) return `${stageWords[order.stage]}, ${payment}`;
  return `${payment.charAt(0).toUpperCase()}${payment.slice(1)}, ${fulfilment}`;
}

/** Tone of an order's state: stopped or failed, done, waiting, in progress, or none yet. */
export type StateTone = "bad" | "good" | "due" | "new" | null;

/** Tone of a subscription's state, as on the customer's page. */
export const subscriptionStateTones: Readonly<Record<SubscriptionStatus | "suspended", StateTone>> = {
  active: "good",
  suspended: "bad",
  expired: null,
  cancelled: null,
  transferred: null,
};

export function orderStateTone(order: {
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
}): StateTone {
  const { paymentStatus, fulfilmentStatus } = order;
  if (fulfilmentStatus === "needs_attention") return "bad";
  if (["failed", "disputed", "lost"].includes(paymentStatus)) return "bad";
  if (fulfilmentStatus === "done") return "good";
  if (fulfilmentStatus === "waiting_for_signin" || paymentStatus === "pending") return "due";
  return fulfilmentStatus === "queued" || fulfilmentStatus === "running" ? "new" : null;
}

/** Labels of the payment methods that the payment provider reports; any other is only "paid". */
const methodWords: Readonly<Record<string, string>> = {
  card: "by card",
  upi: "by UPI",
  netbanking: "by net banking",
  wallet: "from a wallet",
  bank_transfer: "by transfer",
};

export function paidByText(method: string | null): string {
  const words = method === null ? undefined : methodWords[method];
  return words === undefined ? "Paid" : `Paid ${words}`;
}

export const mailKindLabels: Words<MailKind> = {
  "set-password": "Set a password",
  "reset-password": "Reset the password",
  "resume-order": "Resume an order",
  "order-confirmation": "Order complete",
  "invoice-ready": "Invoice ready",
  "invoice-corrected": "Invoice corrected",
  "order-refunded": "Order refunded",
  refund: "Refund",
  proforma: "Proforma",
  "payment-link": "Payment link",
  quote: "Quote",
  "quote-request": "Request to approve or pay",
  "quote-answer": "Response to a quote",
  "quote-void": "Quote link no longer valid",
  "transfer-received": "Transfer received",
  "certificate-due": "TDS certificate due",
  "credit-note": "Credit note",
  "order-delayed": "Order delayed",
  "correction-needed": "Correction needed",
  "document-refused": "Invoice details needed",
  "brio-access": "Product access",
  "signin-reminder": "Sign-in details needed",
  "outlook-code": "Sign-in code",
  "account-code": "Code for a change of the account",
  "confirm-email": "Confirm the email",
  "account-notice": "Account notice",
  "member-invite": "Member invitation",
  "ask-administrator": "Request to an administrator",
  "administrator-done": "Administrator approved",
  "billing-contact": "Request to a billing contact",
  "document-copy": "Copy of a document",
  "renewal-reminder": "Renewal due",
  "renewal-window": "Deadline to reduce a renewed term",
  "subscription-ended": "Subscription ended",
  "subscription-extended": "Subscription extended",
  "terms-reminder": "Terms to accept",
  cancellation: "Cancellation",
  "store-viewed": "Store viewed as customer",
  "data-export": "Data export ready",
  "account-deletion": "Account deletion",
  "operator-alert": "Operator alert",
  "order-notice": "Order notice",
  "vendor-notice": "Vendor notice",
};

/** The e-invoice portal's names of registered documents. */
export const registeredDocumentLabels: Words<DocumentKind> = { INV: "invoice", CRN: "credit note" };

export const cancellationKindLabels: Words<CancellationKind> = {
  cancel: "Cancellation",
  reduce: "Licenses removed",
};

export const cancellationStateLabels: Words<CancellationState> = {
  requested: "requested",
  vendor_done: "done at the vendor",
  refund_requested: "completed",
  refused: "rejected",
};

export const mailStateLabels: Words<MailState> = {
  waiting: "Waiting",
  sent: "Sent",
  refused: "Rejected",
  bounced: "Bounced",
  withheld: "Not sent",
};

export const mailStateTones: Readonly<Record<MailState, StateTone>> = {
  waiting: "new",
  sent: "good",
  refused: "bad",
  bounced: "bad",
  withheld: null,
};

export const jobStateLabels: Words<JobState> = {
  due: "Due",
  later: "Scheduled",
  running: "Running",
  failed: "Failed",
};

/** Returns the key if the table has a label for it, for input from an address; otherwise undefined. */
export function parseLabelKey<Name extends string>(
  words: Words<Name>,
  text: string | undefined,
): Name | undefined {
  const isName = (name: string): name is Name => Object.hasOwn(words, name);
  return text !== undefined && isName(text) ? text : undefined;
}

const auditActionLabels = new Map<string, string>([
  ["account.ask-deletion", "Asked to delete the account"],
  ["account.delete", "Account deleted"],
  ["account.keep", "Account kept"],
  ["billing-contact.set", "Billing contact changed"],
  ["company.rules", "Ordering rules changed"],
  ["control.prove", "Control of a domain verified"],
  ["customer.bring-subscription", "Subscription brought to us"],
  ["customer.create", "Company created"],
  ["customer.note", "Note"],
  ["customer.require-second-factor", "Two-step sign-in required of members"],
  ["customer.view", "Store viewed as customer"],
  ["customer.view-end", "View of the store ended"],
  ["data.export", "Data exported"],
  ["document.cancel", "Document cancelled"],
  ["document.register", "Document registered"],
  ["email.verify", "Email confirmed"],
  ["identity.link", "Sign-in linked"],
  ["identity.unlink", "Sign-in removed"],
  ["invite.accept", "Invitation accepted"],
  ["invite.create", "Member invited"],
  ["invite.withdraw", "Invitation withdrawn"],
  ["invoice.correct", "Invoice corrected"],
  ["member.limit", "Order limit changed"],
  ["member.remove", "Member removed"],
  ["member.set", "Member's role set"],
  ["order.refund", "Order refunded"],
  ["quote.ask", "Quote sent for approval or payment"],
  ["renewal-feed.end", "Calendar link removed"],
  ["renewal-feed.make", "Calendar link created"],
  ["subscription.take-in", "Subscription imported"],
]);

/** Formats an action of the audit log; its code if it has no label. */
export function auditActionLabel(action: string): string {
  return auditActionLabels.get(action) ?? action;
}
