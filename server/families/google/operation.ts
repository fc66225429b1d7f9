/** Google's long-running operations: a write begins one, and its result is asked for until it is there. */
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { Context } from "#server/context.ts";
import { type Attempt, forgetStep, providerStep, stillRunning } from "../../stored-steps/step.ts";

/** What a write answers: the operation it began. */
const operationStep = z.object({ operation: z.string() });

/**
 * A write that takes a request id, with the result of the operation it begins.
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
 * What the operation that a step began has brought. Asking for it is no part of that step, or a question that is refused
 * would take the write's request id with it.
 * @throws ProviderError; transient while it runs. One that has failed is forgotten, to be begun anew.
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
