/** Queries on fulfilment steps: the request made to a provider, its request id, and its result. */
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { OrderId } from "./ids.ts";
import type { ProviderRequestsTable } from "./tables/fulfilment.ts";
import type { Db } from "./tables/index.ts";

export interface StoredStep {
  requestId: string;
  succeeded: boolean;
  unanswered: boolean;
  doubtful: boolean;
  /** As stored. */
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

/** Stores a step before its call. A step that another worker has stored meanwhile stays. */
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

/** Stores a step's result, with the time of the database's clock, which all processes share. */
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

/** True when the step succeeded within this many minutes, by the database's clock. */
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

/** Deletes the steps that have not succeeded. */
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

/** True when a step of the order is in doubt: not succeeded, but possibly carried out. */
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
