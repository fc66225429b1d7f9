/** Tells failures of the database from those of vendors, which may have the same code: a connection that was cut, say. */
import { isTransientDbError } from "#db/client.ts";
import { ProviderError } from "#server/integrations/errors.ts";

/** Whether an error is a transient one of the database, as when its session was lost. */
export function isDatabaseAway(error: unknown): error is Error {
  return !(error instanceof ProviderError) && isTransientDbError(error);
}
