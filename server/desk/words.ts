/** What the desk calls what is stored as a word of the database: a table for each, so that none can be forgotten. */
import type { JobState } from "#db/jobs.ts";
import type { MailState } from "#db/mails.ts";
import type {
  CancellationKind,
  CancellationState,
  FulfilmentStatus,
  MailKind,
  OrderKind,
  PaymentStatus,
  Stage,
} from "#db/tables/enums.ts";
import type { DocumentKind } from "#db/tables/invoices.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";
import type { QuoteAnswer, QuoteRequestKind } from "#db/tables/quotes.ts";
import type { QuoteState } from "#server/quotes/quote.ts";
import type { RequestState } from "#server/quotes/requests.ts";

type Words<Name extends string> = Readonly<Record<Name, string>>;

export const orderKindWords: Words<OrderKind> = {
  NEW: "first purchase",
  TUP: "another subscription",
  ADDON: "add-on",
  ADD: "more licences",
  RENEW: "renewal",
};

/** How far an order is that is not paid; a paid one is told by what becomes of it. */
const stageWords: Words<Stage> = {
  none: "Begun",
  stage1: "Plan chosen",
  stage2: "Buyer known",
  stage3: "Placed",
  stage4: "Done",
};

const paymentWords: Words<PaymentStatus> = {
  none: "not paid",
  pending: "at the checkout",
  completed: "paid",
  failed: "payment failed",
  partly_refunded: "refunded in part",
  refunded: "refunded",
  disputed: "disputed",
  lost: "money lost in a dispute",
};

export const quoteStateWords: Words<QuoteState> = {
  open: "open",
  changed: "changed since, and the next version is being made",
  ended: "over, its days have passed",
  paid: "paid",
  over: "over, the money went back",
};

export const quoteRequestKindWords: Words<QuoteRequestKind> = {
  approve: "to approve",
  pay: "to pay",
};

export const quoteAnswerWords: Words<QuoteAnswer> = {
  approved: "approved",
  refused: "refused",
  transferred: "says that it was paid by transfer",
};

/** Of a request that nobody has answered. */
export const quoteRequestStateWords: Words<RequestState> = {
  open: "not answered yet",
  replaced: "asked again since",
  answered: "answered",
  changed: "void: the order was changed",
  ended: "void: the quote has ended",
  paid: "over: the order is paid",
  over: "over: the money went back",
};

/** What became of one payment of an order. */
export const paymentRowWords: Words<PaymentRowStatus> = {
  returned: "not looked at yet",
  part: "a part",
  captured: "paid",
  mismatch: "does not fit the order",
  surplus: "not used",
  failed: "failed",
  refunded: "refunded",
};

/** Null while there is nothing to carry out. */
const fulfilmentWords: Readonly<Record<FulfilmentStatus, string | null>> = {
  not_due: null,
  waiting_for_signin: "waits for the buyer's sign-in details",
  queued: "about to be carried out",
  running: "being carried out",
  done: "carried out",
  needs_attention: "stopped, waits for a person",
};

/** Where an order stands, as a person says it: "Paid, being carried out". */
export function orderStateWords(order: {
  stage: Stage;
  paymentStatus: PaymentStatus;
  fulfilmentStatus: FulfilmentStatus;
}): string {
  const fulfilment = fulfilmentWords[order.fulfilmentStatus];
  const payment = paymentWords[order.paymentStatus];
  if (fulfilment === null) return `${stageWords[order.stage]}, ${payment}`;
  return `${payment.charAt(0).toUpperCase()}${payment.slice(1)}, ${fulfilment}`;
}

export const mailKindWords: Words<MailKind> = {
  "set-password": "Set a password",
  "reset-password": "Reset the password",
  "resume-order": "Resume an order",
  "order-confirmation": "Order carried out",
  "invoice-ready": "Invoice is ready",
  "invoice-corrected": "Invoice corrected",
  "order-refunded": "Order refunded",
  refund: "Refund",
  proforma: "Proforma",
  "payment-link": "Payment link",
  quote: "Quote",
  "quote-request": "Asks an approver or a payer",
  "quote-answer": "Answer about a quote",
  "quote-void": "Link about a quote that was changed",
  "transfer-received": "Transfer received",
  "certificate-due": "TDS certificate awaited",
  "credit-note": "Credit note",
  "order-delayed": "Order delayed",
  "correction-needed": "Correction needed",
  "brio-access": "Access to the product",
  "signin-reminder": "Sign-in details awaited",
  "outlook-code": "Code for a sign-in",
  "confirm-email": "Confirm the email",
  "account-notice": "Notice about the account",
  "member-invite": "Invitation of a member",
  "ask-administrator": "Asks an administrator",
  "administrator-done": "Administrator has approved",
  "billing-contact": "Asks a billing contact",
  "document-copy": "Copy of a document",
  "renewal-reminder": "Renewal is due",
  "renewal-window": "Until when a renewed term can be given back",
  "subscription-ended": "Subscription ended",
  "subscription-extended": "Subscription extended",
  "terms-reminder": "Terms to accept",
  cancellation: "Cancellation",
  "store-viewed": "Looked at the store as the customer",
  "data-export": "Export of data is ready",
  "account-deletion": "Deletion of the account",
  "operator-alert": "Alert to the operator",
  "order-notice": "Notice about an order",
  "vendor-notice": "Notice about a vendor",
};

/** Of a registered document, as the e-invoice portal calls it. */
export const registeredKindWords: Words<DocumentKind> = { INV: "invoice", CRN: "credit note" };

export const cancellationKindWords: Words<CancellationKind> = {
  cancel: "Cancellation",
  reduce: "Licences given back",
};

export const cancellationStateWords: Words<CancellationState> = {
  requested: "asked for",
  vendor_done: "made at the vendor",
  refund_requested: "carried out",
  refused: "refused",
};

export const mailStateWords: Words<MailState> = {
  waiting: "Waiting",
  sent: "Sent",
  refused: "Refused",
  bounced: "Came back",
  withheld: "Not sent",
};

export const jobStateWords: Words<JobState> = {
  due: "Waiting",
  later: "Later",
  running: "Running",
  failed: "Failed",
};

/** A name that a table has words for, as from an address; undefined for any other. */
export function wordOf<Name extends string>(words: Words<Name>, text: string | undefined): Name | undefined {
  const isName = (name: string): name is Name => Object.hasOwn(words, name);
  return text !== undefined && isName(text) ? text : undefined;
}
