/** Queries on vendor pauses and the parked orders that wait for their end. */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface VendorPause {
  account: string;
  family: FamilyId;
  country: Country;
  reason: string;
  since: Date;
  /** The one order that may proceed as a trial; null while there is no trial. */
  trialOrderId: OrderId | null;
}

const pauses = (db: Db) =>
  db
    .selectFrom("vendor_pauses")
    .select(["account", "family", "country", "reason", "since", "trial_order_id as trialOrderId"]);

/** Begins a pause, or locks the existing one. @returns true when this call began it */
export async function insertPause(
  trx: Trx,
  { account, family, country, reason }: Omit<VendorPause, "since" | "trialOrderId">,
): Promise<boolean> {
  const { is_new } = await trx
    .insertInto("vendor_pauses")
    .values({ account, family, country, reason })
    // Changes nothing, but locks the row, so that the pause cannot end unnoticed.
    .onConflict((oc) => oc.column("account").doUpdateSet({ account }))
    .returning(sql<boolean>`xmax = 0`.as("is_new"))
    .executeTakeFirstOrThrow();
  return is_new;
}

/** Reads the pause with a shared lock, so that it cannot end before the transaction does. */
export async function readPauseShared(trx: Trx, account: string): Promise<VendorPause | null> {
  return (await pauses(trx).where("account", "=", account).forShare().executeTakeFirst()) ?? null;
}

export async function readPauseLocked(trx: Trx, account: string): Promise<VendorPause | null> {
  return (await pauses(trx).where("account", "=", account).forUpdate().executeTakeFirst()) ?? null;
}

export async function findPause(db: Db, account: string): Promise<VendorPause | null> {
  return (await pauses(db).where("account", "=", account).executeTakeFirst()) ?? null;
}

/** Lists all pauses, oldest first, each with its number of parked orders. */
export async function listPauses(db: Db): Promise<(VendorPause & { waiting: number })[]> {
  return pauses(db)
    .select((eb) =>
      eb
        .selectFrom("fulfilments")
        .select(({ fn }) => fn.countAll<number>().as("waiting"))
        .whereRef("fulfilments.held_for", "=", "vendor_pauses.account")
        .as("counted"),
    )
    .orderBy("since")
    .execute()
    .then((rows) => rows.map(({ counted, ...pause }) => ({ ...pause, waiting: Number(counted ?? 0) })));
}

export async function setTrial(trx: Trx, account: string, orderId: OrderId | null): Promise<void> {
  await trx
    .updateTable("vendor_pauses")
    .set({ trial_order_id: orderId })
    .where("account", "=", account)
    .execute();
}

export async function deletePause(trx: Trx, account: string): Promise<void> {
  await trx.deleteFrom("vendor_pauses").where("account", "=", account).execute();
}

/** Parks an order until the account's pause ends. A parked order has no job. */
export async function parkFulfilment(trx: Trx, orderId: OrderId, account: string): Promise<void> {
  await trx
    .updateTable("fulfilments")
    .set({ status: "queued", held_for: account, updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}

/** Finds the next order to try: the first paid one without a trial, else the one whose trial was longest ago. */
export async function findTrialOrder(trx: Trx, account: string): Promise<OrderId | null> {
  const row = await trx
    .selectFrom("fulfilments")
    .innerJoin("orders", "orders.id", "fulfilments.order_id")
    .select("fulfilments.order_id")
    .where("held_for", "=", account)
    .orderBy("trial_at", (order) => order.nullsFirst())
    .orderBy("orders.paid_at")
    .limit(1)
    .executeTakeFirst();
  return row?.order_id ?? null;
}

export async function markTrialStarted(trx: Trx, orderId: OrderId): Promise<void> {
  await trx
    .updateTable("fulfilments")
    .set({ held_for: null, trial_at: sql<Date>`now()`, updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}

/** Releases the account's parked orders. @returns the orders, in the order of their payment */
export async function releaseParked(trx: Trx, account: string): Promise<OrderId[]> {
  const held = await trx
    .selectFrom("fulfilments")
    .innerJoin("orders", "orders.id", "fulfilments.order_id")
    .select("fulfilments.order_id")
    .where("held_for", "=", account)
    .orderBy("orders.paid_at")
    .orderBy("orders.id")
    .execute();
  await trx
    .updateTable("fulfilments")
    .set({ held_for: null, trial_at: null, updated_at: new Date() })
    .where("held_for", "=", account)
    .execute();
  return held.map(({ order_id }) => order_id);
}

/** Whether fulfilment is queued or running: not done, and not waiting for staff or the buyer. */
export async function isInProgress(trx: Trx, orderId: OrderId): Promise<boolean> {
  const order = await trx
    .selectFrom("orders")
    .select("id")
    .where("id", "=", orderId)
    .where("fulfilment_status", "in", ["queued", "running"])
    .executeTakeFirst();
  return order !== undefined;
}
