/** Queries on fulfilment steps: the request made to a provider, its request id, and its result. */
import { type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { ProviderRequestsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface StoredStep {
  requestId: string;
  succeeded: boolean;
  unanswered: boolean;
  doubtful: boolean;
  /** Validated by the caller. */
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

/** Stores a step as unanswered before its call. @returns false if it is stored already; it stays unchanged */
export async function insertStep(
  db: Db,
  { orderId, step, requestId }: { orderId: OrderId; step: string; requestId: string },
): Promise<boolean> {
  const result = await db
    .insertInto("provider_requests")
    .values({ order_id: orderId, step, request_id: requestId, status: "sent" })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateStep(
  trx: Trx,
  orderId: OrderId,
  step: string,
  { requestId, unanswered, doubtful }: Partial<Pick<StoredStep, "requestId" | "unanswered" | "doubtful">>,
): Promise<void> {
  // Kysely leaves out a column that is undefined.
  await change(trx, orderId, step, { request_id: requestId, unanswered, doubtful });
}

/** Stores a step's result, with the time of the database's clock, which all processes share. */
export async function finishStep(trx: Trx, orderId: OrderId, step: string, result: unknown): Promise<void> {
  await change(trx, orderId, step, {
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

/** Whether the step began within this many minutes, by the database's clock. */
export function didStepStartWithin(
  db: Db,
  orderId: OrderId,
  step: string,
  minutes: number,
): Promise<boolean> {
  return isWithin(db, { orderId, step, minutes, since: "created_at" });
}

/** Whether the step succeeded within this many minutes, by the database's clock. */
export function didStepFinishWithin(
  db: Db,
  orderId: OrderId,
  step: string,
  minutes: number,
): Promise<boolean> {
  return isWithin(db, { orderId, step, minutes, since: "finished_at" });
}

async function isWithin(
  db: Db,
  input: { orderId: OrderId; step: string; minutes: number; since: "created_at" | "finished_at" },
): Promise<boolean> {
  const row = await db
    .selectFrom("provider_requests")
    .select("step")
    .where("order_id", "=", input.orderId)
    .where("step", "=", input.step)
    .where(input.since, ">", sql<Date>`now() - make_interval(mins => ${input.minutes}::int)`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns those of these vendor orders that another of our orders has placed. */
export async function listVendorOrdersUsed(
  db: Db,
  vendorOrderIds: readonly string[],
  { except }: { except: OrderId },
): Promise<string[]> {
  if (vendorOrderIds.length === 0) return [];
  const vendorOrderId = sql<string>`result ->> 'orderId'`;
  const rows = await db
    .selectFrom("provider_requests")
    .select(vendorOrderId.as("id"))
    .where("step", "in", ["checkout", "placed-order"])
    .where(vendorOrderId, "in", vendorOrderIds)
    .where("order_id", "<>", except)
    .execute();
  return rows.map(({ id }) => id);
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

/** Whether a step of the order has taken effect, or may have. @param steps only these; any when left out */
export async function mayHaveTakenEffect(
  db: Db,
  orderId: OrderId,
  steps?: readonly string[],
): Promise<boolean> {
  const acted = await db
    .selectFrom("provider_requests")
    .select("step")
    .where("order_id", "=", orderId)
    .$if(steps !== undefined, (query) => query.where(sql<boolean>`step = any (${steps ?? []}::text[])`))
    .where(({ eb, or }) =>
      or([eb("status", "=", "succeeded"), eb("unanswered", "=", true), eb("doubtful", "=", true)]),
    )
    .limit(1)
    .executeTakeFirst();
  return acted !== undefined;
}

/** Whether a step of the order is in doubt: not succeeded, but possibly executed. */
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
