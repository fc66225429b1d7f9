/**
 * Queries on subscriptions by date: ending soon, next term due, or ended. They skip subscriptions that a paid, unfinished order
 * is changing, because that order decides what happens to the row.
 */
import { type ExpressionBuilder, sql } from "kysely";
import type { CustomerId, SubscriptionId } from "#db/ids.ts";
import type { Country, FamilyId, Term } from "#db/tables/enums.ts";
import type { Database, Db, Trx } from "#db/tables/index.ts";
import { isToStop } from "./renewal-choices.ts";
import { isBeingRenewed, type Subscription } from "./subscriptions.ts";

type Subscriptions = ExpressionBuilder<Database, "subscriptions">;

/** Whether a paid, unfinished order holds it: one at work, or one that waits for a person because its effect is unknown. */
const isHeld = ({ exists, selectFrom }: Subscriptions) =>
  exists(
    selectFrom("orders")
      .select("orders.id")
      .whereRef("orders.id", "=", "subscriptions.changing_order_id")
      .where("orders.stage", "=", "stage3"),
  );

/** A subscription with a paid term that ends or begins, about which its company is mailed. */
export interface EndingSubscription {
  id: SubscriptionId;
  customerId: CustomerId;
  /** End of the last paid term. */
  end: Date;
}

/** A subscription whose next term has begun. */
export type StartedTerm = EndingSubscription & { family: FamilyId };

/** A subscription whose company is due a reminder. */
export type SubscriptionToRemind = EndingSubscription & { isToStop: boolean };

/**
 * Lists active subscriptions of this term that end after `now` and no later than `until`, first to end first. Leaves out
 * suspended ones, those with a paid next term or a renewal under way, and those whose company was last reminded of this end at
 * another number of days.
 * @param remindedAt days that were left at the last reminder; null for companies not reminded of this end yet
 */
export async function listToRemind(
  db: Db,
  {
    term,
    remindedAt,
    now,
    until,
    limit,
  }: { term: Term; remindedAt: number | null; now: Date; until: Date; limit: number },
): Promise<SubscriptionToRemind[]> {
  // Must match the expression of its index literally.
  const reminded = sql<number | null>`case when reminded_end = end_date then reminded_days end`;
  return db
    .selectFrom("subscriptions")
    .select(["id", "customer_id as customerId", "end_date as end", isToStop.as("isToStop")])
    .where("term", "=", term)
    .where(
      remindedAt === null ? sql<boolean>`(${reminded}) is null` : sql<boolean>`(${reminded}) = ${remindedAt}`,
    )
    .where("status", "=", "active")
    .where(sql<boolean>`not suspended`)
    .where("end_date", ">", now)
    .where("end_date", "<=", until)
    .where("next_term_start", "is", null)
    .where(({ not }) => not(isBeingRenewed))
    .orderBy("end_date")
    .limit(limit)
    .execute();
}

/**
 * Records that the company was reminded of this end, with the number of days left.
 * @returns false when the subscription has another end by now
 */
export async function markReminded(
  trx: Trx,
  { id, end }: EndingSubscription,
  days: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("subscriptions")
    .set(({ ref }) => ({ reminded_end: ref("end_date"), reminded_days: days }))
    .where("id", "=", id)
    // A JavaScript Date has no microseconds.
    .where(sql<boolean>`date_trunc('milliseconds', end_date) = ${end}`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** A subscription whose customer may still have to accept the vendor's terms. */
export type RecentlyStartedTerm = EndingSubscription & { family: FamilyId; externalId: string; start: Date };

/**
 * Lists active subscriptions of these families that were sold here and whose term began after `since` and by `until`. Sorted by
 * id, starting after `after`.
 */
export async function listTermsStartedIn(
  db: Db,
  {
    families,
    since,
    until,
    after,
    limit,
  }: { families: readonly FamilyId[]; since: Date; until: Date; after: SubscriptionId | null; limit: number },
): Promise<RecentlyStartedTerm[]> {
  return db
    .selectFrom("subscriptions")
    .select(["id", "customer_id as customerId", "family", "external_id as externalId"])
    .select(["start_date as start", "end_date as end"])
    .where("status", "=", "active")
    .where("family", "in", families)
    .where("order_id", "is not", null)
    .where("start_date", ">", since)
    .where("start_date", "<=", until)
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/**
 * Starts the next term of subscriptions where it is due. Concurrent workers take different rows (skip locked).
 * @returns the subscriptions, at most `limit`
 */
export async function beginNextTerms(trx: Trx, now: Date, limit: number): Promise<StartedTerm[]> {
  const due = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where("next_term_start", "<=", now)
    .where((eb) => eb.not(isHeld(eb)))
    .orderBy("next_term_start")
    .limit(limit)
    .forUpdate("subscriptions")
    .skipLocked()
    .execute();
  if (due.length === 0) return [];
  return trx
    .updateTable("subscriptions")
    .set((eb) => ({
      // Both columns are set or neither (constraint subscriptions_next_term).
      start_date: sql<Date>`${eb.ref("next_term_start")}`,
      quantity: sql<number>`${eb.ref("next_term_quantity")}`,
      next_term_start: null,
      next_term_quantity: null,
      reduced_from: null,
    }))
    .where(
      "id",
      "in",
      due.map(({ id }) => id),
    )
    .where("next_term_start", "<=", now)
    .returning(["id", "customer_id as customerId", "end_date as end", "family"])
    .execute();
}

/**
 * Marks subscriptions whose last term is over as expired. Concurrent workers take different rows (skip locked).
 * @returns the expired subscriptions, at most `limit`
 */
export async function expireEndedSubscriptions(
  trx: Trx,
  now: Date,
  limit: number,
): Promise<EndingSubscription[]> {
  const due = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where("status", "=", "active")
    .where("end_date", "<=", now)
    .where("next_term_start", "is", null)
    .where((eb) => eb.not(isHeld(eb)))
    .where(({ not }) => not(isBeingRenewed))
    .orderBy("end_date")
    .limit(limit)
    .forUpdate("subscriptions")
    .skipLocked()
    .execute();
  if (due.length === 0) return [];
  return trx
    .updateTable("subscriptions")
    .set({ status: "expired" })
    .where(
      "id",
      "in",
      due.map(({ id }) => id),
    )
    .where("status", "=", "active")
    .where("end_date", "<=", now)
    .returning(["id", "customer_id as customerId", "end_date as end"])
    .execute();
}

/** A subscription with the facts for an email about its end. */
export interface EndMailFacts
  extends Pick<
    Subscription,
    | "id"
    | "customerId"
    | "family"
    | "itemId"
    | "name"
    | "domain"
    | "quantity"
    | "term"
    | "billingCycle"
    | "status"
    | "end"
    | "extendedUntil"
  > {
  /** The company's country. */
  country: Country;
  /** Whether its plan is still on sale. */
  isSold: boolean;
}

export async function findEndMailFacts(db: Db, id: SubscriptionId): Promise<EndMailFacts | null> {
  const row = await db
    .selectFrom("subscriptions")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .select([
      "subscriptions.id",
      "subscriptions.customer_id as customerId",
      "subscriptions.family",
      "subscriptions.item_id as itemId",
      "catalogue_items.name",
      "subscriptions.domain",
      "subscriptions.quantity",
      "subscriptions.term",
      "subscriptions.billing_cycle as billingCycle",
      "subscriptions.status",
      "subscriptions.end_date as end",
      "subscriptions.extended_until as extendedUntil",
      "customers.country",
      "catalogue_items.active as isSold",
    ])
    .where("subscriptions.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}
