/**
 * One provider write, done once. Its request id is stored before the call and re-sent on every try, and what it brought
 * is stored with the step, so that a worker that dies between any two lines here loses nothing and doubles nothing.
 */
import { randomUUID } from "node:crypto";
import type { Updateable } from "kysely";
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
}

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
  const update = (to: Db, changes: Updateable<ProviderRequestsTable>) =>
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
  let result: Kept;
  try {
    result = await call({ requestId, inDoubt });
  } catch (error) {
    if (error instanceof ProviderError && error.status !== undefined) {
      // A later clear answer does not settle what became of an earlier try: the doubt stays until the step succeeds.
      const doubtful = inDoubt || error.status >= 500;
      // Microsoft wants a new id after any answer. Google knows a repeat by nothing but the id: it stays while there is
      // doubt (PROVIDERS sections 1 and 2).
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
      finished_at: new Date(),
    });
  });
  return schema.parse(result);
}

/** What the step had begun has failed and brought nothing: the next try begins it anew, under a new request id. */
export async function forgetStep({ db }: Context, orderId: OrderId, step: string): Promise<void> {
  await db.deleteFrom("provider_requests").where("order_id", "=", orderId).where("step", "=", step).execute();
}
