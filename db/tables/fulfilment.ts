/** Carrying out a paid order: its progress, the provider requests made for it, and what they brought into being. */
import type { Generated, Selectable } from "kysely";
import type {
  ControlProofId,
  CustomerId,
  InvitationId,
  ItemId,
  OrderId,
  SubscriptionId,
  TenantId,
} from "../ids.ts";
import type {
  BillingCycle,
  ControlMethod,
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
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ProviderRequestsTable {
  order_id: OrderId;
  step: string;
  /** Sent with the call and re-sent on every retry, so that the provider does it once. */
  request_id: string;
  status: "sent" | "succeeded";
  /** True from before a call until its answer is written: what a process that died left in doubt. */
  unanswered: Generated<boolean>;
  /** True once a try may have taken effect unheard; stays until the step succeeds. */
  doubtful: Generated<boolean>;
  result: NullableJson;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

export interface TenantsTable {
  id: TenantId;
  customer_id: CustomerId;
  family: FamilyId;
  /** The provider's own id: the Microsoft tenant GUID, the Cloud Channel customer name. */
  external_id: string;
  domain: string;
  name: string;
  /** When the account was last put on the queue to be synced; null for never. */
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
  /** Where the buyer approves; asked of the provider once. */
  link: string | null;
  created_at: Generated<Date>;
  checked_at: Date | null;
  expires_at: Date;
  accepted_at: Date | null;
  /** The last act of a person for it: the provider is asked often soon after, and less and less later. Null = when it was made. */
  watched_from: Generated<Date | null>;
}

/** That a company controls a tenant. One row an act of proof; none is ever changed. */
export interface ControlProofsTable {
  id: ControlProofId;
  customer_id: CustomerId;
  family: FamilyId;
  /** As in `tenants`; the tenant need not have a row there yet. */
  tenant_external_id: string;
  method: ControlMethod;
  /** The order it was given for. */
  order_id: OrderId | null;
  /** Who signed in: the person's object id in that tenant, and the role's template id. */
  subject: string | null;
  role: string | null;
  authenticated_at: Date;
  /** Null for what this store made: that does not age. */
  expires_at: Date | null;
  created_at: Generated<Date>;
}

/** The value that an order asks for in a domain's DNS. */
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
  /** Of the running term. */
  start_date: Date;
  /** Of the last term that is paid for: the running one, or the next. */
  end_date: Date;
  /** Where the running term ends and the next begins, once that is paid for. */
  next_term_start: Generated<Date | null>;
  /** Seats of the next term. */
  next_term_quantity: Generated<number | null>;
  /** The order that is changing it at its provider: one at a time. */
  changing_order_id: Generated<OrderId | null>;
  created_at: Generated<Date>;
}
export type SubscriptionRow = Selectable<SubscriptionsTable>;

export interface CredentialsTable {
  order_id: OrderId;
  /**
   * "sign-in" is what the buyer is shown; "tenant-admin" is the provider's generated administrator; "transfer-token" is
   * what the buyer gave us to take a Google customer over.
   */
  purpose: "sign-in" | "tenant-admin" | "transfer-token";
  username: string;
  secret_ciphertext: string;
  created_at: Generated<Date>;
  /** When the buyer first saw them; from then on `expires_at` counts for everything but a transfer token. */
  first_shown_at: Generated<Date | null>;
  expires_at: Date;
}
