/**
 * The database as Kysely sees it: every table, one file per domain. Columns are as in PostgreSQL. The mapping is beside the
 * queries.
 */
import type { Kysely, Transaction } from "kysely";
import type * as accounts from "./accounts.ts";
import type * as agreements from "./agreements.ts";
import type * as catalogue from "./catalogue.ts";
import type * as fulfilment from "./fulfilment.ts";
import type * as identities from "./identities.ts";
import type * as invoices from "./invoices.ts";
import type * as orders from "./orders.ts";
import type * as payments from "./payments.ts";
import type * as platform from "./platform.ts";
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
  one_time_tokens: accounts.OneTimeTokensTable;
  identities: identities.IdentitiesTable;
  identity_proofs: identities.IdentityProofsTable;
  catalogue_items: catalogue.CatalogueItemsTable;
  prices: catalogue.PricesTable;
  vendor_items: catalogue.VendorItemsTable;
  vendor_differences: catalogue.VendorDifferencesTable;
  vendor_prices: catalogue.VendorPricesTable;
  orders: orders.OrdersTable;
  order_lines: orders.OrderLinesTable;
  agreement_versions: agreements.AgreementVersionsTable;
  agreement_acceptances: agreements.AgreementAcceptancesTable;
  payment_providers: payments.PaymentProvidersTable;
  payment_intents: payments.PaymentIntentsTable;
  payments: payments.PaymentsTable;
  refunds: payments.RefundsTable;
  provider_events: payments.ProviderEventsTable;
  invoice_series: invoices.InvoiceSeriesTable;
  invoices: invoices.InvoicesTable;
  fulfilments: fulfilment.FulfilmentsTable;
  vendor_pauses: fulfilment.VendorPausesTable;
  provider_requests: fulfilment.ProviderRequestsTable;
  tenants: fulfilment.TenantsTable;
  invitations: fulfilment.InvitationsTable;
  control_proofs: fulfilment.ControlProofsTable;
  domain_challenges: fulfilment.DomainChallengesTable;
  subscriptions: fulfilment.SubscriptionsTable;
  credentials: fulfilment.CredentialsTable;
  mails: platform.MailsTable;
  rate_limits: platform.RateLimitsTable;
  audit_log: platform.AuditLogTable;
  provider_secrets: platform.ProviderSecretsTable;
  worker_heartbeats: platform.WorkerHeartbeatsTable;
  idempotency_keys: platform.IdempotencyKeysTable;
}

/** A connection or a transaction, for queries that need no lock. */
export type Db = Kysely<Database>;
/** A transaction. Required by functions that lock a row or write several rows that must agree. */
export type Trx = Transaction<Database>;
