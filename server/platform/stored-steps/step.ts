/**
 * Runs a provider write exactly once. The request id is stored before the call and sent again on every try, and the result is
 * stored with the step. A worker can crash at any line here without losing or repeating a write. A worker that freezes at any
 * line writes nothing more once another has taken the order over.
 */
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import { deleteStep, findStep, finishStep, insertStep, updateStep } from "#db/platform/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { isIdempotentByRequestId, type Provider, ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { requireRun } from "./run.ts";

export interface Attempt {
  /** Sent with the call. Stays the same until a response allows a new one. */
  requestId: string;
  /** Whether an earlier try may have taken effect although we do not know it: it had no response, or a 5xx. */
  inDoubt: boolean;
  /** Runs a read before the write. A failed read changes nothing, so it does not put the step in doubt. */
  look<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
}

/**
 * @param step its name within the order
 * @param schema validates the stored result
 * @param call makes the provider call
 * @param keep stores more in the same transaction as the step's success: credentials, tenants
 * @throws ProviderError as the call does; RunSupersededError
 */
export async function providerStep<Schema extends z.ZodType, Kept extends z.output<Schema>>(
  { db }: Pick<Context, "db">,
  orderId: OrderId,
  step: string,
  schema: Schema,
  call: (attempt: Attempt) => Promise<Kept>,
  keep?: (trx: Trx, result: Kept) => Promise<void>,
): Promise<z.output<Schema>> {
  const begun = await begin(db, orderId, step);
  if (begun.state === "succeeded") return schema.parse(begun.result);
  const { requestId, inDoubt, before } = begun;
  const change = (changes: Parameters<typeof updateStep>[3]) =>
    db.transaction().execute(async (trx) => {
      await requireRun(trx, orderId);
      await updateStep(trx, orderId, step, changes);
    });
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
      await change(before);
    } else if (error instanceof ProviderError && error.status !== undefined) {
      // A later clear response says nothing about an earlier try, so the doubt stays until the step succeeds.
      const doubtful = inDoubt || error.status >= 500;
      // Some providers need a new id after any response. A provider that detects repeats only by the id gets the same one while
      // there is doubt.
      await change({ unanswered: doubtful && isIdempotentByRequestId[error.provider], doubtful });
    }
    throw error;
  }
  await db.transaction().execute(async (trx) => {
    await requireRun(trx, orderId);
    await keep?.(trx, result);
    await finishStep(trx, orderId, step, schema.parse(result));
  });
  return schema.parse(result);
}

type Begun =
  | { state: "succeeded"; result: unknown }
  | {
      state: "sent";
      requestId: string;
      inDoubt: boolean;
      /** State of an earlier try. */
      before: { unanswered: boolean; doubtful: boolean };
    };

/** Stores that the call is about to be made. */
function begin(db: Db, orderId: OrderId, step: string): Promise<Begun> {
  return db.transaction().execute(async (trx) => {
    const requestId = randomUUID();
    const isNew = await insertStep(trx, { orderId, step, requestId });
    await requireRun(trx, orderId);
    const before = { unanswered: false, doubtful: false };
    if (isNew) return { state: "sent", requestId, inDoubt: false, before };
    const earlier = await findStep(trx, orderId, step);
    if (earlier === null) throw new RangeError(`The step ${step} was forgotten while it was begun`);
    const { unanswered, doubtful } = earlier;
    if (earlier.succeeded) return { state: "succeeded", result: earlier.result };
    if (!unanswered) await updateStep(trx, orderId, step, { requestId, unanswered: true });
    return {
      state: "sent",
      requestId: unanswered ? earlier.requestId : requestId,
      inDoubt: unanswered || doubtful,
      before: { unanswered, doubtful },
    };
  });
}

/** Deletes a step that failed without any effect. The next try starts with a new request id. @throws RunSupersededError */
export function forgetStep({ db }: Pick<Context, "db">, orderId: OrderId, step: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await requireRun(trx, orderId);
    await deleteStep(trx, orderId, step);
  });
}

/** Thrown when the provider has not finished yet. It has no status, so the step stays in doubt until the response arrives. */
export function stillRunning(provider: Provider, what: string): ProviderError {
  return new ProviderError(provider, "transient", what, { code: "still_running" });
}
