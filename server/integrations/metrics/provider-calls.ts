/** Counts calls to providers. A path may hold an id, a domain or a GSTIN, so the call is told by its method alone. */

import { kindOfStatus, type Provider, type ProviderErrorKind } from "#server/integrations/errors.ts";
import type { ProviderCall } from "#server/integrations/response.ts";
import { providerDurations, providerRequests } from "./process-metrics.ts";

/** Transient = may succeed later; unanswered = no complete answer came. */
type Outcome = "ok" | ProviderErrorKind | "unanswered";

export function countProviderCall({ provider, method, status, ms }: ProviderCall): void {
  const outcome = outcomeOf(provider, status);
  providerRequests.inc({ provider, call: method, outcome, code: status === null ? "none" : String(status) });
  providerDurations.observe({ provider, outcome }, ms / 1000);
}

/** A status below 400 is an answer: 250 of a mail server too. */
function outcomeOf(provider: Provider, status: number | null): Outcome {
  if (status === null) return "unanswered";
  return status < 400 ? "ok" : kindOfStatus(provider, status);
}
