/**
 * Personal data by table: the parts that an export contains, and the effect of a deletion. A table that is missing here does not
 * compile, and a test compares the names with the database (docs/decisions/privacy.md#export-and-deletion).
 */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "#db/tables/index.ts";
import { type DataSubject, namePattern, scrub } from "./personal-subject.ts";

type Condition = (of: DataSubject) => RawBuilder<boolean>;
type Statement = (of: DataSubject) => RawBuilder<unknown>;

export interface PersonalDataPolicy {
  /** Conditions for a user's rows, and for a company's; left out if an export contains none of them. */
  own?: Condition;
  company?: Condition;
  /** A unique text, by which an export reads the rows in parts. */
  key?: RawBuilder<string>;
  /** Columns that no export contains: secrets, and other people's data. */
  hidden?: readonly string[];
  /**
   * Effect of a deletion: none if the table holds no personal data or the law requires it; otherwise its statements, in order.
   */
  erase: "nothing personal" | "kept by law" | readonly Statement[];
}

const nothing: PersonalDataPolicy = { erase: "nothing personal" };
const key = (column: string) => sql<string>`${sql.ref(column)}::text`;

/** Selects a user's orders: begun by them, or for their email. */
const ordersOf = ({ userId, email }: DataSubject) =>
  sql`(select id from orders where user_id = ${userId} or lower(account ->> 'email') = ${email})`;
const ofOrders: Condition = (of) => sql<boolean>`order_id in ${ordersOf(of)}`;
const ofCompanyOrders: Condition = ({ customerIds }) =>
  sql<boolean>`order_id in (select id from orders where customer_id = any(${customerIds}::uuid[]))`;
const ofUser: Condition = ({ userId }) => sql<boolean>`user_id = ${userId}`;
const ofEmail: Condition = ({ email }) => sql<boolean>`lower(email) = ${email}`;
const ofCompany: Condition = ({ customerIds }) => sql<boolean>`customer_id = any(${customerIds}::uuid[])`;
/** Conditions for rows that belong to an order. */
const withOrders = { own: ofOrders, company: ofCompanyOrders };

const documents: PersonalDataPolicy = { ...withOrders, key: key("number"), erase: "kept by law" };

/** Replacements for an order's contact, the address of a company without members, the input, and the sign-in name. */
const blankContact = sql`'{"email": "", "firstName": "", "lastName": "", "phoneNumber": ""}'::jsonb`;
const blankAddress = sql`'{"companyName": "", "addressLine1": "", "addressLine2": "", "city": "", "pincode": ""}'::jsonb`;

