/**
 * The audience of each kind of mail: the only list that decides whom the store may write to. A new kind does not compile without
 * an entry, and `queueMail` accepts for each audience only recipients of that audience.
 */
import type { MailKind } from "#db/tables/enums.ts";

/**
 * own: the account's own address, read from the account when the mail is queued; buyer: the address on a paid order, for its
 * documents and credentials; answered: the reader of an earlier third-party mail, about that request, or the account that sent
 * it; agreed: a billing contact who has agreed to get documents; visitor: the address that a person signs in with, whose code
 * proves it; thirdParty: an address that a user has typed, only through server/accounts/third-party-mail.ts; operator: the
 * operator.
 */
type Audience = "own" | "buyer" | "answered" | "agreed" | "visitor" | "thirdParty" | "operator";

export const mailAudiences = {
  "set-password": "own",
  "reset-password": "own",
  "confirm-email": "own",
  "account-code": "own",
  "account-notice": "own",
  "store-viewed": "own",
  "data-export": "own",
  "account-deletion": "own",
  "resume-order": "own",
  "signin-reminder": "own",
  quote: "own",
  proforma: "own",
  "payment-link": "own",
  "administrator-done": "own",
  "renewal-reminder": "own",
  "renewal-window": "own",
  "subscription-ended": "own",
  "subscription-extended": "own",
  "terms-reminder": "own",
  cancellation: "own",
  "order-confirmation": "buyer",
  "brio-access": "buyer",
  "invoice-ready": "buyer",
  "invoice-corrected": "buyer",
  "credit-note": "buyer",
  "order-refunded": "buyer",
  refund: "buyer",
  "transfer-received": "buyer",
  "certificate-due": "buyer",
  "order-delayed": "buyer",
  "correction-needed": "buyer",
  "document-refused": "buyer",
  "quote-answer": "answered",
  "quote-void": "answered",
  "document-copy": "agreed",
  "outlook-code": "visitor",
  "member-invite": "thirdParty",
  "billing-contact": "thirdParty",
  "quote-request": "thirdParty",
  "ask-administrator": "thirdParty",
  "operator-alert": "operator",
  "order-notice": "operator",
  "vendor-notice": "operator",
} as const satisfies Record<MailKind, Audience>;

/** The kinds of mail for an audience. */
export type MailKindFor<A extends Audience> = {
  [K in MailKind]: (typeof mailAudiences)[K] extends A ? K : never;
}[MailKind];
