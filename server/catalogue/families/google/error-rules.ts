/** Google's refusals and their effect on an order: the table of docs/providers.md, section 2.5. The waits are our choice. */

import { tenantAgeMs } from "#db/accounts/tenants.ts";
import type { Order } from "#db/orders/order.ts";
import type { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import {
  type ErrorPolicy,
  type ErrorRule,
  inProgressRetry,
  newResourceRetry,
  policyByRules,
  throttledRetry,
  transientRetry,
} from "../error-policies.ts";
import { notFoundByName } from "../vendor-catalogue.ts";

export interface RefusedAt {
  /** Milliseconds since this order created the customer's identity; null when it created none. */
  identityAgeMs: number | null;
}

const newForMs = 2 * 60 * 60 * 1_000;

export const googleErrorRules: readonly ErrorRule<RefusedAt>[] = [
  {
    name: "token",
    status: [400, 401],
    codes: ["invalid_grant", "invalid_client", "unauthorized_client", "access_denied", "UNAUTHENTICATED"],
    meaning: "Google rejected the service account's key, its delegation or the administrator it acts for.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "unauthorised",
    status: [401],
    meaning: "Google does not accept the service account's token.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "operation at work",
    status: [],
    codes: ["still_running"],
    meaning: "Google has accepted the change and is still making it.",
    verdict: { action: "retry", retry: inProgressRetry },
  },
  {
    name: "too many calls",
    status: [403, 429],
    codes: ["RESOURCE_EXHAUSTED", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"],
    meaning: "We've used up a Google quota for now.",
    verdict: { action: "retry", retry: throttledRetry },
  },
  {
    name: "service error",
    status: [500, 503, 504, 409],
    codes: ["UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN", "ABORTED", "CANCELLED"],
    meaning: "Google had an error, or the same resource is being changed elsewhere.",
    verdict: { action: "retry", retry: transientRetry },
  },
  {
    name: "new domain",
    status: [404],
    codes: ["NOT_FOUND", "notFound"],
    when: ({ identityAgeMs }) => identityAgeMs !== null && identityAgeMs < newForMs,
    meaning: "The domain is new at Google and not known everywhere yet.",
    verdict: { action: "retry", retry: newResourceRetry },
  },
  {
    name: "domain taken",
    status: [409],
    codes: ["DOMAIN_TAKEN_MEANWHILE"],
    meaning: "Someone else has signed up to Google with this domain since we checked it.",
    verdict: { action: "needs-attention" },
  },
  {
    name: "not on sale",
    status: [],
    codes: ["NO_OFFER", "no_offer", notFoundByName],
    meaning:
      "Google doesn't offer this plan with an annual commitment. Fix the catalogue and refund the order.",
    verdict: { action: "needs-attention" },
  },
  {
    name: "not allowed",
    status: [403],
    codes: ["PERMISSION_DENIED", "forbidden"],
    meaning: "Our reseller administrator isn't allowed to do this for this customer.",
    verdict: { action: "needs-attention" },
  },
  {
    name: "not possible",
    status: [400, 404, 409],
    codes: [
      "INVALID_ARGUMENT",
      "OUT_OF_RANGE",
      "FAILED_PRECONDITION",
      "ALREADY_EXISTS",
      "NOT_FOUND",
      "notFound",
    ],
    meaning: "The request doesn't match Google's records for this customer.",
    verdict: { action: "needs-attention" },
  },
];

export async function classify({ db }: Context, order: Order, error: ProviderError): Promise<ErrorPolicy> {
  return policyByRules(googleErrorRules, error, {
    identityAgeMs: await tenantAgeMs(db, order.id, "provision"),
  });
}
