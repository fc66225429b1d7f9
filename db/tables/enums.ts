/** Closed sets of column values, which constraints in the migrations enforce too. */
import type { countryRows } from "../seed/countries.ts";
import type { familyRows } from "../seed/families.ts";

export type Currency = (typeof countryRows)[number]["currency"];
export type Country = (typeof countryRows)[number]["code"];
export type FamilyId = (typeof familyRows)[number]["id"];
/** P1M = a month, P1Y = a year: the buyer's commitment. */
export type Term = "P1M" | "P1Y";
/** Interval at which the term is charged. */
export type BillingCycle = "monthly" | "annual";
export type Section = "featured" | "other" | "addon";
export type PriceKind = "regular" | "signup";
/** State of an imported price list. Taken back: after it was applied, and before its day. */
export type PriceListState = "waiting" | "applied" | "discarded" | "taken-back";
/** Role of a member; server/accounts/roles.ts defines the permissions. */
export type MemberRole = "owner" | "buyer" | "approver" | "viewer";
/** Role of a member of staff. */
export type StaffRole = "viewer" | "support" | "finance" | "admin";
/** NEW purchase, TUP = add a subscription, ADDON, ADD = buy more seats, RENEW (docs/specification.md, section 4.1). */
export type OrderKind = "NEW" | "TUP" | "ADDON" | "ADD" | "RENEW";
export type Stage = "none" | "stage1" | "stage2" | "stage3" | "stage4";
/**
 * State of an order's payment. From partly_refunded on, it describes later events. Lost = the bank withdrew it after a dispute.
 */
export type PaymentStatus =
  | "none"
  | "pending"
  | "completed"
  | "failed"
  | "partly_refunded"
  | "refunded"
  | "disputed"
  | "lost";
export type FulfilmentStatus =
  | "not_due"
  | "waiting_for_signin"
  | "queued"
  | "running"
  | "done"
  | "needs_attention";
/** Transferred: the vendor no longer lists it among ours. */
export type SubscriptionStatus = "active" | "expired" | "cancelled" | "transferred";
/** Cancels the whole subscription, or reduces its licences. */
export type CancellationKind = "cancel" | "reduce";
/**
 * vendor_done = its vendor has ended or reduced it; refund_requested = the refund is in progress, and nothing else is left to do.
 */
export type CancellationState = "requested" | "vendor_done" | "refund_requested" | "refused";
/** Refused: another company in the store holds the tenant. */
export type InvitationStatus = "pending" | "accepted" | "timed_out" | "refused";
/**
 * Method of a company's control proof: the store created the tenant, an administrator signed in, staff saw evidence, and so on.
 */
export type ControlMethod = "made" | "sign-in" | "transfer-token" | "dns" | "staff";
export type MailKind =
  | "set-password"
  | "reset-password"
  | "resume-order"
  | "order-confirmation"
  | "invoice-ready"
  | "invoice-corrected"
  | "order-refunded"
  | "refund"
  | "proforma"
  | "payment-link"
  | "quote"
  | "quote-request"
  | "quote-answer"
  | "quote-void"
  | "transfer-received"
  | "certificate-due"
  | "credit-note"
  | "order-delayed"
  | "correction-needed"
  | "document-refused"
  | "brio-access"
  | "signin-reminder"
  | "outlook-code"
  | "account-code"
  | "confirm-email"
  | "account-notice"
  | "store-viewed"
  | "member-invite"
  | "ask-administrator"
  | "administrator-done"
  | "renewal-reminder"
  | "renewal-window"
  | "subscription-ended"
  | "subscription-extended"
  | "terms-reminder"
  | "cancellation"
  | "data-export"
  | "account-deletion"
  | "billing-contact"
  | "document-copy"
  | "operator-alert"
  | "order-notice"
  | "vendor-notice";
/** Topics of mails that a reader may switch off. */
export type MailTopic = "renewals" | "reminders";
export type TokenPurpose =
  | "set-password"
  | "reset-password"
  | "resume-order"
  | "member-invite"
  | "ask-administrator"
  | "renewal-choice"
  | "keep-account"
  | "account-code";
/** Renewal choice: keep all licences, keep fewer, or end the subscription. */
export type RenewalDecision = "keep" | "fewer" | "stop";
/** Identity providers through which users may sign in: see server/integrations/identity-providers/. */
export type IdentityProviderId = "outlook" | "google";
/** Proof that linked an identity to its account: its holder has the mailbox, or knew the password. */
export type IdentityProofKind = "email" | "password";
