/**
 * Runs a provider write exactly once. The request id is stored before the call and sent again on every try, and the
 * result is stored with the step. A worker that crashes at any line here loses nothing and repeats nothing.
 */
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import { deleteStep, findStep, finishStep, insertStep, updateStep } from "#db/stored-steps.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { knowsRepeatsById, type Provider, ProviderError } from "#server/providers/errors.ts";

export interface Attempt {
  /** Sent with the call. Stays the same until an answer allows a new one. */
  requestId: string;
  /** True when an earlier try may have taken effect without our knowing: it was unanswered, or answered with a 5xx. */
  inDoubt: boolean;
  /** Runs a read before the write. A failed read has changed nothing, so it adds no doubt to the step. */
  look<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/**
 * @param step its name within the order
 * @param schema validates the stored result
 * @param call makes the provider call
 * @param keep stores more in the same transaction as the step's success: credentials, tenants
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
    // Another worker may be here too, because it took this one for dead. Both then send the stored id, and the provider
    // acts once.
    await insertStep(db, { orderId, step, requestId: randomUUID() });
  } else if (!earlier.unanswered) {
    await updateStep(db, orderId, step, { requestId: randomUUID(), unanswered: true });
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
      // A later clear answer says nothing about an earlier try, so the doubt stays until the step succeeds.
      const doubtful = inDoubt || error.status >= 500;
      // Some providers need a new id after any answer. A provider that detects repeats only by the id gets the same one
      // while there is doubt.
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

/** Deletes a step that failed without any effect. The next try starts anew, with a new request id. */
export function forgetStep({ db }: Pick<Context, "db">, orderId: OrderId, step: string): Promise<void> {
  return deleteStep(db, orderId, step);
}

/** The provider has not finished yet. The error has no status, so that the step stays in doubt until the answer comes. */
export function stillRunning(provider: Provider, what: string): ProviderError {
  return new ProviderError(provider, "transient", what, { code: "still_running" });
}
