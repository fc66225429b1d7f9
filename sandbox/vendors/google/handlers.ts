/** Google: tokens under `/google-token`, Cloud Channel under `/google-channel`, the Directory API under `/google-directory`. */
import type { HttpHandler } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { googleCustomerHandlers } from "./customers.ts";
import { googleDirectoryHandlers } from "./directory.ts";
import { googleEntitlementHandlers } from "./entitlements.ts";
import { googleOfferHandlers } from "./offers.ts";
import { googleOperationHandlers } from "./operations.ts";
import { googleReportHandlers } from "./reports.ts";
import { googleSubscriberHandlers } from "./subscribers.ts";
import { googleTokenHandlers } from "./token.ts";
import { googleTransferHandlers } from "./transfers.ts";

export function googleHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    ...googleTokenHandlers(sandbox),
    ...googleCustomerHandlers(sandbox),
    ...googleOfferHandlers(sandbox),
    ...googleEntitlementHandlers(sandbox),
    ...googleTransferHandlers(sandbox),
    ...googleOperationHandlers(sandbox),
    ...googleDirectoryHandlers(sandbox),
    ...googleSubscriberHandlers(sandbox),
    ...googleReportHandlers(sandbox),
  ];
}
