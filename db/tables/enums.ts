/** The closed sets of column values, which constraints in the migrations enforce too. */
import type { countryRows } from "../seed/countries.ts";
import type { familyRows } from "../seed/families.ts";

export type Currency = (typeof countryRows)[number]["currency"];
export type Country = (typeof countryRows)[number]["code"];
export type FamilyId = (typeof familyRows)[number]["id"];
/** P1M = a month, P1Y = a year: how long the buyer commits. */
export type Term = "P1M" | "P1Y";
/** How often the term is charged. */
export type BillingCycle = "monthly" | "annual";
export type Section = "featured" | "other" | "addon";
export type PriceKind = "regular" | "signup";
/** Of an imported price list. Taken back: after it was applied, and before the day it was for. */
export type PriceListState = "waiting" | "applied" | "discarded" | "taken-back";
/** What each may do is in server/accounts/roles.ts. */
export type MemberRole = "owner" | "buyer" | "approver" | "viewer";
/** Of the people who run the store. */
export type StaffRole = "viewer" | "support" | "finance" | "admin";
/** NEW purchase, TUP = add a subscription, ADDON, ADD = buy more seats, RENEW (docs/specification.md, section 4.1). */
export type OrderKind = "NEW" | "TUP" | "ADDON" | "ADD" | "RENEW";
export type Stage = "none" | "stage1" | "stage2" | "stage3" | "stage4";
/** From partly_refunded on: what became of a payment afterwards. Lost = the bank took it back after a dispute. */
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
/** Transferred: the vendor has it no longer among ours. */
export type SubscriptionStatus = "active" | "expired" | "cancelled" | "transferred";
/** The whole subscription, or some of its licences. */
export type CancellationKind = "cancel" | "reduce";
/** vendor_done = its vendor has ended or reduced it; refund_requested = the money is on its way, and all is done here. */
export type CancellationState = "requested" | "vendor_done" | "refund_requested" | "refused";
/** Refused: another company here holds the tenant. */
export type InvitationStatus = "pending" | "accepted" | "timed_out" | "refused";
/** How a company proved control of a tenant: this store made it, an administrator signed in, staff saw evidence, and so on. */
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
/** What of the mails a reader may switch off. */
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
/** What is to become of a subscription at its end: renewed with all licences or with fewer, or ended. */
export type RenewalDecision = "keep" | "fewer" | "stop";
/** Where people may sign in with an account they have elsewhere; what each is: server/integrations/identity-providers/. */
export type IdentityProviderId = "outlook" | "google";
/** How an identity was linked to its account: its holder has the mailbox, or knew the password. */
export type IdentityProofKind = "email" | "password";
