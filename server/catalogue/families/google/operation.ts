/** Google's long-running operations: a write starts one, and its result is polled. */
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { Context } from "#server/platform/context.ts";
import { type Attempt, forgetStep, providerStep, stillRunning } from "#server/platform/stored-steps/step.ts";

const operationStep = z.object({ operation: z.string() });

/**
 * Runs a write that takes a request id, and returns the result of the operation it starts.
 * @param step its name within the order
 * @throws ProviderError; transient while the operation runs
 */
export async function googleOperation<T>(
  context: Context,
  orderId: OrderId,
  step: string,
  result: z.ZodType<T>,
  begin: (attempt: Attempt) => Promise<string>,
  secrets: readonly string[] = [],
): Promise<T> {
  const { operation } = await providerStep(context, orderId, step, operationStep, async (attempt) => ({
    operation: await begin(attempt),
  }));
  return resultOf(context, orderId, step, operation, result, secrets);
}

/**
 * Reads the result of the operation that a step started. The read is not part of that step: otherwise a refused read would
 * discard the write's request id.
 * @throws ProviderError; transient while the operation runs. A failed operation's step is deleted, so that the next try repeats
 * it.
 */
export async function resultOf<T>(
  context: Context,
  orderId: OrderId,
  step: string,
  operation: string,
  result: z.ZodType<T>,
  secrets: readonly string[] = [],
): Promise<T> {
  const found = await context.google.getOperation(operation, result, secrets);
  if (found.state === "done") return found.response;
  if (found.state === "pending") throw stillRunning("google", operation);
  await forgetStep(context, orderId, step);
  throw found.error;
}
