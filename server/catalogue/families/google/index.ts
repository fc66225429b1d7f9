/**
 * Google Workspace, bought through Cloud Channel. A commitment belongs to the buyer's own domain, which is new at Google or moves
 * to us.
 */

import { msg } from "#server/foundation/languages/text.ts";
import { meaningByCodes } from "../error-policies.ts";
import type { Family } from "../family.ts";
import { requireTenant } from "../require-tenant.ts";
import { noReturns } from "../vendor-cancellations.ts";
import { bills } from "./bills.ts";
import { catalogue } from "./catalogue.ts";
import { recheckGoogleDomain, requireGoogleDomain, signInInputFor } from "./domain.ts";
import { findEntitlement, listEntitlements } from "./entitlements.ts";
import { classify, googleErrorRules } from "./error-rules.ts";
import { identifyCustomer } from "./identify.ts";
import { isOnSale, requiresKnownCost } from "./on-sale.ts";
import { onboardingSteps } from "./onboarding-steps.ts";
import { buyPlan, purchase } from "./purchase.ts";
import { renewEntitlement, stopRenewal } from "./renewal.ts";
import { addSeats } from "./seats.ts";
import { signIn } from "./sign-in.ts";
import { remainingSteps, requestTermsAcceptance } from "./terms.ts";
import { webhookSetup } from "./webhook-registration.ts";
import { parseChannelEvent } from "./webhooks.ts";

export const google: Family = {
  label: "Google",
  name: "Google Workspace",
  domain: { require: requireGoogleDomain, recheck: recheckGoogleDomain, signInInputFor },
  tenants: {
    // A new tenant needs a password or a transfer token.
    newByName: null,
    sellsPlanOnce: true,
    administrator: null,
    async findByDomain({ google }, domain) {
      return (await google.findCustomerByDomain(domain))?.name ?? null;
    },
    keyOf: (externalId) => externalId,
    identify: identifyCustomer,
    listHeld: listEntitlements,
    findHeld: findEntitlement,
  },
  signIn,
  // The customer's administrator accepts Google's terms at the first sign-in, at Google.
  agreement: null,
  vendor: {
    // One reseller account sells in all countries.
    accountOf: () => "google",
    catalogue,
    classify,
    meaningOf: (codes) => meaningByCodes(googleErrorRules, codes),
    readNotice: parseChannelEvent,
    webhookSetup,
    async probe({ google, env }) {
      await google.checkDomain(env.GOOGLE_RESELLER_ADMIN.split("@")[1] ?? "");
    },
  },
  bills,
  // The customer is created with the administrator's address.
  tellsVendor: {
    address: ["customer"],
    contact: ["customer", "provision-operation", "administrator"],
    tenantName: ["customer"],
    username: ["customer", "provision-operation", "administrator"],
  },
  renewsAllSeats: true,
  mailKind: "order-confirmation",
  movedWords: ({ signIn }) =>
    signIn?.mode === "google-transfer" ? msg("orders.accountMoved", { family: "Google" }) : null,
  remainingSteps,
  onboardingSteps,
  waitsForTerms: requestTermsAcceptance,
  startUrl: () => "https://admin.google.com/",
  isOpenIn: () => true,
  checkBuyer: async () => ({ verdict: "accepted" }),
  requiresKnownCost,
  isOnSale,
  purchase,
  addSeats,
  renew: renewEntitlement,
  buyAgain: (context, order, held) => buyPlan(context, order, requireTenant(held).externalId),
  stopRenewal,
  returns: noReturns("families.googleKeepsTerm"),
};
