/** Users, sessions, companies, members, addresses and one-time tokens. */
import type { Generated, Selectable } from "kysely";
import type {
  AddressId,
  BillingContactId,
  CustomerId,
  InviteId,
  OrderId,
  SessionId,
  SubscriptionId,
  UserId,
} from "../ids.ts";
import type { Country, MailTopic, MemberRole, TokenPurpose } from "./enums.ts";

export interface UsersTable {
  id: UserId;
  email: string;
  first_name: string;
  last_name: string;
  phone: string;
  password_hash: string | null;
  role: Generated<string>;
  email_verified_at: Date | null;
  disabled_at: Date | null;
  /** Time at which staff locked it. */
  locked_at: Generated<Date | null>;
  /** Language of the mails to the user; null if unknown. */
  language: Generated<string | null>;
  created_at: Generated<Date>;
}
export type UserRow = Selectable<UsersTable>;

export interface SessionsTable {
  id: SessionId;
  user_id: UserId;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  revoked_at: Date | null;
  /** Draft key of the browser it was created for, until that browser has used the token. */
  handover_key: Generated<string | null>;
  /** User-Agent at sign-in; this and the next two are null for older sessions. */
  client: Generated<string | null>;
  /** Shortened address at sign-in. */
  network: Generated<string | null>;
  /** Two capital letters. */
  country: Generated<string | null>;
}

/** A browser that a user has signed in with. */
export interface KnownDevicesTable {
  user_id: UserId;
  /** SHA-256 of the key in its cookie, hex. */
  key_hash: string;
  last_used_at: Date;
}

export interface CustomersTable {
  id: CustomerId;
  name: string;
  country: Country;
  /** Whether all members need a second factor. */
  requires_second_factor: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface MembersTable {
  customer_id: CustomerId;
  user_id: UserId;
  role: MemberRole;
  created_at: Generated<Date>;
}

export interface AddressesTable {
  id: AddressId;
  customer_id: CustomerId;
  gst_code: string | null;
  add1: string;
  add2: string;
  city: string;
  state: string;
  pincode: string;
  country: Country;
  organisation_registration_number: string;
  email: string;
  first_name: string;
  last_name: string;
  phone: string;
  /** Time at which it became the company's default; null if it never was. */
  made_default_at: Generated<Date | null>;
  created_at: Generated<Date>;
}
export type AddressRow = Selectable<AddressesTable>;

/** A company's rules for its orders, in minor units of its country's currency. */
export interface CompanyRulesTable {
  customer_id: CustomerId;
  /** Orders above it need approval; null = none does. */
  approval_above_minor: number | null;
  includes_owners: boolean;
}

/** Amounts up to which a member may order without approval; null = no limit. */
export interface BuyerLimitsTable {
  customer_id: CustomerId;
  user_id: UserId;
  per_order_minor: number | null;
  per_month_minor: number | null;
}

/** Tax that a company states it withholds from its payments. */
export interface CompanyTaxDetailsTable {
  customer_id: CustomerId;
  deductor_number: string | null;
  section: string | null;
  rate_basis_points: number | null;
  changed_at: Date;
}

/** A topic of mails that a user has switched off. */
export interface MutedMailsTable {
  user_id: UserId;
  topic: MailTopic;
  muted_at: Date;
}

/** A mail's link that switches its topic off. */
export interface UnsubscribeLinksTable {
  /** SHA-256 of the token, hex. Only the mail contains the token itself. */
  hash: string;
  user_id: UserId;
  topic: MailTopic;
  expires_at: Date;
}

/** Recipients of a company's documents, in addition to the buyer. */
export interface BillingContactsTable {
  id: BillingContactId;
  customer_id: CustomerId;
  email: string;
  gets_invoices: boolean;
  gets_proformas: boolean;
  created_at: Generated<Date>;
  /** Null until its reader has agreed. */
  confirmed_at: Generated<Date | null>;
}

export interface BillingContactLinksTable {
  /** SHA-256 of the token, hex. Only the mail contains the token itself. */
  hash: string;
  contact_id: BillingContactId;
  expires_at: Date;
}

/** An invitation into a company. Open until it is accepted, withdrawn or expired. */
export interface MemberInvitesTable {
  id: InviteId;
  customer_id: CustomerId;
  email: string;
  role: MemberRole;
  invited_by: UserId | null;
  created_at: Generated<Date>;
  expires_at: Date;
  accepted_at: Date | null;
  withdrawn_at: Date | null;
}

export interface OneTimeTokensTable {
  /** SHA-256 of the token, hex. Only the mail contains the token itself. */
  hash: string;
  purpose: TokenPurpose;
  /** Null for an invitation, because the invited person might not have an account yet. */
  user_id: UserId | null;
  order_id: OrderId | null;
  invite_id: Generated<InviteId | null>;
  /** Subscription of a renewal link. */
  subscription_id: Generated<SubscriptionId | null>;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}

/**
 * Two rows whose texts became equal when they were normalised (migration 2026-11-29T62). Nothing is merged; an operator reads it.
 */
export interface SpellingCollisionsTable {
  kind: "email" | "staff-email" | "company-name" | "gstin" | "billing-contact" | "invitation";
  row_id: string;
  other_id: string;
  found_at: Generated<Date>;
}
