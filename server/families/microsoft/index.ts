/**
 * Microsoft 365, bought through Partner Center. A subscription lives in a tenant, either made for the buyer or one they
 * have.
 */
import { randomUUID } from "node:crypto";
import type { Family } from "../family.ts";
import { requireTenant } from "../held-tenant.ts";
import { administrator } from "./administrator.ts";
import { microsoftSuffix, prefixOf, requireFreePrefix } from "./domain.ts";
import { readPartnerSubscription } from "./held.ts";
import { scheduleNextTerm } from "./next-term.ts";
import { buyAgain, purchase } from "./purchase.ts";
import { addSeats } from "./seats.ts";
import { signIn } from "./sign-in.ts";

export const microsoft: Family = {
  label: "Microsoft",
  name: "Microsoft 365",
  domain: null,
  tenants: {
    newByName: {
      requireFree: requireFreePrefix,
      prefixOf,
      suffix: microsoftSuffix,
    },
    sellsPlanOnce: false,
    administrator,
    // Microsoft's ids are not case-sensitive.
    keyOf: (externalId) => externalId.toLowerCase(),
    async listHeld({ partnerCenter }, externalId, { now }) {
      const all = await partnerCenter.listSubscriptions(externalId);
      return all.map((one) => readPartnerSubscription(one, now));
    },
  },
  signIn,
  renewsAllSeats: false,
  mailKind: "order-confirmation",
  movedWords: () => null,
  startUrl: () => "https://www.microsoft365.com/",
  purchase,
  addSeats,
  async renew(context, order, held) {
    await scheduleNextTerm(context, order, held, order.line.quantity);
  },
  buyAgain,
  async stopRenewal({ partnerCenter }, held) {
    const tenant = requireTenant(held).externalId;
    const resource = await partnerCenter.getSubscription(tenant, held.subscription.externalId);
    if (resource.autoRenewEnabled !== true) return;
    const changes = { autoRenewEnabled: false, scheduledNextTermInstructions: null };
    await partnerCenter.updateSubscription(tenant, resource, changes, randomUUID());
  },
};
