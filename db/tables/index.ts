/**
 * The database as Kysely sees it: every table, one file per domain. Columns are as in PostgreSQL. The mapping is beside the
 * queries.
 */
import type { Kysely, Transaction } from "kysely";
import type * as accounts from "./accounts.ts";
import type * as agreements from "./agreements.ts";
import type * as cancellations from "./cancellations.ts";
import type * as catalogue from "./catalogue.ts";
import type * as desk from "./desk.ts";
import type * as fulfilment from "./fulfilment.ts";
import type * as identities from "./identities.ts";
import type * as invoices from "./invoices.ts";
import type * as orders from "./orders.ts";
import type * as payments from "./payments.ts";
import type * as platform from "./platform.ts";
import type * as reconciliation from "./reconciliation.ts";
import type * as reference from "./reference.ts";

export interface Database {
  families: reference.FamiliesTable;
  currencies: reference.CurrenciesTable;
  countries: reference.CountriesTable;
  users: accounts.UsersTable;
  sessions: accounts.SessionsTable;
  customers: accounts.CustomersTable;
  members: accounts.MembersTable;
  member_invites: accounts.MemberInvitesTable;
  addresses: accounts.AddressesTable;
  company_tax_details: accounts.CompanyTaxDetailsTable;
  billing_contacts: accounts.BillingContactsTable;
  billing_contact_links: accounts.BillingContactLinksTable;
  one_time_tokens: accounts.OneTimeTokensTable;
  identities: identities.IdentitiesTable;
  identity_proofs: identities.IdentityProofsTable;
  catalogue_items: catalogue.CatalogueItemsTable;
  dated_prices: catalogue.DatedPricesTable;
  price_lists: catalogue.PriceListsTable;
  price_list_rows: catalogue.PriceListRowsTable;
  slide_titles: catalogue.SlideTitlesTable;
  vendor_items: catalogue.VendorItemsTable;
  vendor_differences: catalogue.VendorDifferencesTable;
  vendor_prices: catalogue.VendorPricesTable;
  orders: orders.OrdersTable;
  order_lines: orders.OrderLinesTable;
  agreement_versions: agreements.AgreementVersionsTable;
  agreement_acceptances: agreements.AgreementAcceptancesTable;
  payment_providers: payments.PaymentProvidersTable;
  payment_intents: payments.PaymentIntentsTable;
  payment_links: payments.PaymentLinksTable;
  payments: payments.PaymentsTable;
  refunds: payments.RefundsTable;
  disputes: payments.DisputesTable;
  provider_events: payments.ProviderEventsTable;
  invoice_series: invoices.InvoiceSeriesTable;
  invoices: invoices.InvoicesTable;
  gst_registrations: invoices.GstRegistrationsTable;
  e_invoices: invoices.EInvoicesTable;
  proformas: invoices.ProformasTable;
  tds_certificates: invoices.TdsCertificatesTable;
  credit_notes: invoices.CreditNotesTable;
  fulfilments: fulfilment.FulfilmentsTable;
  vendor_pauses: fulfilment.VendorPausesTable;
  provider_requests: fulfilment.ProviderRequestsTable;
  provider_calls: fulfilment.ProviderCallsTable;
  tenants: fulfilment.TenantsTable;
  invitations: fulfilment.InvitationsTable;
  control_proofs: fulfilment.ControlProofsTable;
  domain_challenges: fulfilment.DomainChallengesTable;
  subscriptions: fulfilment.SubscriptionsTable;
  vendor_readings: fulfilment.VendorReadingsTable;
  cancellations: cancellations.CancellationsTable;
  cancellation_parts: cancellations.CancellationPartsTable;
  credentials: fulfilment.CredentialsTable;
  settlement_lines: reconciliation.SettlementLinesTable;
  settlement_days: reconciliation.SettlementDaysTable;
  vendor_statements: reconciliation.VendorStatementsTable;
  vendor_bill_lines: reconciliation.VendorBillLinesTable;
  money_differences: reconciliation.MoneyDifferencesTable;
  staff_roles: desk.StaffRolesTable;
  staff: desk.StaffTable;
  staff_sessions: desk.StaffSessionsTable;
  staff_recovery_codes: desk.StaffRecoveryCodesTable;
  staff_links: desk.StaffLinksTable;
  store_views: desk.StoreViewsTable;
  waiting_items: desk.WaitingItemsTable;
  mails: platform.MailsTable;
  rate_limits: platform.RateLimitsTable;
  audit_log: platform.AuditLogTable;
  provider_secrets: platform.ProviderSecretsTable;
  worker_heartbeats: platform.WorkerHeartbeatsTable;
  clock_jobs: platform.ClockJobsTable;
  mail_suppressions: platform.MailSuppressionsTable;
  webhook_pulses: platform.WebhookPulsesTable;
  provider_limits: platform.ProviderLimitsTable;
  idempotency_keys: platform.IdempotencyKeysTable;
}

/** A connection or a transaction, for queries that need no lock. */
export type Db = Kysely<Database>;
/** A transaction. Required by functions that lock a row or write several rows that must agree. */
export type Trx = Transaction<Database>;
