/**
 * Partner Center's refusals and their effect on an order: the table of docs/providers.md, section 1.7. The waits are our choice.
 */

import { tenantAgeMs } from "#db/accounts/tenants.ts";
import type { Order } from "#db/orders/order.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import {
  type ErrorPolicy,
  type ErrorRule,
  inProgressRetry,
  newResourceRetry,
  policyByRules,
  type RetryPolicy,
  singleRetry,
  throttledRetry,
  transientRetry,
} from "../error-policies.ts";
import { notFoundByName } from "../vendor-catalogue.ts";

/** State of the tenant when its order is refused. */
export interface RefusedAt {
  /**
   * Milliseconds since this order created the tenant, or its administrator accepted us for it; null when this order did neither.
   */
  tenantAgeMs: number | null;
  /** Whether the buyer named the tenant at the sign-in step. */
  isBuyersOwn: boolean;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Time for which a new tenant might not be known everywhere at Microsoft. */
const newForMs = 2 * hour * 1_000;
const isNew = ({ tenantAgeMs }: RefusedAt) => tenantAgeMs !== null && tenantAgeMs < newForMs;

const busy: RetryPolicy = { waits: [minute, 2 * minute, 5 * minute, 15 * minute], lasts: 6 * hour };
const orderOnItsWay: RetryPolicy = { waits: [30, minute, 2 * minute, 5 * minute], lasts: 15 * minute };

/** Code for a tenant that an unanswered call may have created. */
export const tenantNotListed = "tenant_not_listed";
const tenantNotSeen = ["1000", "60003", "20002"];

export const microsoftRefusals: readonly ErrorRule<RefusedAt>[] = [
  {
    name: "token",
    status: [400, 401],
    codes: [
      "invalid_grant",
      "invalid_client",
      "unauthorized_client",
      "interaction_required",
      "consent_required",
      "no_consent",
      "no_account",
      "AADSTS700082",
      "AADSTS50173",
      "AADSTS65001",
      "AADSTS70000",
      "AADSTS7000215",
      "AADSTS7000222",
      "900420",
      "800001",
    ],
    meaning:
      "No one has consented, or the partner's token or secret has expired, was revoked or has the wrong audience.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "mfa",
    status: [401],
    codes: ["900421", "AADSTS50076", "AADSTS50079"],
    meaning: "The partner user consented without MFA.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "role",
    status: [403],
    codes: ["900308", "900309", "900329"],
    meaning: "The partner user lacks a role, is blocked by Conditional Access, or isn't in the token.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "credit line",
    status: [400, 403],
    codes: ["800023", "800025", "900121"],
    meaning: "Our credit line with Microsoft is used up.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "programme",
    status: [403],
    codes: ["900124", "800039", "900149"],
    meaning: "The partner agreement is not signed, or the reseller programme is not active.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "new tenant",
    status: [403, 404],
    codes: [...tenantNotSeen, tenantNotListed],
    when: isNew,
    meaning: "The tenant is new or has just accepted us, and Microsoft hasn't finished propagating it.",
    verdict: { action: "retry", retry: newResourceRetry },
  },
  {
    name: "tenant lost",
    status: [403, 404],
    codes: tenantNotSeen,
    when: ({ isBuyersOwn }) => isBuyersOwn,
    meaning: "The tenant does not exist, or has removed us as its partner.",
    verdict: {
      action: "ask-buyer",
      problem: msg("families.lostAccount"),
      fixableAtSignIn: true,
    },
  },
  {
    name: "order on its way",
    status: [404],
    codes: ["20000", "no_subscription_yet", "order_not_listed"],
    meaning: "The order is placed, and Microsoft does not show it yet.",
    verdict: { action: "retry", retry: orderOnItsWay },
  },
  {
    name: "availability",
    status: [404],
    codes: ["400019"],
    meaning: "The offer's availability has changed since the cart was made.",
    verdict: { action: "retry", retry: singleRetry, redoSteps: ["cart"] },
  },
  {
    name: "agreement",
    status: [403],
    codes: ["13605"],
    meaning: "Microsoft has no record that the customer accepted its agreement.",
    verdict: { action: "retry", retry: singleRetry, redoSteps: ["agreement"] },
  },
  {
    name: "busy",
    status: [409],
    codes: ["800060", "800064", "800014", "800082"],
    meaning: "The order, cart or subscription is being worked on by another request.",
    verdict: { action: "retry", retry: busy },
  },
  {
    name: "operation pending",
    status: [409],
    codes: ["900278"],
    meaning: "An operation on the subscription is pending. That may take a day.",
    verdict: { action: "retry", retry: { waits: [hour], lasts: 26 * hour } },
  },
  {
    name: "change at work",
    status: [],
    codes: ["still_running"],
    meaning: "Microsoft accepted the change and is still processing it.",
    verdict: { action: "retry", retry: inProgressRetry },
  },
  {
    name: "stale etag",
    status: [400],
    codes: ["2055"],
    meaning: "The subscription changed while we were updating it.",
    verdict: { action: "retry", retry: { waits: [5], lasts: 15 } },
  },
  {
    name: "too many calls",
    status: [429],
    meaning: "Too many calls.",
    verdict: { action: "retry", retry: throttledRetry },
  },
  {
    name: "too many updates",
    status: [400],
    codes: ["900311"],
    meaning: "Too many changes of one subscription.",
    verdict: { action: "retry", retry: throttledRetry },
  },
  {
    name: "service error",
    status: [500],
    codes: ["800003", "800005", "800094", "900192"],
    meaning: "Microsoft had an error.",
    verdict: { action: "retry", retry: transientRetry },
  },
  {
    name: "under review",
    status: [403],
    codes: ["800073", "800074"],
    meaning: "Microsoft is reviewing the customer. That takes days.",
    verdict: {
      action: "retry",
      retry: { waits: [6 * hour], lasts: 7 * day },
      buyerNote: msg("families.underReview"),
    },
  },
  {
    name: "review refused",
    status: [403],
    codes: ["800075"],
    meaning: "Microsoft reviewed this customer and won't sell to them. Refund the order.",
    verdict: { action: "ask-buyer", problem: msg("families.reviewRefused") },
  },
  {
    name: "registration number",
    status: [400],
    codes: ["600002", "600049", "600050"],
    meaning: "The company's registration number is missing, malformed, or not used in its country.",
    verdict: { action: "ask-buyer", problem: msg("families.registrationRefused") },
  },
  {
    name: "phone number",
    status: [400],
    codes: ["600051"],
    meaning: "The company's phone number is missing.",
    verdict: { action: "ask-buyer", problem: msg("families.phoneRefused") },
  },
  {
    name: "quantity",
    status: [400, 403],
    codes: ["2002", "800017", "900275", "800066", "800067", "800088", "800089"],
    meaning: "Over Microsoft's limit of licenses or subscriptions per customer.",
    verdict: { action: "ask-buyer", problem: msg("families.quantityRefused") },
  },
  {
    name: "base missing",
    status: [400],
    codes: ["800086"],
    meaning: "The tenant has no running plan that the add-on can be added to.",
    verdict: { action: "ask-buyer", problem: msg("families.baseMissing") },
  },
  {
    name: "risk check",
    status: [403],
    codes: ["800069"],
    meaning: "The order has failed Microsoft's risk check.",
    verdict: { action: "needs-attention" },
  },
  {
    name: "not on sale",
    status: [400, 403, 404],
    codes: [
      "400013",
      "400018",
      "2085",
      "800020",
      "800070",
      "800010",
      "900142",
      "no_availability",
      notFoundByName,
    ],
    meaning: "This product, plan or term is no longer sold here. Fix the catalogue and refund the order.",
    verdict: { action: "needs-attention" },
  },
  {
    name: "attestation",
    status: [400],
    codes: ["900203", "900206"],
    meaning: "A declaration is missing from the cart. This is a bug in the store.",
    verdict: { action: "needs-attention" },
  },
  {
    name: "unauthorised",
    status: [401],
    meaning: "Microsoft does not accept the partner's token.",
    verdict: { action: "pause-vendor" },
  },
  {
    name: "new tenant, any call",
    status: [403, 404],
    when: isNew,
    meaning: "The tenant is new or has just accepted us, and Microsoft hasn't finished propagating it.",
    verdict: { action: "retry", retry: newResourceRetry },
  },
];

export async function classify({ db }: Context, order: Order, error: ProviderError): Promise<ErrorPolicy> {
  return policyByRules(microsoftRefusals, error, {
    tenantAgeMs: await tenantAgeMs(db, order.id, "customer"),
    isBuyersOwn: order.signIn?.mode === "existing",
  });
}
