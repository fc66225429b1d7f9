/** Queries on the progress of fulfilment: one row per order, separate from the job that works on it. */
import { sql } from "kysely";
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { FulfilmentsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A kind of error that an order has met: since when, and how often. Dates are by the database's clock. */
export interface EncounteredError {
  since: Date;
  /** The time at which the next try was due. */
  due: Date;
  times: number;
}

export const encounteredErrorsSchema = z.record(
  z.string(),
  z.object({ since: z.coerce.date(), due: z.coerce.date(), times: z.number() }),
);

export interface RetryState {
  attempts: number;
  /** Keyed by the name of the error. */
  met: Readonly<Record<string, EncounteredError>>;
  /** The database's time. */
  now: Date;
}

/** Inserts the order's row; does nothing if it exists. @returns the order's family */
export async function insertFulfilment(trx: Trx, orderId: OrderId): Promise<FamilyId> {
  await trx
    .insertInto("fulfilments")
    .values({ order_id: orderId, status: "queued" })
    .onConflict((oc) => oc.column("order_id").doNothing())
    .execute();
  const { family } = await trx
    .selectFrom("orders")
    .select("family")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  return family;
}

export async function updateFulfilment(
  trx: Trx,
  orderId: OrderId,
  changes: { status: FulfilmentsTable["status"]; lastError?: string | null },
): Promise<void> {
  const { status, lastError } = changes;
  await trx
    .updateTable("fulfilments")
    // Kysely leaves out a column that is undefined.
    .set({ status, last_error: lastError, updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}

export async function readRetryState(trx: Trx, orderId: OrderId): Promise<RetryState> {
  const { attempts, met, now } = await trx
    .selectFrom("fulfilments")
    .select(["attempts", "met", sql<Date>`now()`.as("now")])
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow();
  return { attempts, met: encounteredErrorsSchema.parse(met), now };
}

/** Counts an order's failed attempts. */
export async function countFailedAttempts(db: Db, orderId: OrderId): Promise<number> {
  const row = await db
    .selectFrom("fulfilments")
    .select("attempts")
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return row?.attempts ?? 0;
}

/** Counts a failed attempt. @returns the new number of failed attempts */
export async function recordFailedAttempt(
  trx: Trx,
  orderId: OrderId,
  { met, error }: { met: RetryState["met"]; error: string },
): Promise<number> {
  const { attempts } = await trx
    .updateTable("fulfilments")
    .set((eb) => ({
      attempts: eb("attempts", "+", 1),
      met: JSON.stringify(met),
      last_error: error,
      updated_at: new Date(),
    }))
    .where("order_id", "=", orderId)
    .returning("attempts")
    .executeTakeFirstOrThrow();
  return attempts;
}

/** Resets the attempts and forgets the errors met, as if the order had never failed. */
export async function resetRetryState(trx: Trx, orderId: OrderId): Promise<void> {
  await trx
    .updateTable("fulfilments")
    .set({ status: "queued", attempts: 0, met: "{}", updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}

export async function deleteFulfilment(db: Db, orderId: OrderId): Promise<void> {
  await db.deleteFrom("fulfilments").where("order_id", "=", orderId).execute();
}
