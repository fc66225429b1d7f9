/**
 * One provider write, done once. Its request id is stored before the call and re-sent on every try, and what it brought
 * is stored with the step, so that a worker that dies between any two lines here loses nothing and doubles nothing.
 */
import { randomUUID } from "node:crypto";
import { type RawBuilder, sql, type Updateable } from "kysely";
import type { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { ProviderRequestsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { ProviderError } from "#server/providers/errors.ts";

export interface Attempt {
  /** To be sent with the call: the same as last time until an answer lets it change. */
  requestId: string;
  /** True when an earlier try may have taken effect without us hearing of it: unanswered, or answered with a 5xx. */
  inDoubt: boolean;
  /** Asks something before the write. A question that fails has changed nothing, and leaves no doubt that was not there. */
  look<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/** By the database's clock, as other processes read it. */
type Changes = Omit<Updateable<ProviderRequestsTable>, "finished_at"> & { finished_at?: RawBuilder<Date> };

/**
 * @param step its name within the order
 * @param schema what a stored result must be when it is read back
 * @param call makes the provider call
 * @param keep stored in the same transaction as the step's success: credentials, tenants
 * @throws ProviderError as the call does
 */
export async function providerStep<Schema extends z.ZodType, Kept extends z.output<Schema>>(
  context: Context,
  orderId: OrderId,
  step: string,
  schema: Schema,
  call: (attempt: Attempt) => Promise<Kept>,
  keep?: (trx: Trx, result: Kept) => Promise<void>,
): Promise<z.output<Schema>> {
  const { db } = context;
  const row = () =>
    db.selectFrom("provider_requests").selectAll().where("order_id", "=", orderId).where("step", "=", step);
  const update = (to: Db, changes: Changes) =>
    to
      .updateTable("provider_requests")
      .set(changes)
      .where("order_id", "=", orderId)
      .where("step", "=", step)
      .execute();

  const earlier = await row().executeTakeFirst();
  if (earlier?.status === "succeeded") return schema.parse(earlier.result);
  if (earlier === undefined) {
    await db
      .insertInto("provider_requests")
      .values({ order_id: orderId, step, request_id: randomUUID(), status: "sent" })
      // Another worker that took this one for dead may be here too: then both send its id, and the provider does it once.
      .onConflict((oc) => oc.doNothing())
      .execute();
  } else if (!earlier.unanswered) {
    await update(db, { request_id: randomUUID(), unanswered: true });
  }
  const { request_id: requestId } = await row().executeTakeFirstOrThrow();

  const inDoubt = earlier !== undefined && (earlier.unanswered || earlier.doubtful);
  let failedLook: unknown = null;
  const look: Attempt["look"] = async (ask) => {
    try {
      return await ask();
    } catch (error) {
      failedLook = error;
      throw error;
    }
  };
  let result: Kept;
  try {
    result = await call({ requestId, inDoubt, look });
  } catch (error) {
    if (error === failedLook) {
      await update(db, {
        unanswered: earlier?.unanswered ?? false,
        doubtful: earlier?.doubtful ?? false,
      });
    } else if (error instanceof ProviderError && error.status !== undefined) {
      // A later clear answer does not settle what became of an earlier try: the doubt stays until the step succeeds.
      const doubtful = inDoubt || error.status >= 500;
      // Microsoft wants a new id after any answer. Google knows a repeat by nothing but the id: it stays while there is
      // doubt (docs/providers.md, sections 1.2 and 2.1).
      await update(db, { unanswered: doubtful && error.provider === "google", doubtful });
    }
    throw error;
  }
  await db.transaction().execute(async (trx) => {
    await keep?.(trx, result);
    await update(trx, {
      status: "succeeded",
      unanswered: false,
      result: JSON.stringify(schema.parse(result)),
      finished_at: sql<Date>`now()`,
    });
  });
  return schema.parse(result);
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

/** What the step had begun has failed and brought nothing: the next try begins it anew, under a new request id. */
export async function forgetStep({ db }: Context, orderId: OrderId, step: string): Promise<void> {
  await db.deleteFrom("provider_requests").where("order_id", "=", orderId).where("step", "=", step).execute();
}
