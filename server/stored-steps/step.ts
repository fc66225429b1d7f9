/**
 * One provider write, done once. Its request id is stored before the call and re-sent on every try, and what it brought
 * is stored with the step, so that a worker that dies between any two lines here loses nothing and doubles nothing.
 */
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import { deleteStep, findStep, finishStep, insertStep, updateStep } from "#db/stored-steps.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { knowsRepeatsById, type Provider, ProviderError } from "#server/providers/errors.ts";

export interface Attempt {
  /** To be sent with the call: the same as last time until an answer lets it change. */
  requestId: string;
  /** True when an earlier try may have taken effect without us hearing of it: unanswered, or answered with a 5xx. */
  inDoubt: boolean;
  /** Asks something before the write. A question that fails has changed nothing, and leaves no doubt that was not there. */
  look<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/**
 * @param step its name within the order
 * @param schema what a stored result must be when it is read back
 * @param call makes the provider call
 * @param keep stored in the same transaction as the step's success: credentials, tenants
 * @throws ProviderError as the call does
 */
export async function providerStep<Schema extends z.ZodType, Kept extends z.output<Schema>>(
  { db }: Pick<Context, "db">,
  orderId: OrderId,
  step: string,
  schema: Schema,
  call: (attempt: Attempt) => Promise<Kept>,
  keep?: (trx: Trx, result: Kept) => Promise<void>,
): Promise<z.output<Schema>> {
  const earlier = await findStep(db, orderId, step);
  if (earlier?.succeeded) return schema.parse(earlier.result);
  if (earlier === null) {
    // Another worker that took this one for dead may be here too: then both send its id, and the provider does it once.
    await insertStep(db, { order_id: orderId, step, request_id: randomUUID() });
  } else if (!earlier.unanswered) {
    await updateStep(db, orderId, step, { request_id: randomUUID(), unanswered: true });
  }
  const written = await findStep(db, orderId, step);
  if (written === null) throw new RangeError(`The step ${step} was forgotten while it was begun`);

  const inDoubt = earlier !== null && (earlier.unanswered || earlier.doubtful);
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
    result = await call({ requestId: written.requestId, inDoubt, look });
  } catch (error) {
    if (error === failedLook) {
      await updateStep(db, orderId, step, {
        unanswered: earlier?.unanswered ?? false,
        doubtful: earlier?.doubtful ?? false,
      });
    } else if (error instanceof ProviderError && error.status !== undefined) {
      // A later clear answer does not settle what became of an earlier try: the doubt stays until the step succeeds.
      const doubtful = inDoubt || error.status >= 500;
      // Some want a new id after any answer. Who knows a repeat by nothing but the id gets it for as long as there is doubt.
      await updateStep(db, orderId, step, {
        unanswered: doubtful && knowsRepeatsById[error.provider],
        doubtful,
      });
    }
    throw error;
  }
  await db.transaction().execute(async (trx) => {
    await keep?.(trx, result);
    await finishStep(trx, orderId, step, schema.parse(result));
  });
  return schema.parse(result);
}

/** What the step had begun has failed and brought nothing: the next try begins it anew, under a new request id. */
export function forgetStep({ db }: Pick<Context, "db">, orderId: OrderId, step: string): Promise<void> {
  return deleteStep(db, orderId, step);
}

/** What a provider has begun is not done yet. No status: an answer that is still to come leaves its step in doubt. */
export function stillRunning(provider: Provider, what: string): ProviderError {
  return new ProviderError(provider, "transient", what, { code: "still_running" });
}
