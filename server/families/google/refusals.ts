/**
 * Google's refusals and what each means for an order: the table of docs/providers.md, section 2.5. The waits are our
 * choice.
 */
import type { Order } from "#db/order.ts";
import { tenantAgeMs } from "#db/tenants.ts";
import type { Context } from "#server/context.ts";
import type { ProviderError } from "#server/providers/errors.ts";
import {
  atWork,
  hiccup,
  newThing,
  type Refusal,
  type RefusalRow,
  refusalBy,
  throttled,
} from "../refusals.ts";
import { notFoundByName } from "../vendor-catalogue.ts";

export interface RefusedAt {
  /** Since this order made the customer's identity; null when it made none. */
  identityAgeMs: number | null;
}

const newForMs = 2 * 60 * 60 * 1_000;

export const googleRefusals: readonly RefusalRow<RefusedAt>[] = [
  {
    name: "token",
    status: [400, 401],
    codes: ["invalid_grant", "invalid_client", "unauthorized_client", "access_denied", "UNAUTHENTICATED"],
    meaning: "The service account's key, its delegation or the administrator it acts for is not accepted.",
    verdict: { class: "out" },
  },
  {
    name: "unauthorised",
    status: [401],
    meaning: "Google does not accept the service account's token.",
    verdict: { class: "out" },
  },
  {
    name: "operation at work",
    status: [],
    codes: ["still_running"],
    meaning: "Google has accepted the change and is still making it.",
    verdict: { class: "passes", patience: atWork },
  },
  {
    name: "too many calls",
    status: [403, 429],
    codes: ["RESOURCE_EXHAUSTED", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"],
    meaning: "A quota is used up for now.",
    verdict: { class: "passes", patience: throttled },
  },
  {
    name: "service error",
    status: [500, 503, 504, 409],
    codes: ["UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN", "ABORTED", "CANCELLED"],
    meaning: "A fault at Google, or another change of the same thing.",
    verdict: { class: "passes", patience: hiccup },
  },
  {
    name: "new domain",
    status: [404],
    codes: ["NOT_FOUND", "notFound"],
    when: ({ identityAgeMs }) => identityAgeMs !== null && identityAgeMs < newForMs,
    meaning: "The domain is new at Google and not known everywhere yet.",
    verdict: { class: "passes", patience: newThing },
  },
  {
    name: "domain taken",
    status: [409],
    codes: ["DOMAIN_TAKEN_MEANWHILE"],
    meaning: "Somebody else has become Google's customer with this domain since it was checked.",
    verdict: { class: "person" },
  },
  {
    name: "not on sale",
    status: [],
    codes: ["NO_OFFER", "no_offer", notFoundByName],
    meaning: "Google offers no yearly commitment of this plan: mend the catalogue, refund the order.",
    verdict: { class: "person" },
  },
  {
    name: "not allowed",
    status: [403],
    codes: ["PERMISSION_DENIED", "forbidden"],
    meaning: "The reseller's administrator may not do this with this customer.",
    verdict: { class: "person" },
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
    meaning: "What was asked does not fit what Google has of this customer.",
    verdict: { class: "person" },
  },
];

export async function classify({ db }: Context, order: Order, error: ProviderError): Promise<Refusal> {
  return refusalBy(googleRefusals, error, {
    identityAgeMs: await tenantAgeMs(db, order.id, "provision"),
  });
}
