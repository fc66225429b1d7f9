/** A subscription as the rest of the product knows it: what a company holds, until when, and what is paid for after that. */
import { type CustomerId, type ItemId, parseId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import { findSubscriptionRow, lockSubscriptionRow, type NamedSubscriptionRow } from "#db/subscriptions.ts";
import type { BillingCycle, FamilyId, SubscriptionStatus, Term } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { notFound } from "#server/errors.ts";
import { hasEnded, mayRenew } from "./days.ts";

export interface Subscription {
  id: SubscriptionId;
  customerId: CustomerId;
  tenantId: TenantId | null;
  itemId: ItemId;
  name: string;
  family: FamilyId;
  /** The provider's own id of it. */
  externalId: string;
  domain: string;
  /** Seats of the running term. */
  quantity: number;
  term: Term;
  billingCycle: BillingCycle;
  status: SubscriptionStatus;
  parentSubscriptionId: SubscriptionId | null;
  /** Of the running term. */
  start: Date;
  /** Of the last term that is paid for: the running one, or the next. */
  end: Date;
  /** The next term, once it is paid for while the running one still runs. */
  next: { start: Date; quantity: number } | null;
  /** True while an order that is paid changes it at its provider. */
  isBeingChanged: boolean;
}

export async function findSubscription(db: Db, id: SubscriptionId): Promise<Subscription | null> {
  const row = await findSubscriptionRow(db, id);
  return row === null ? null : toSubscription(row);
}

/**
 * A company's own subscription. Anything else is a 404, whether it exists or not (docs/decisions/security.md).
 * @throws DomainError not_found
 */
export async function getSubscriptionOf(
  db: Db,
  customerId: CustomerId | null,
  id: string,
): Promise<Subscription> {
  const parsed = parseId<SubscriptionId>(id);
  const found = parsed === null ? null : await findSubscription(db, parsed);
  if (found === null || customerId === null || found.customerId !== customerId)
    throw notFound("subscription");
  return found;
}

/** Reads and holds it until the transaction ends. @throws DomainError not_found */
export async function lockSubscription(trx: Trx, id: SubscriptionId): Promise<Subscription> {
  const row = await lockSubscriptionRow(trx, id);
  if (row === null) throw notFound("subscription");
  return toSubscription(row);
}

/** False once its last term is over, whether or not the expiry job has written that down. */
export function isRunning({ status, end }: Pick<Subscription, "status" | "end">, now: Date): boolean {
  return !hasEnded({ status, end_date: end }, now);
}

/** Within 30 days of the end and ever after, once a term (docs/decisions/renewal.md). */
export function isRenewable({ status, end, next }: Subscription, now: Date): boolean {
  return mayRenew({ status, end_date: end, next_term_start: next?.start ?? null }, now);
}

function toSubscription(row: NamedSubscriptionRow): Subscription {
  const { next_term_start: start, next_term_quantity: quantity } = row;
  return {
    id: row.id,
    customerId: row.customer_id,
    tenantId: row.tenant_id,
    itemId: row.item_id,
    name: row.item_name,
    family: row.family,
    externalId: row.external_id,
    domain: row.domain,
    quantity: row.quantity,
    term: row.term,
    billingCycle: row.billing_cycle,
    status: row.status,
    parentSubscriptionId: row.parent_subscription_id,
    start: row.start_date,
    end: row.end_date,
    next: start === null || quantity === null ? null : { start, quantity },
    isBeingChanged: row.changing_order_id !== null,
  };
}
