/** Distinguishes database failures from vendor failures, which may have the same code, such as a cut connection. */
import { isTransientDbError } from "#db/client.ts";
import { ProviderError } from "#server/integrations/errors.ts";

/** Whether an error is a transient database error, such as a lost session. */
export function isDatabaseAway(error: unknown): error is Error {
  return !(error instanceof ProviderError) && isTransientDbError(error);
}
