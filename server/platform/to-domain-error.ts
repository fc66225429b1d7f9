/** Maps a thrown error to the refusal that a user may see; null for our own faults. Pages and API calls both use it. */
import { isReadOnlyViolation } from "#db/client.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { Log } from "#server/foundation/log.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { isDatabaseAway } from "./database-failure.ts";

const busySeconds = 5;

/** Logs a provider's own text only. The user learns that it failed and what to do. */
export function toDomainError(error: unknown, log: Log): DomainError | null {
  if (error instanceof DomainError) return error;
  if (isDatabaseAway(error)) {
    log.warn({ err: error }, "the database was too busy for a request");
    return new DomainError("busy", msg("errors.busy"), { retryAfterSeconds: busySeconds });
  }
  if (isReadOnlyViolation(error)) return new DomainError("forbidden", msg("storeView.readOnly"));
  if (!(error instanceof ProviderError)) return null;
  log.warn({ err: error, description: error.description }, "a provider call failed");
  if (error.kind === "refused") {
    return new DomainError("provider_refused", msg("errors.providerRefused"));
  }
  if (error.kind === "misconfigured") {
    return new DomainError("provider_unavailable", msg("errors.providerMisconfigured"));
  }
  return new DomainError("provider_unavailable", msg("errors.providerSilent"), {
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  });
}