export const personalData: Readonly<Record<keyof Database, PersonalDataPolicy>> = {
  families: nothing,
  currencies: nothing,
  countries: nothing,
  // The row stays, because orders and the audit log refer to it.
  users: {
    own: ({ userId }) => sql<boolean>`id = ${userId}`,
    key: key("id"),
    hidden: ["password_hash"],
    erase: [
      ({ userId }) => sql`
        update users set email = 'deleted-' || id, first_name = '', last_name = '', phone = '', password_hash = null,
          email_verified_at = null, language = null, disabled_at = coalesce(disabled_at, now())
        where id = ${userId}`,
    ],
  },
  sessions: {
    own: ofUser,
    key: key("id"),
    hidden: ["handover_key"],
    erase: [(of) => sql`delete from sessions where ${ofUser(of)}`],
  },
  known_devices: {
    own: ofUser,
    key: sql<string>`concat(user_id, '/', key_hash)`,
    hidden: ["key_hash"],
    erase: [(of) => sql`delete from known_devices where ${ofUser(of)}`],
  },
  authenticator_apps: { erase: [(of) => sql`delete from authenticator_apps where ${ofUser(of)}`] },
  authenticator_set_ups: { erase: [(of) => sql`delete from authenticator_set_ups where ${ofUser(of)}`] },
  recovery_codes: { erase: [(of) => sql`delete from recovery_codes where ${ofUser(of)}`] },
  passkeys: {
    own: ofUser,
    key: key("id"),
    hidden: ["public_key"],
    erase: [(of) => sql`delete from passkeys where ${ofUser(of)}`],
  },
  passkey_challenges: { erase: [(of) => sql`delete from passkey_challenges where ${ofUser(of)}`] },
  pending_sign_ins: { erase: [(of) => sql`delete from pending_sign_ins where ${ofUser(of)}`] },
  muted_mails: {
    own: ofUser,
    key: sql<string>`concat(user_id, '/', topic)`,
    erase: [(of) => sql`delete from muted_mails where ${ofUser(of)}`],
  },
  unsubscribe_links: { erase: [(of) => sql`delete from unsubscribe_links where ${ofUser(of)}`] },
  customers: {
    own: ({ userId }) => sql<boolean>`id in (select customer_id from members where user_id = ${userId})`,
    company: ({ customerIds }) => sql<boolean>`id = any(${customerIds}::uuid[])`,
    key: key("id"),
    erase: [
      ({ customerIds }) =>
        sql`update customers set name = 'Deleted company' where id = any(${customerIds}::uuid[])`,
    ],
  },
  members: {
    own: ofUser,
    company: ofCompany,
    key: sql<string>`concat(customer_id, '/', user_id)`,
    erase: [(of) => sql`delete from members where ${ofUser(of)}`],
  },
  member_invites: {
    own: (of) => sql<boolean>`(${ofEmail(of)} or invited_by = ${of.userId})`,
    company: ofCompany,
    key: key("id"),
    erase: [
      (of) => sql`delete from member_invites where ${ofEmail(of)} or ${ofCompany(of)}`,
      ({ userId }) => sql`update member_invites set invited_by = null where invited_by = ${userId}`,
    ],
  },
  addresses: {
    own: ofEmail,
    company: ofCompany,
    key: key("id"),
    erase: [
      (of) => sql`delete from addresses where ${ofCompany(of)}`,
      (of) =>
        sql`update addresses set email = '', first_name = '', last_name = '', phone = '' where ${ofEmail(of)}`,
    ],
  },
  company_rules: { company: ofCompany, key: key("customer_id"), erase: "nothing personal" },
  buyer_limits: {
    own: ofUser,
    company: ofCompany,
    key: sql<string>`concat(customer_id, '/', user_id)`,
    erase: [(of) => sql`delete from buyer_limits where ${ofUser(of)}`],
  },
  company_tax_details: {
    company: ofCompany,
    key: key("customer_id"),
    erase: [(of) => sql`delete from company_tax_details where ${ofCompany(of)}`],
  },
  billing_contacts: {
    own: ofEmail,
    company: ofCompany,
    key: key("id"),
    erase: [(of) => sql`delete from billing_contacts where ${ofEmail(of)} or ${ofCompany(of)}`],
  },
  billing_contact_links: nothing,
  one_time_tokens: { erase: [(of) => sql`delete from one_time_tokens where ${ofUser(of)}`] },
  identities: {
    own: ofUser,
    key: sql<string>`concat(issuer, '/', subject)`,
    erase: [(of) => sql`delete from identities where ${ofUser(of)}`],
  },
  identity_proofs: {
    own: ofEmail,
    key: key("id"),
    hidden: ["key_hash"],
    erase: [(of) => sql`delete from identity_proofs where ${ofEmail(of)}`],
  },
  catalogue_items: nothing,
  dated_prices: nothing,
  price_lists: nothing,
  price_list_rows: nothing,
  slide_titles: nothing,
  vendor_items: nothing,
  vendor_differences: nothing,
  vendor_prices: nothing,
  orders: {
    own: ({ userId, email }) => sql<boolean>`(user_id = ${userId} or lower(account ->> 'email') = ${email})`,
    company: ofCompany,
    key: key("id"),
    hidden: ["draft_key"],
    erase: [
      ({ customerIds }) => sql`
        update orders set account = account || ${blankContact} || ${blankAddress} where customer_id = any(${customerIds}::uuid[])
          and account is not null`,
      // A buyer without a company was the company.
      (of) => sql`
        update orders set account = account || case when customer_id is null then ${blankContact} || ${blankAddress}
            else ${blankContact} end,
          details = details - 'typed' - 'suggestions' - 'addressId', signin = null, draft_key = null
        where id in ${ordersOf(of)}`,
      (of) => scrub("orders", "buyer_note", of),
    ],
  },
  order_lines: {
    ...withOrders,
    key: sql<string>`concat(order_id, '/', position)`,
    erase: "nothing personal",
  },
  quote_request_tokens: nothing,
  quote_requests: {
    own: (of) => sql<boolean>`(${ofEmail(of)} or asked_by = ${of.userId})`,
    key: key("id"),
    erase: [
      (of) => sql`update quote_requests set email = '', why = '', answer_words = null where ${ofEmail(of)}`,
      (of) => scrub("quote_requests", "why", of),
      (of) => scrub("quote_requests", "answer_words", of),
      ({ userId }) => sql`update quote_requests set asked_by = null where asked_by = ${userId}`,
      ({ userId }) => sql`update quote_requests set approver_id = null where approver_id = ${userId}`,
    ],
  },
  // The law does not require offers to be kept.
  quotes: {
    ...withOrders,
    key: key("id"),
    hidden: ["hash"],
    erase: [
      (of) => sql`
        delete from quotes where ${ofCompanyOrders(of)}
          or order_id in (select id from orders where customer_id is null and id in ${ordersOf(of)})`,
      (of) => scrub("quotes", "facts", of),
    ],
  },
  agreement_versions: nothing,
  agreement_acceptances: {
    ...withOrders,
    key: key("id"),
    erase: [
      (of) => sql`
        update agreement_acceptances set first_name = '', last_name = '', email = '', phone_number = ''
        where ${ofOrders(of)} or lower(email) = ${of.email}`,
    ],
  },
  payment_providers: nothing,
  payment_intents: { ...withOrders, key: key("id"), erase: "nothing personal" },
  payment_links: {
    erase: [
      (of) =>
        sql`delete from payment_links where intent_id in (select id from payment_intents where ${ofOrders(of)})`,
    ],
  },
  payments: { ...withOrders, key: key("id"), erase: "kept by law" },
  refunds: { ...withOrders, key: key("id"), erase: "kept by law" },
  disputes: { ...withOrders, key: key("id"), erase: "kept by law" },
  // Stored as the payment provider sent them, with the payer's email and telephone.
  provider_events: {
    erase: [(of) => sql`delete from provider_events where payload::text ~* ${namePattern(of)}`],
  },
  invoice_series: nothing,
  invoices: documents,
  credit_notes: documents,
  proformas: { ...documents, hidden: ["bank"] },
  e_invoices: { ...documents, hidden: ["signed_invoice"] },
  document_revisions: { ...documents, key: sql<string>`(number || ':' || revision)`, hidden: ["body"] },
  tds_certificates: nothing,
  // Ids only.
  spelling_collisions: nothing,
  // The public register's details of a registration.
  gst_registrations: {
    erase: [
      ({ customerIds }) => sql`
        delete from gst_registrations where gstin in (
          select account ->> 'gst_code' from orders where customer_id = any(${customerIds}::uuid[]))`,
    ],
  },
  fulfilments: { erase: [(of) => scrub("fulfilments", "last_error", of)] },
  vendor_pauses: nothing,
  provider_requests: { erase: [(of) => scrub("provider_requests", "result", of, ofOrders(of))] },
  order_runs: nothing,
  provider_calls: { erase: [(of) => sql`delete from provider_calls where ${ofOrders(of)}`] },
  tenants: { company: ofCompany, key: key("id"), erase: [renameTenants] },
  invitations: {
    ...withOrders,
    key: key("id"),
    hidden: ["link"],
    erase: [(of) => sql`update invitations set username = '', link = null where ${ofOrders(of)}`],
  },
  control_proofs: {
    company: ofCompany,
    key: key("id"),
    erase: [
      (of) => sql`update control_proofs set subject = null where ${ofOrders(of)}`,
      (of) => scrub("control_proofs", "evidence", of),
      (of) => scrub("control_proofs", "reference", of),
    ],
  },
  domain_challenges: nothing,
  subscriptions: { company: ofCompany, key: key("id"), erase: "nothing personal" },
  vendor_readings: nothing,
  renewal_choices: {
    own: ({ userId }) => sql<boolean>`chosen_by = ${userId}`,
    key: key("subscription_id"),
    erase: [({ userId }) => sql`update renewal_choices set chosen_by = null where chosen_by = ${userId}`],
  },
  // Hashes and times of a calendar's events, deleted with the subscription.
  renewal_feed_events: nothing,
  renewal_feeds: { erase: [(of) => sql`delete from renewal_feeds where ${ofCompany(of)}`] },
  cancellations: {
    own: ({ userId }) => sql<boolean>`asked_by = ${userId}`,
    company: ofCompanyOrders,
    key: key("id"),
    erase: [(of) => scrub("cancellations", "last_error", of), (of) => scrub("cancellations", "decision", of)],
  },
  cancellation_parts: nothing,
  credentials: {
    erase: [(of) => sql`delete from credentials where ${ofOrders(of)} or ${ofCompanyOrders(of)}`],
  },
  settlement_lines: nothing,
  settlement_days: nothing,
  vendor_statements: nothing,
  vendor_bill_lines: nothing,
  money_differences: { erase: [(of) => scrub("money_differences", "acknowledged_because", of)] },
  staff_roles: nothing,
  // Staff, whose accounts are removed in Desk.
  staff: nothing,
  staff_sessions: nothing,
  staff_recovery_codes: nothing,
  staff_links: nothing,
  store_views: {
    own: ofUser,
    key: key("id"),
    hidden: ["staff_session_id", "token_hash"],
    erase: [(of) => sql`delete from store_views where ${ofUser(of)}`],
  },
  waiting_items: nothing,
  data_exports: {
    own: ofUser,
    key: key("id"),
    hidden: ["place"],
    erase: [(of) => sql`delete from data_exports where ${ofUser(of)} or ${ofCompany(of)}`],
  },
  data_export_files: nothing,
  consent_texts: nothing,
  // The consent and its text prove our terms and stay; its origin does not.
  consents: {
    own: ofUser,
    company: ofCompanyOrders,
    key: key("id"),
    erase: [(of) => sql`update consents set network = null where ${ofUser(of)}`],
  },
  account_deletions: { own: ofUser, key: key("user_id"), erase: "nothing personal" },
  mails: {
    own: (of) => sql<boolean>`(user_id = ${of.userId} or lower(recipient) = ${of.email})`,
    key: key("id"),
    erase: [
      (of) => sql`delete from mails where user_id = ${of.userId} or lower(recipient) = ${of.email}`,
      (of) => scrub("mails", "data", of),
      (of) => scrub("mails", "last_error", of),
      (of) => scrub("mails", "dedupe_key", of),
    ],
  },
  mail_suppressions: {
    own: ofEmail,
    key: key("email"),
    erase: [(of) => sql`delete from mail_suppressions where ${ofEmail(of)}`],
  },
  call_paces: nothing,
  rate_limits: { erase: [(of) => sql`delete from rate_limits where key ~* ${namePattern(of)}`] },
  rate_limit_windows: {
    erase: [(of) => sql`delete from rate_limit_windows where key ~* ${namePattern(of)}`],
  },
  // The audit of money needs the actor of every change; the log refers to a user only by id.
  audit_log: {
    own: ofUser,
    key: key("id"),
    hidden: ["staff_id"],
    erase: [(of) => scrub("audit_log", "data", of)],
  },
  provider_secrets: nothing,
  worker_heartbeats: nothing,
  clock_jobs: nothing,
  webhook_pulses: nothing,
  provider_limits: nothing,
  // Encrypted, and deleted after a day.
  idempotency_keys: nothing,
};

export const personalTables = Object.keys(personalData).filter(
  (table): table is keyof Database => table in personalData,
);

/** Removes a tenant's name, which is its company's. The vendor's id and domain stay, because bills are matched by them. */
function renameTenants(of: DataSubject): RawBuilder<unknown> {
  return sql`update tenants set name = '' where ${ofCompany(of)}`;
}
