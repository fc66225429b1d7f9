/** Queries on orders and renewals that a price change affects: drafts with a price hold, and renewals. */
import { sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import type { BillingCycle, Country, Term } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

/** Fields that determine the price of an order or a subscription. */
export interface PricingKey {
  readonly itemId: ItemId;
  readonly country: Country;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
}

/** Unpaid orders with the same pricing key. */
export interface PricedDrafts extends PricingKey {
  /** Whether their prices include sign-up and regular ones. */
  readonly hasSignup: boolean;
  readonly hasRegular: boolean;
  readonly count: number;
  /** Number of them with a proforma or a payment link that is still valid then. */
  readonly promised: number;
  /** Time at which the last of them gets the new price. */
  readonly until: Date;
}

/**
 * Counts orders in carts whose price is held at a moment: by their draft, or by a proforma or a payment link.
 * @param held.holdMs how long a draft keeps its price
 * @param held.signupSeats how many seats of an order with a sign-up price get it
 */
export async function countDraftsWithPriceHold(
  db: Db,
  at: Date,
  { holdMs, signupSeats }: { holdMs: number; signupSeats: number },
): Promise<PricedDrafts[]> {
  const pricedAfter = new Date(at.getTime() - holdMs);
  const asksUntil = sql<Date>`greatest(proformas.valid_until, payment_links.expires_at)`;
  const draftUntil = sql<Date>`orders.priced_at + ${holdMs}::double precision * interval '1 millisecond'`;
  const hasSignup = sql<boolean>`order_lines.signup_price_minor is not null`;
  const hasRegular = sql<boolean>`(order_lines.signup_price_minor is null or order_lines.quantity > ${sql.lit(signupSeats)})`;
  return db
    .with("promises", (qb) =>
      qb
        .selectFrom("payment_intents")
        .leftJoin("proformas", "proformas.intent_id", "payment_intents.id")
        .leftJoin("payment_links", "payment_links.intent_id", "payment_intents.id")
        .select(["payment_intents.order_id"])
        .select(sql<Date>`max(${asksUntil})`.as("until"))
        .where("payment_intents.status", "=", "open")
        .where(asksUntil, ">", at)
        .groupBy("payment_intents.order_id"),
    )
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .leftJoin("promises", "promises.order_id", "orders.id")
    .select(["order_lines.item_id as itemId", "country", "term", "billing_cycle as billingCycle"])
    .select([hasSignup.as("hasSignup"), hasRegular.as("hasRegular")])
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.count<number>("promises.order_id").as("promised"),
      sql<Date>`max(greatest(${draftUntil}, promises.until))`.as("until"),
    ])
    .where("payment_status", "in", ["none", "pending", "failed"])
    .where("removed_at", "is", null)
    .where(({ eb, or }) => or([eb("priced_at", ">", pricedAfter), eb("promises.order_id", "is not", null)]))
    .groupBy(["order_lines.item_id", "country", "term", "billing_cycle", hasSignup, hasRegular])
    .execute();
}

/** Active subscriptions with the same renewal price. */
export interface RenewalGroup extends PricingKey {
  readonly subscriptions: number;
  readonly seats: number;
}

/** Counts active subscriptions that are not suspended, with the seats of the last paid term. */
export async function countRenewable(db: Db): Promise<RenewalGroup[]> {
  return db
    .selectFrom(
      db
        .selectFrom("subscriptions")
        .innerJoin("customers", "customers.id", "subscriptions.customer_id")
        // All subscriptions are read, so the tenants are joined: `soldFrom` would query each one separately.
        .leftJoin("tenants", "tenants.id", "subscriptions.tenant_id")
        .select(({ fn }) => fn.coalesce("tenants.country", "customers.country").as("country"))
        .select(["item_id as itemId", "term", "billing_cycle as billingCycle"])
        .select(({ fn }) => fn.coalesce("next_term_quantity", "quantity").as("quantity"))
        .where("status", "=", "active")
        .where("suspended", "=", false)
        .as("held"),
    )
    .select(["itemId", "country", "term", "billingCycle"])
    .select(({ fn }) => [fn.countAll<number>().as("subscriptions"), fn.sum<number>("quantity").as("seats")])
    .groupBy(["itemId", "country", "term", "billingCycle"])
    .execute();
}
