/**
 * Queries on subscriptions by the clock: whose end is near, whose next term begins, whose last one is over. What is being
 * carried out at a provider is left alone: an order that is paid and not done knows better what the row will be.
 */
import { type ExpressionBuilder, sql } from "kysely";
import type { CustomerId, SubscriptionId } from "./ids.ts";
import type { Country, Term } from "./tables/enums.ts";
import type { SubscriptionRow } from "./tables/fulfilment.ts";
import type { Database, Db, Trx } from "./tables/index.ts";

type Subscriptions = ExpressionBuilder<Database, "subscriptions">;

/** A renewal of it is paid and not carried out yet. */
const isBeingRenewed = ({ exists, selectFrom }: Subscriptions) =>
  exists(
    selectFrom("orders")
      .select("orders.id")
      .whereRef("orders.subscription_id", "=", "subscriptions.id")
      .where("orders.kind", "=", "RENEW")
      .where("orders.stage", "=", "stage3"),
  );

/** An order that holds it is paid and not done: at work, or given to a person because nobody knows what it has changed. */
const isHeld = ({ exists, selectFrom }: Subscriptions) =>
  exists(
    selectFrom("orders")
      .select("orders.id")
      .whereRef("orders.id", "=", "subscriptions.changing_order_id")
      .where("orders.stage", "=", "stage3"),
  );

export interface EndingRow {
  id: SubscriptionId;
  customer_id: CustomerId;
  term: Term;
  end_date: Date;
}

/**
 * Active subscriptions that end after `now` and no later than `until`, by id, from the one after `after` on: those without a
 * next term, paid for or being carried out.
 */
export async function listEndingRows(
  db: Db,
  { now, until, after, limit }: { now: Date; until: Date; after: SubscriptionId | null; limit: number },
): Promise<EndingRow[]> {
  return db
    .selectFrom("subscriptions")
    .select(["id", "customer_id", "term", "end_date"])
    .where("status", "=", "active")
    .where("end_date", ">", now)
    .where("end_date", "<=", until)
    .where("next_term_start", "is", null)
    .where((eb) => eb.not(isBeingRenewed(eb)))
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/**
 * Makes the next term the running one where it has begun. Two workers at once take different rows.
 * @returns whose, at most `limit`
 */
export async function beginNextTerms(trx: Trx, now: Date, limit: number): Promise<SubscriptionId[]> {
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
  const turned = await trx
    .updateTable("subscriptions")
    .set((eb) => ({
      // Both are there or neither is (subscriptions_next_term).
      start_date: sql<Date>`${eb.ref("next_term_start")}`,
      quantity: sql<number>`${eb.ref("next_term_quantity")}`,
      next_term_start: null,
      next_term_quantity: null,
    }))
    .where(
      "id",
      "in",
      due.map(({ id }) => id),
    )
    .where("next_term_start", "<=", now)
    .returning("id")
    .execute();
  return turned.map(({ id }) => id);
}

export type EndedRow = Pick<SubscriptionRow, "id" | "customer_id" | "end_date">;

/**
 * Writes down that a last term is over. Two workers at once take different rows.
 * @returns those it is over for, at most `limit`
 */
export async function expireEnded(trx: Trx, now: Date, limit: number): Promise<EndedRow[]> {
  const due = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where("status", "=", "active")
    .where("end_date", "<=", now)
    .where("next_term_start", "is", null)
    .where((eb) => eb.not(isHeld(eb)))
    .where((eb) => eb.not(isBeingRenewed(eb)))
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
    .returning(["id", "customer_id", "end_date"])
    .execute();
}

/** A subscription with what a mail about it says. */
export type NoticeRow = Pick<
  SubscriptionRow,
  "id" | "item_id" | "domain" | "quantity" | "term" | "billing_cycle" | "status" | "end_date"
> & { country: Country; item_name: string; item_active: boolean };

export async function findNoticeRow(db: Db, id: SubscriptionId): Promise<NoticeRow | null> {
  const row = await db
    .selectFrom("subscriptions")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .select([
      "subscriptions.id",
      "subscriptions.item_id",
      "subscriptions.domain",
      "subscriptions.quantity",
      "subscriptions.term",
      "subscriptions.billing_cycle",
      "subscriptions.status",
      "subscriptions.end_date",
      "customers.country",
      "catalogue_items.name as item_name",
      "catalogue_items.active as item_active",
    ])
    .where("subscriptions.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}
