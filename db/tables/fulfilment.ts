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
  /** Refusals that the order has met, by name: the first time, the number, and when the next try was due. */
  met: ColumnType<unknown, string | undefined, string>;
  /** Vendor account whose pause the order waits for. */
  held_for: Generated<string | null>;
  /** Last time that the order was tried ahead of the others in a pause, to see whether the vendor accepts orders again. */
  trial_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** A vendor account that accepts nothing from us, until a probe and a first order succeed. */
export interface VendorPausesTable {
  account: string;
  /** Family and country of the order that met the refusal. */
  family: FamilyId;
  country: Country;
  reason: string;
  since: Generated<Date>;
  /** The only order that may be tried. */
  trial_order_id: Generated<OrderId | null>;
}

export interface ProviderRequestsTable {
  order_id: OrderId;
  step: string;
  /** Sent with the call and with every retry, so that the provider acts only once. */
  request_id: string;
  status: "sent" | "succeeded";
  /**
   * Set before a call and cleared by its response, so that a process that dies in between leaves the step in doubt. After a 5xx
   * it stays set for providers that recognise a repeat only by its request id.
   */
  unanswered: Generated<boolean>;
  /** Whether an attempt may have taken effect without a response. Stays true until the step succeeds. */
  doubtful: Generated<boolean>;
  result: NullableJson;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

/** Run that works on an order's stored steps: the newest. The row is deleted when it ends. */
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
  /** Null without a response. */
  status: number | null;
  ms: number;
  /** Number of the job's or order's try that made the call, from 1. */
  attempt: number;
  /** Shortened, without secrets and personal data. */
  answer: string | null;
}

export interface TenantsTable {
  id: TenantId;
  customer_id: CustomerId;
  family: FamilyId;
  /** The provider's id: the Microsoft tenant GUID, the Cloud Channel customer name. */
  external_id: string;
  domain: string;
  name: string;
  /** Country of the partner account that created or gained it; null for its company's country. */
  country: Generated<Country | null>;
  /** Time at which a sync was last queued; null for never. */
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
  /** Link for the approval. The provider is asked for it only once. */
  link: string | null;
  created_at: Generated<Date>;
  checked_at: Date | null;
  expires_at: Date;
  accepted_at: Date | null;
  /** Last action of a person for it. The provider is polled often after it, then less and less. Null means since its creation. */
  watched_from: Generated<Date | null>;
}

/** A proof that a company controls a tenant. One row per proof, never changed. */
export interface ControlProofsTable {
  id: ControlProofId;
  customer_id: CustomerId;
  family: FamilyId;
  /** Id as in `tenants`, although the tenant might not have a row yet. */
  tenant_external_id: string;
  method: ControlMethod;
  /** Order for which it was given. */
  order_id: OrderId | null;
  /** Object id of the signer in that tenant, and template id of the role. */
  subject: string | null;
  role: string | null;
  authenticated_at: Date;
  /** Null for a tenant that the store created, whose proof does not expire. */
  expires_at: Date | null;
  /** Evidence that staff saw, its reference, and the member of staff; null for the other methods. */
  evidence: Generated<string | null>;
  reference: Generated<string | null>;
  bound_by: Generated<string | null>;
  created_at: Generated<Date>;
}

/** Value that an order requires in a domain's DNS. */
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
  /** Start of the running term. */
  start_date: Date;
  /** End of the last paid term, which is the running or the next one. */
  end_date: Date;
  /** End of the running term and start of the next, once the next is paid for. */
  next_term_start: Generated<Date | null>;
  /** Seats of the next term. */
  next_term_quantity: Generated<number | null>;
  /** Day of the month on which its terms end, as of its last renewal; null before the first. */
  anchor_day: Generated<number | null>;
  /** Subscription lock: the only order that is changing it at its vendor. */
  changing_order_id: Generated<OrderId | null>;
  /** Whether its vendor has suspended it. Its term continues. */
  suspended: Generated<boolean>;
  /** Whether its vendor waits for the customer to accept its terms. */
  waits_for_terms: Generated<boolean>;
  /** Seats before the vendor reported fewer, until an order or a new term changes them. */
  reduced_from: Generated<number | null>;
  /** End of the vendor's paid extension after the term; null when there is none. */
  extended_until: Generated<Date | null>;
  /** Term end of the last reminder to its owners; null before the first. */
  reminded_end: Generated<Date | null>;
  /** Days that were left at that reminder. */
  reminded_days: Generated<number | null>;
  /** Time of the vendor's last response about it. An older response does not overwrite a newer one. */
  read_at: Generated<Date | null>;
  created_at: Generated<Date>;
}
export type SubscriptionRow = Selectable<SubscriptionsTable>;

/** A vendor's latest description of a subscription, as received. A subscription never read has no row. */
export interface VendorReadingsTable {
  subscription_id: SubscriptionId;
  /** Whether the vendor has it. */
  is_there: boolean;
  state: "active" | "suspended" | "expired" | "cancelled" | null;
  quantity: number | null;
  term_start: Date | null;
  term_end: Date | null;
  at_end: "ends" | "renews" | "is extended" | null;
  /** Assigned licences at the vendor's last report, and the total at that time. */
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
  /** Time at which the buyer first saw them. `expires_at` applies from then on, except for a transfer token. */
  first_shown_at: Generated<Date | null>;
  expires_at: Date;
}
