/** Fulfilment of paid orders: its progress, the requests made to providers, and what they created. */
import type { ColumnType, Generated, Selectable } from "kysely";
import type {
  ControlProofId,
  CustomerId,
  InvitationId,
  ItemId,
  OrderId,
  RunId,
  SubscriptionId,
  TenantId,
} from "../ids.ts";
import type {
  BillingCycle,
  ControlMethod,
  Country,
  FamilyId,
  InvitationStatus,
  SubscriptionStatus,
  Term,
} from "./enums.ts";
import type { NullableJson } from "./orders.ts";

export interface FulfilmentsTable {
  order_id: OrderId;
  status: "queued" | "running" | "done" | "needs_attention";
  attempts: Generated<number>;
  last_error: string | null;
  /** The refusals that the order has met, by name: since when, how often, when the next try was due. */
  met: ColumnType<unknown, string | undefined, string>;
  /** The vendor account for whose pause the order waits. */
  held_for: Generated<string | null>;
  /** When the order last went ahead of the others in a pause, to see whether the vendor takes orders again. */
  trial_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** A vendor account that takes nothing from us, until a probe and a first order succeed. */
export interface VendorPausesTable {
  account: string;
  /** Of the order that met the refusal. */
  family: FamilyId;
  country: Country;
  reason: string;
  since: Generated<Date>;
  /** The one order that may go ahead. */
  trial_order_id: Generated<OrderId | null>;
}

export interface ProviderRequestsTable {
  order_id: OrderId;
  step: string;
  /** Sent with the call and with every retry, so that the provider acts only once. */
  request_id: string;
  status: "sent" | "succeeded";
  /**
   * Set before a call and cleared by its answer, so that a process that dies in between leaves the step in doubt. After a 5xx
   * it stays set for providers that recognise a repeat only by its request id.
   */
  unanswered: Generated<boolean>;
  /** True once an attempt may have taken effect without an answer. Stays until the step succeeds. */
  doubtful: Generated<boolean>;
  result: NullableJson;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

/** Which run is at work on an order's stored steps: the last that has begun. The row goes when it ends. */
export interface OrderRunsTable {
  order_id: OrderId;
  run_id: RunId;
  begun_at: Generated<Date>;
}

/** A call that was made to a provider for an order. Rows are never changed. */
export interface ProviderCallsTable {
  id: Generated<number>;
  order_id: OrderId;
  at: Date;
  provider: string;
  method: string;
  path: string;
  request_id: string | null;
  /** Null when no answer came. */
  status: number | null;
  ms: number;
  /** Which try of its job or order the call belongs to, from 1. */
  attempt: number;
  /** In short, without secrets and personal data. */
  answer: string | null;
}

export interface TenantsTable {
  id: TenantId;
  customer_id: CustomerId;
  family: FamilyId;
  /** The provider's own id: the Microsoft tenant GUID, the Cloud Channel customer name. */
  external_id: string;
  domain: string;
  name: string;
  /** The country of the account it was made or won through, or null for its company's country. */
  country: Generated<Country | null>;
  /** When the account was last queued for a sync, or null for never. */
  sync_asked_at: Generated<Date | null>;
  created_at: Generated<Date>;
}
export type TenantRow = Selectable<TenantsTable>;

export interface InvitationsTable {
  id: InvitationId;
  order_id: OrderId;
  username: string;
  domain: string;
  tenant_external_id: string | null;
  status: InvitationStatus;
  /** The link for the approval. The provider is asked for it only once. */
  link: string | null;
  created_at: Generated<Date>;
  checked_at: Date | null;
  expires_at: Date;
  accepted_at: Date | null;
  /**
   * The last action of a person for it. The provider is polled often after it, and less and less later. Null means since its
   * creation.
   */
  watched_from: Generated<Date | null>;
}

/** A proof that a company controls a tenant. One row per proof, never changed. */
export interface ControlProofsTable {
  id: ControlProofId;
  customer_id: CustomerId;
  family: FamilyId;
  /** As in `tenants`, where the tenant need not have a row yet. */
  tenant_external_id: string;
  method: ControlMethod;
  /** The order for which it was given. */
  order_id: OrderId | null;
  /** The signer's object id in that tenant, and the role's template id. */
  subject: string | null;
  role: string | null;
  authenticated_at: Date;
  /** Null for a tenant that this store made, whose proof does not expire. */
  expires_at: Date | null;
  /** What staff saw, under which reference, and who of them; null for the other methods. */
  evidence: Generated<string | null>;
  reference: Generated<string | null>;
  bound_by: Generated<string | null>;
  created_at: Generated<Date>;
}

/** The value that an order requires in a domain's DNS. */
export interface DomainChallengesTable {
  order_id: OrderId;
  domain: string;
  value: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface SubscriptionsTable {
  id: SubscriptionId;
  customer_id: CustomerId;
  tenant_id: TenantId | null;
  order_id: OrderId | null;
  item_id: ItemId;
  family: FamilyId;
  external_id: string;
  domain: string;
  quantity: number;
  term: Term;
  billing_cycle: BillingCycle;
  status: SubscriptionStatus;
  parent_subscription_id: SubscriptionId | null;
  /** The start of the running term. */
  start_date: Date;
  /** The end of the last paid term, which is the running or the next one. */
  end_date: Date;
  /** Where the running term ends and the next begins, once the next is paid for. */
  next_term_start: Generated<Date | null>;
  /** Seats of the next term. */
  next_term_quantity: Generated<number | null>;
  /** The day of the month on which its terms end, as of its last renewal; null before the first. */
  anchor_day: Generated<number | null>;
  /** The hold: the one order that is changing it at its provider. */
  changing_order_id: Generated<OrderId | null>;
  /** Whether its vendor has suspended it. Its term runs on. */
  suspended: Generated<boolean>;
  /** Whether its vendor waits for the customer to accept its terms. */
  waits_for_terms: Generated<boolean>;
  /** The seats it had before the vendor reported fewer, until an order or a new term changes them. */
  reduced_from: Generated<number | null>;
  /** The end of the vendor's paid extension after the term; null when there is none. */
  extended_until: Generated<Date | null>;
  /** The end about which its owners were last reminded; null before the first time. */
  reminded_end: Generated<Date | null>;
  /** The days that were left at that reminder. */
  reminded_days: Generated<number | null>;
  /** When the vendor was last asked about it. An older answer is not written over a newer one. */
  read_at: Generated<Date | null>;
  created_at: Generated<Date>;
}
export type SubscriptionRow = Selectable<SubscriptionsTable>;

/** What a vendor last said of a subscription, as it said it. One that no vendor was asked about has no row. */
export interface VendorReadingsTable {
  subscription_id: SubscriptionId;
  /** False when the vendor did not have it. */
  is_there: boolean;
  state: "active" | "suspended" | "expired" | "cancelled" | null;
  quantity: number | null;
  term_start: Date | null;
  term_end: Date | null;
  at_end: "ends" | "renews" | "is extended" | null;
  /** Licences that are assigned to people, when the vendor last said so, and of how many. */
  in_use: Generated<number | null>;
  in_use_of: Generated<number | null>;
  in_use_read_at: Generated<Date | null>;
  read_at: Date;
}

export interface CredentialsTable {
  order_id: OrderId;
  /**
   * "sign-in" is shown to the buyer; "tenant-admin" is the provider's generated administrator; "transfer-token" is the
   * buyer's token for moving a Google customer to us.
   */
  purpose: "sign-in" | "tenant-admin" | "transfer-token";
  username: string;
  secret_ciphertext: string;
  created_at: Generated<Date>;
  /** When the buyer first saw them. `expires_at` applies from then on, except for a transfer token. */
  first_shown_at: Generated<Date | null>;
  expires_at: Date;
}
