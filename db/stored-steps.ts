/** Queries on the steps of carrying orders out: what was asked of a provider, under which request id, and what it brought. */
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { OrderId } from "./ids.ts";
import type { ProviderRequestsTable } from "./tables/fulfilment.ts";
import type { Db } from "./tables/index.ts";

export interface StoredStep {
  requestId: string;
  succeeded: boolean;
  unanswered: boolean;
  doubtful: boolean;
  /** As it was stored. */
  result: unknown;
}

export async function findStep(db: Db, orderId: OrderId, step: string): Promise<StoredStep | null> {
  const row = await db
    .selectFrom("provider_requests")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("step", "=", step)
    .executeTakeFirst();
  return row === undefined ? null : toStep(row);
}

function toStep(row: Selectable<ProviderRequestsTable>): StoredStep {
  const { request_id: requestId, status, unanswered, doubtful, result } = row;
  return { requestId, succeeded: status === "succeeded", unanswered, doubtful, result };
}

/** Writes a step down before its call. One that another worker has written meanwhile stays. */
export async function insertStep(
  db: Db,
  step: Pick<Insertable<ProviderRequestsTable>, "order_id" | "step" | "request_id">,
): Promise<void> {
  await db
    .insertInto("provider_requests")
    .values({ ...step, status: "sent" })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

export async function updateStep(
  db: Db,
  orderId: OrderId,
  step: string,
  changes: Pick<Updateable<ProviderRequestsTable>, "request_id" | "unanswered" | "doubtful">,
): Promise<void> {
  await change(db, orderId, step, changes);
}

/** Writes what a step brought, with the time by the database's clock, as other processes read it. */
export async function finishStep(db: Db, orderId: OrderId, step: string, result: unknown): Promise<void> {
  await change(db, orderId, step, {
    status: "succeeded",
    unanswered: false,
    result: JSON.stringify(result),
    finished_at: sql<Date>`now()`,
  });
}

type Changes = Omit<Updateable<ProviderRequestsTable>, "finished_at"> & { finished_at?: RawBuilder<Date> };

async function change(db: Db, orderId: OrderId, step: string, changes: Changes): Promise<void> {
  await db
    .updateTable("provider_requests")
    .set(changes)
    .where("order_id", "=", orderId)
    .where("step", "=", step)
    .execute();
}

/** True when the step has succeeded within so many minutes, by the database's clock. */
export async function isStepYoungerThan(
  db: Db,
  orderId: OrderId,
  step: string,
  minutes: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("provider_requests")
    .select("step")
    .where("order_id", "=", orderId)
    .where("step", "=", step)
    .where("finished_at", ">", sql<Date>`now() - make_interval(mins => ${minutes}::int)`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteStep(db: Db, orderId: OrderId, step: string): Promise<void> {
  await db.deleteFrom("provider_requests").where("order_id", "=", orderId).where("step", "=", step).execute();
}

/** The steps that have not succeeded. */
export async function deleteUnfinishedSteps(db: Db, orderId: OrderId): Promise<void> {
  await db
    .deleteFrom("provider_requests")
    .where("order_id", "=", orderId)
    .where("status", "=", "sent")
    .execute();
}

export async function hasSteps(db: Db, orderId: OrderId): Promise<boolean> {
  const step = await db
    .selectFrom("provider_requests")
    .select("step")
    .where("order_id", "=", orderId)
    .limit(1)
    .executeTakeFirst();
  return step !== undefined;
}

/** True when a step of the order that has not succeeded may have taken effect unheard. */
export async function hasStepInDoubt(db: Db, orderId: OrderId): Promise<boolean> {
  const doubtful = await db
    .selectFrom("provider_requests")
    .select("step")
    .where("order_id", "=", orderId)
    .where("status", "=", "sent")
    .where(({ eb, or }) => or([eb("unanswered", "=", true), eb("doubtful", "=", true)]))
    .limit(1)
    .executeTakeFirst();
  return doubtful !== undefined;
}
