/** Partner Center under `/partner-center`, with the login host it needs under `/microsoft-login`. */
import type { HttpHandler } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { partnerAgreementHandlers } from "./agreements.ts";
import { partnerApprovalHandlers } from "./approval.ts";
import { partnerBillingHandlers } from "./billing.ts";
import { partnerCatalogueHandlers } from "./catalogue.ts";
import { partnerCustomerHandlers } from "./customers.ts";
import { partnerLicenceHandlers } from "./licences.ts";
import { microsoftLoginHandlers } from "./login.ts";
import { partnerOrderHandlers } from "./orders.ts";
import { partnerPriceHandlers } from "./prices.ts";
import { partnerRegistrationHandlers } from "./registrations.ts";
import { partnerSubscriptionHandlers } from "./subscriptions.ts";
import { partnerUserHandlers } from "./users.ts";

export function partnerCenterHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    ...microsoftLoginHandlers(sandbox),
    ...partnerApprovalHandlers(sandbox),
    ...partnerCustomerHandlers(sandbox),
    ...partnerUserHandlers(sandbox),
    ...partnerAgreementHandlers(sandbox),
    ...partnerCatalogueHandlers(sandbox),
    ...partnerPriceHandlers(sandbox),
    ...partnerOrderHandlers(sandbox),
    ...partnerSubscriptionHandlers(sandbox),
    ...partnerLicenceHandlers(sandbox),
    ...partnerRegistrationHandlers(sandbox),
    ...partnerBillingHandlers(sandbox),
  ];
}
