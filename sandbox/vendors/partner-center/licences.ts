/**
 * Licences of a customer by product, with the number assigned. Reading them requires a user with a role in the tenant, as for
 * users. They are counted by product, so two subscriptions of one product are one line.
 */
import { type HttpHandler, http } from "msw";
import { anyOrigin, guidOf } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Subscription } from "../state-schemas.ts";
import { base, customerOf, list, PartnerError, read } from "./calls.ts";
import { findSku } from "./products.ts";
import { advanceSubscription } from "./subscriptions.ts";

/** Names from Microsoft's licensing service, which differ from the products'; some predate renamings. */
const licensed: Readonly<Record<string, readonly [partNumber: string, name: string]>> = {
  "Microsoft 365 Business Basic": ["O365_BUSINESS_ESSENTIALS", "Office 365 Business Essentials"],
  "Microsoft 365 Business Standard": ["O365_BUSINESS_PREMIUM", "Office 365 Business Premium"],
  "Microsoft 365 Business Premium": ["SPB", "Microsoft 365 Business Premium"],
  "Microsoft 365 Apps for business": ["O365_BUSINESS", "Office 365 Business"],
  "Microsoft Teams Essentials": ["Teams_Ess", "Microsoft Teams Essentials"],
  "Exchange Online (Plan 1)": ["EXCHANGESTANDARD", "Exchange Online (Plan 1)"],
  "Exchange Online (Plan 2)": ["EXCHANGEENTERPRISE", "Exchange Online (Plan 2)"],
  "Microsoft Defender for Business": ["MDE_SMB", "Microsoft Defender for Business"],
  "Office 365 E1": ["STANDARDPACK", "Office 365 E1"],
  "Copilot for Microsoft 365": ["Microsoft_365_Copilot", "Microsoft 365 Copilot"],
};

export function partnerLicenceHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      anyOrigin(`${base}/customers/:customerId/subscribedskus`),
      read(sandbox, (call) => {
        const customer = customerOf(sandbox, call);
        if (!customer.gdap)
          throw new PartnerError(403, 900308, "The calling user has no role that allows this operation.");
        const held = Object.values(sandbox.state.partner.subscriptions).filter(
          (each) => each.customerId === customer.id,
        );
        for (const each of held) advanceSubscription(sandbox, each);
        const running = held.filter(({ status }) => status === "active");
        const titleOf = ({ offerId }: Subscription) =>
          findSku(sandbox, offerId, customer.country)?.title ?? "";
        const titles = new Set(running.map(titleOf));
        const items = [...titles].flatMap((title) => {
          const names = licensed[title];
          return names === undefined
            ? []
            : [
                poolBody(
                  names,
                  running.filter((each) => titleOf(each) === title),
                ),
              ];
        });
        return { status: 200, body: list(items) };
      }),
    ),
  ];
}

function poolBody(
  [partNumber, name]: readonly [string, string],
  subscriptions: readonly Subscription[],
): object {
  const active = subscriptions.reduce((sum, { quantity }) => sum + quantity, 0);
  const consumed = subscriptions.reduce((sum, { assigned }) => sum + assigned, 0);
  return {
    availableUnits: Math.max(0, active - consumed),
    activeUnits: active,
    consumedUnits: consumed,
    suspendedUnits: 0,
    totalUnits: active,
    warningUnits: 0,
    productSku: {
      id: guidOf(`licence ${partNumber}`),
      name,
      skuPartNumber: partNumber,
      targetType: "User",
      licenseGroupId: "group1",
    },
    servicePlans: [],
    capabilityStatus: "Enabled",
    attributes: { objectType: "SubscribedSku" },
  };
}
