/**
 * Microsoft 365, bought through Partner Center. A subscription belongs to a tenant, either created for the buyer or an existing
 * one.
 */
import { meaningByCodes } from "../error-policies.ts";
import type { Family } from "../family.ts";
import { administrator } from "./administrator.ts";
import { agreement } from "./agreement.ts";
import { bills } from "./bills.ts";
import { checkBuyer } from "./buyer.ts";
import { catalogue } from "./catalogue.ts";
import { microsoftSuffix, prefixOf, prefixPattern, requireFreePrefix } from "./domain.ts";
import { endWithTerm } from "./end-of-term.ts";
import { identifyTenant } from "./identify.ts";
import { scheduleNextTerm } from "./next-term.ts";
import { isOnSale } from "./on-sale.ts";
import { onboardingSteps } from "./onboarding-steps.ts";
import { buyAgain, purchase } from "./purchase.ts";
import { classify, microsoftRefusals } from "./refusals.ts";
import { returns } from "./returns.ts";
import { addSeats } from "./seats.ts";
import { signIn } from "./sign-in.ts";
import { findSubscription, listSubscriptions } from "./subscriptions.ts";
import { webhookSetup } from "./webhook-registration.ts";
import { parsePartnerEvent } from "./webhooks.ts";

export const microsoft: Family = {
  label: "Microsoft",
  name: "Microsoft 365",
  domain: null,
  tenants: {
    newByName: {
      pattern: prefixPattern,
      requireFree: requireFreePrefix,
      prefixOf,
      suffix: microsoftSuffix,
    },
    sellsPlanOnce: false,
    administrator,
    async findByDomain(context, domain, country) {
      return (await context.partnerCenterOf(country).findCustomerByDomain(domain))?.tenantId ?? null;
    },
    // Microsoft's ids are not case-sensitive.
    keyOf: (externalId) => externalId.toLowerCase(),
    identify: identifyTenant,
    listHeld: listSubscriptions,
    findHeld: findSubscription,
  },
  signIn,
  agreement,
  vendor: {
    accountOf: (country) => `microsoft:${country}`,
    catalogue,
    classify,
    meaningOf: (codes) => meaningByCodes(microsoftRefusals, codes),
    readNotice: parsePartnerEvent,
    webhookSetup,
    // Like orders, this call works only on behalf of a partner user.
    async probe(context, country) {
      await context.partnerCenterOf(country).relationshipRequestUrl();
    },
  },
  bills,
  tellsVendor: {
    address: ["customer"],
    contact: ["customer", "agreement", "user"],
    tenantName: ["customer"],
    username: ["user"],
  },
  renewsAllSeats: false,
  mailKind: "order-confirmation",
  movedWords: () => null,
  remainingSteps: () => [],
  onboardingSteps,
  waitsForTerms: null,
  startUrl: () => "https://www.microsoft365.com/",
  isOpenIn: ({ partnerAccounts }, country) => partnerAccounts.has(country),
  checkBuyer,
  requiresKnownCost: () => false,
  isOnSale,
  purchase,
  addSeats,
  async renew(context, order, held) {
    await scheduleNextTerm(context, order, held, order.line.quantity);
  },
  buyAgain,
  stopRenewal: endWithTerm,
  returns,
};
