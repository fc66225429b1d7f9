/**
 * Google: Cloud Channel, which holds a reseller's customers and their entitlements, and the Directory API, which sets the
 * password of the buyer's administrator. The job runner does the retries. Writes that take a request id are idempotent by it.
 */
import { createApi } from "./google/api.ts";
import type { GoogleConfig } from "./google/config.ts";
import { type CustomerCalls, customerCalls } from "./google/customers.ts";
import { type DirectoryCalls, directoryCalls } from "./google/directory.ts";
import { type EntitlementCalls, entitlementCalls } from "./google/entitlements.ts";
import { type OfferCalls, offerCalls } from "./google/offers.ts";
import { type OperationCalls, operationCalls } from "./google/operations.ts";
import { type ReportCalls, reportCalls } from "./google/reports.ts";
import { type SubscriberCalls, subscriberCalls } from "./google/subscribers.ts";
import { reportScopes } from "./google/token.ts";
import { type TransferCalls, transferCalls } from "./google/transfers.ts";

export type { GoogleConfig } from "./google/config.ts";
export {
  type CloudIdentityRequest,
  type CreateGoogleCustomerResult,
  type CustomerImport,
  customerResult,
  type DomainCheck,
  type GoogleCustomer,
  type NewGoogleCustomer,
} from "./google/customers.ts";
export type { EnsureUserResult, NewGoogleUser } from "./google/directory.ts";
export {
  entitlementResult,
  type GoogleEntitlement,
  type NewEntitlement,
  type RenewalSettings,
} from "./google/entitlements.ts";
export {
  type GoogleOffer,
  type GoogleSku,
  type GoogleTitle,
  offer,
  type Period,
  pickYearlyCommitment,
  skuName,
  yearlyPrice,
} from "./google/offers.ts";
export type { GoogleOperation } from "./google/operations.ts";
export type { ReportRow } from "./google/reports.ts";
export { isTransferTokenRefused, type TransferableSku, transferResult } from "./google/transfers.ts";

export type Google = CustomerCalls &
  DirectoryCalls &
  OfferCalls &
  EntitlementCalls &
  OperationCalls &
  TransferCalls &
  ReportCalls &
  SubscriberCalls;

/**
 * Creates a client for one reseller account. Keep one per process, because it caches the access token.
 * @throws Error when the private key is not an RSA key in PEM form.
 */
export function createGoogle(config: GoogleConfig): Google {
  const api = createApi(config);
  const operations = operationCalls(api);
  return {
    ...customerCalls(api, config),
    ...directoryCalls(api),
    ...offerCalls(api, config),
    ...entitlementCalls(api),
    ...operations,
    ...transferCalls(api, config),
    ...subscriberCalls(api, config),
    ...reportCalls(createApi(config, reportScopes), operations, config),
  };
}
