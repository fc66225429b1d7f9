/**
 * Microsoft Partner Center: the calls that create a Microsoft customer for a buyer, and that buy, extend and renew for them. The
 * job runner does the retries. Writes are idempotent by request id.
 */
import { ProviderError } from "./errors.ts";
import { createApi } from "./partner-center/api.ts";
import { type BillingCalls, billingCalls, graphResource } from "./partner-center/billing.ts";
import { type CatalogueCalls, catalogueCalls } from "./partner-center/catalogue.ts";
import type { PartnerCenterConfig } from "./partner-center/config.ts";
import { type ConsentCalls, consentCalls } from "./partner-center/consent.ts";
import { type CustomerCalls, customerCalls } from "./partner-center/customers.ts";
import { type LicenceCalls, licenceCalls } from "./partner-center/licences.ts";
import { type OrderingCalls, orderingCalls } from "./partner-center/ordering.ts";
import { type PriceCalls, priceCalls, pricesResource } from "./partner-center/prices.ts";
import { type RegistrationCalls, registrationCalls } from "./partner-center/registration.ts";
import { type SubscriptionCalls, subscriptionCalls } from "./partner-center/subscriptions.ts";
import { applicationTokenSource, userTokenSource } from "./partner-center/token.ts";
import { type UserCalls, userCalls } from "./partner-center/users.ts";
import { type ValidationCalls, validationCalls } from "./partner-center/validations.ts";

export type {
  Availability,
  BillingCycle,
  PartnerProduct,
  PartnerSku,
  TermDuration,
} from "./partner-center/catalogue.ts";
export type { ConsentStore, PartnerCenterConfig } from "./partner-center/config.ts";
export { type ConsentFlow, type ConsentResult, otherTenant } from "./partner-center/consent.ts";
export type {
  AgreementContact,
  CreatedCustomer,
  NewCustomer,
  Relationship,
} from "./partner-center/customers.ts";
export type { LicencePool } from "./partner-center/licences.ts";
export type { CartLine, PartnerOrder } from "./partner-center/ordering.ts";
export type {
  NextTermInstructions,
  PartnerSubscription,
  SubscriptionChanges,
  UpdateResult,
} from "./partner-center/subscriptions.ts";
export type { CreateUserResult, NewUser } from "./partner-center/users.ts";
export type { AddressValidation, CountryRules, PartnerAddress } from "./partner-center/validations.ts";

export interface PartnerCenter
  extends CustomerCalls,
    UserCalls,
    CatalogueCalls,
    PriceCalls,
    BillingCalls,
    OrderingCalls,
    SubscriptionCalls,
    LicenceCalls,
    ValidationCalls,
    RegistrationCalls,
    ConsentCalls {
  /**
   * Exchanges the refresh token for a newer one, so that it does not expire unused.
   * @throws ProviderError when there is none, or Microsoft refuses it
   */
  refreshConsent(): Promise<void>;
}

/** Creates the error of every call in a country for which the store has no account. */
export function noAccount(country: string): ProviderError {
  return new ProviderError("microsoft", "refused", "every call", {
    code: "no_account",
    description: `No account at Partner Center is set for ${country}`,
  });
}

/** Creates a client for one partner account. Keep one per process, because it caches the access token. */
export function createPartnerCenter(config: PartnerCenterConfig): PartnerCenter {
  const asUser = userTokenSource(config);
  const api = createApi(config, asUser);
  return {
    ...consentCalls(config),
    async refreshConsent() {
      await asUser.renew();
    },
    ...customerCalls(api, config),
    ...userCalls(api, config),
    ...catalogueCalls(api),
    ...priceCalls(config, userTokenSource({ ...config, resource: pricesResource })),
    ...billingCalls(api, config, applicationTokenSource({ ...config, resource: graphResource })),
    ...orderingCalls(api),
    ...subscriptionCalls(api, config),
    ...licenceCalls(api),
    ...validationCalls(api),
    ...registrationCalls(api),
  };
}
