/**
 * Partner Center's refusals and what each means for an order: the table of docs/providers.md, section 1.7. The waits are
 * our choice.
 */
import type { Order } from "#db/order.ts";
import { tenantAgeMs } from "#db/tenants.ts";
import type { Context } from "#server/context.ts";
import { told } from "#server/languages/text.ts";
import type { ProviderError } from "#server/providers/errors.ts";
import {
  atWork,
  hiccup,
  newThing,
  onceMore,
  type Patience,
  type Refusal,
  type RefusalRow,
  refusalBy,
  throttled,
} from "../refusals.ts";
import { notFoundByName } from "../vendor-catalogue.ts";

/** What is known of the tenant when its order is refused. */
export interface RefusedAt {
  /** Since this order made the tenant, or its administrator accepted us for it; null when neither happened for this order. */
  tenantAgeMs: number | null;
  /** True when the tenant is one that the buyer named at the sign-in step. */
  isBuyersOwn: boolean;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A new tenant is not known everywhere at Microsoft for a while. */
const newForMs = 2 * hour * 1_000;
const isNew = ({ tenantAgeMs }: RefusedAt) => tenantAgeMs !== null && tenantAgeMs < newForMs;

const busy: Patience = { waits: [minute, 2 * minute, 5 * minute, 15 * minute], lasts: 6 * hour };
const orderOnItsWay: Patience = { waits: [30, minute, 2 * minute, 5 * minute], lasts: 15 * minute };

/** Of a tenant that an unanswered call may have made. */
export const tenantNotListed = "tenant_not_listed";
const tenantNotSeen = ["1000", "60003", "20002"];

export const microsoftRefusals: readonly RefusalRow<RefusedAt>[] = [
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
      "Nobody has consented, or the partner's token or secret is expired, revoked, or of the wrong audience.",
    verdict: { class: "out" },
  },
  {
    name: "mfa",
    status: [401],
    codes: ["900421", "AADSTS50076", "AADSTS50079"],
    meaning: "The partner user's consent was given without multi-factor authentication.",
    verdict: { class: "out" },
  },
  {
    name: "role",
    status: [403],
    codes: ["900308", "900309", "900329"],
    meaning:
      "The partner user lacks a role, is kept out by Conditional Access, or is missing from the token.",
    verdict: { class: "out" },
  },
  {
    name: "credit line",
    status: [400, 403],
    codes: ["800023", "800025", "900121"],
    meaning: "The partner's credit line at Microsoft is used up.",
    verdict: { class: "out" },
  },
  {
    name: "programme",
    status: [403],
    codes: ["900124", "800039", "900149"],
    meaning: "The partner agreement is not signed, or the reseller programme is not active.",
    verdict: { class: "out" },
  },
  {
    name: "new tenant",
    status: [403, 404],
    codes: [...tenantNotSeen, tenantNotListed],
    when: isNew,
    meaning: "The tenant is new, or has just accepted us, and is not known everywhere yet.",
    verdict: { class: "passes", patience: newThing },
  },
  {
    name: "tenant lost",
    status: [403, 404],
    codes: tenantNotSeen,
    when: ({ isBuyersOwn }) => isBuyersOwn,
    meaning: "The tenant does not exist, or has removed us as its partner.",
    verdict: {
      class: "buyer",
      problem: told("families.lostAccount"),
      atSignIn: true,
    },
  },
  {
    name: "order on its way",
    status: [404],
    codes: ["20000", "no_subscription_yet", "order_not_listed"],
    meaning: "The order is placed, and Microsoft does not show it yet.",
    verdict: { class: "passes", patience: orderOnItsWay },
  },
  {
    name: "availability",
    status: [404],
    codes: ["400019"],
    meaning: "The offer's availability has changed since the cart was made.",
    verdict: { class: "passes", patience: onceMore, redo: ["cart"] },
  },
  {
    name: "agreement",
    status: [403],
    codes: ["13605"],
    meaning: "Microsoft does not know that the customer has accepted its agreement.",
    verdict: { class: "passes", patience: onceMore, redo: ["agreement"] },
  },
  {
    name: "busy",
    status: [409],
    codes: ["800060", "800064", "800014", "800082"],
    meaning: "The order, cart or subscription is being worked on by another request.",
    verdict: { class: "passes", patience: busy },
  },
  {
    name: "operation pending",
    status: [409],
    codes: ["900278"],
    meaning: "An operation on the subscription is pending. That may take a day.",
    verdict: { class: "passes", patience: { waits: [hour], lasts: 26 * hour } },
  },
  {
    name: "change at work",
    status: [],
    codes: ["still_running"],
    meaning: "Microsoft has accepted the change and is still making it.",
    verdict: { class: "passes", patience: atWork },
  },
  {
    name: "stale etag",
    status: [400],
    codes: ["2055"],
    meaning: "Somebody else changed the subscription between our reading and our writing.",
    verdict: { class: "passes", patience: { waits: [5], lasts: 15 } },
  },
  {
    name: "too many calls",
    status: [429],
    meaning: "Too many calls.",
    verdict: { class: "passes", patience: throttled },
  },
  {
    name: "too many updates",
    status: [400],
    codes: ["900311"],
    meaning: "Too many changes of one subscription.",
    verdict: { class: "passes", patience: throttled },
  },
  {
    name: "service error",
    status: [500],
    codes: ["800003", "800005", "800094", "900192"],
    meaning: "A fault at Microsoft.",
    verdict: { class: "passes", patience: hiccup },
  },
  {
    name: "under review",
    status: [403],
    codes: ["800073", "800074"],
    meaning: "Microsoft is reviewing the customer. That takes days.",
    verdict: {
      class: "passes",
      patience: { waits: [6 * hour], lasts: 7 * day },
      tells: told("families.underReview"),
    },
  },
  {
    name: "review refused",
    status: [403],
    codes: ["800075"],
    meaning: "Microsoft has reviewed the customer and does not sell to it: refund the order.",
    verdict: { class: "buyer", problem: told("families.reviewRefused") },
  },
  {
    name: "registration number",
    status: [400],
    codes: ["600002", "600049", "600050"],
    meaning: "The company's registration number is missing, malformed, or not used in its country.",
    verdict: { class: "buyer", problem: told("families.registrationRefused") },
  },
  {
    name: "phone number",
    status: [400],
    codes: ["600051"],
    meaning: "The company's phone number is missing.",
    verdict: { class: "buyer", problem: told("families.phoneRefused") },
  },
  {
    name: "quantity",
    status: [400, 403],
    codes: ["2002", "800017", "900275", "800066", "800067", "800088", "800089"],
    meaning: "More licences or subscriptions than Microsoft lets one customer have.",
    verdict: { class: "buyer", problem: told("families.quantityRefused") },
  },
  {
    name: "base missing",
    status: [400],
    codes: ["800086"],
    meaning: "The tenant has no running plan that the add-on can be added to.",
    verdict: { class: "buyer", problem: told("families.baseMissing") },
  },
  {
    name: "risk check",
    status: [403],
    codes: ["800069"],
    meaning: "The order has failed Microsoft's risk check.",
    verdict: { class: "person" },
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
    meaning: "The product, plan or term is not sold (here) any more: mend the catalogue, refund the order.",
    verdict: { class: "person" },
  },
  {
    name: "attestation",
    status: [400],
    codes: ["900203", "900206"],
    meaning: "A declaration is missing from the cart: a fault of the store's.",
    verdict: { class: "person" },
  },
  {
    name: "unauthorised",
    status: [401],
    meaning: "Microsoft does not accept the partner's token.",
    verdict: { class: "out" },
  },
  {
    name: "new tenant, any call",
    status: [403, 404],
    when: isNew,
    meaning: "The tenant is new, or has just accepted us, and is not known everywhere yet.",
    verdict: { class: "passes", patience: newThing },
  },
];

export async function classify({ db }: Context, order: Order, error: ProviderError): Promise<Refusal> {
  return refusalBy(microsoftRefusals, error, {
    tenantAgeMs: await tenantAgeMs(db, order.id, "customer"),
    isBuyersOwn: order.signIn?.mode === "existing",
  });
}
