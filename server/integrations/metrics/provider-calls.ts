/** Counts calls to providers. A path may contain an id, a domain or a GSTIN, so the label is only the method. */

import { kindOfStatus, type Provider, type ProviderErrorKind } from "#server/integrations/errors.ts";
import type { ProviderCall } from "#server/integrations/response.ts";
import { providerDurations, providerRequests } from "./process-metrics.ts";

/** transient: may succeed later; unanswered: no complete response. */
type Outcome = "ok" | ProviderErrorKind | "unanswered";

export function countProviderCall({ provider, method, status, ms }: ProviderCall): void {
  const outcome = outcomeOf(provider, status);
  providerRequests.inc({ provider, call: method, outcome, code: status === null ? "none" : String(status) });
  providerDurations.observe({ provider, outcome }, ms / 1000);
}

/** Counts a status below 400 as a success, including 250 of a mail server. */
function outcomeOf(provider: Provider, status: number | null): Outcome {
  if (status === null) return "unanswered";
  return status < 400 ? "ok" : kindOfStatus(provider, status);
}
