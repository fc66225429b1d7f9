/**
 * Microsoft Partner Center: the calls that make a buyer a Microsoft customer, and that buy, extend and renew for them. The
 * job runner does the retries. Writes are idempotent by request id.
 */
import { createApi } from "./partner-center/api.ts";
import type { PartnerCenterConfig } from "./partner-center/config.ts";
import { type CustomerCalls, customerCalls } from "./partner-center/customers.ts";
import { type OrderingCalls, orderingCalls } from "./partner-center/ordering.ts";
import { type SubscriptionCalls, subscriptionCalls } from "./partner-center/subscriptions.ts";
import { type UserCalls, userCalls } from "./partner-center/users.ts";

export type { PartnerCenterConfig, RefreshTokenStore } from "./partner-center/config.ts";
export type {
  AgreementContact,
  CreatedCustomer,
  NewCustomer,
  Relationship,
} from "./partner-center/customers.ts";
export type {
  Availability,
  BillingCycle,
  CartLine,
  PartnerOrder,
  TermDuration,
} from "./partner-center/ordering.ts";
export type {
  NextTermInstructions,
  PartnerSubscription,
  SubscriptionChanges,
  UpdateResult,
} from "./partner-center/subscriptions.ts";
export type { CreateUserResult, NewUser } from "./partner-center/users.ts";

export type PartnerCenter = CustomerCalls & UserCalls & OrderingCalls & SubscriptionCalls;

/** A client for one partner account. Keep one per process, because it caches the access token. */
export function createPartnerCenter(config: PartnerCenterConfig): PartnerCenter {
  const api = createApi(config);
  return {
    ...customerCalls(api, config),
    ...userCalls(api, config),
    ...orderingCalls(api),
    ...subscriptionCalls(api),
  };
}
