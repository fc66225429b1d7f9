/**
 * The contract that each family implements. No code outside this folder knows a family by its id. docs/extend/family.md explains
 * how to add one.
 */
import type { AgreementVersion } from "#db/accounts/agreements.ts";
import type { ItemId } from "#db/ids.ts";
import type {
  AccountAnswers,
  Order,
  OrderDetails,
  PlaceOfBusiness,
  SignInAnswers,
} from "#db/orders/order.ts";
import type { Country, MailKind } from "#db/tables/enums.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import type { EntraPerson } from "#server/integrations/entra.ts";
import type { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import type { BillRules } from "./bills.ts";
import type { ErrorPolicy } from "./error-policies.ts";
import type { Fulfilled } from "./fulfilled.ts";
import type { OnboardingStep } from "./onboarding-step.ts";
import type { Destination, SubscriptionAtVendor } from "./subscription-at-vendor.ts";
import type { ReturnRules } from "./vendor-cancellations.ts";
import type { SaleCheck, VendorCatalogue } from "./vendor-catalogue.ts";
import type { ListedVendorSubscription, VendorSubscription } from "./vendor-subscription.ts";
import type { VendorEvent, VendorWebhookRequest, VendorWebhookSetup } from "./vendor-webhooks.ts";

/** Groups of a buyer's answers, each sent to the vendor at its own time. */
export type OrderAnswerGroup = "address" | "contact" | "tenantName" | "username";

export interface Family {
  /** Short name for menus and sentences: "Microsoft". */
  label: string;
  /** Name of the product line: "Microsoft 365". */
  name: string;
  /** Checks of the buyer's own domain at the first step; null for a family that is not sold to a domain. */
  domain: DomainRules | null;
  /** Rules for the family's tenants; null for a family without tenants. */
  tenants: TenantRules | null;
  /** Sign-in step, in which a new buyer chooses the tenant of a paid order; null without such a step. */
  signIn: SignInRules | null;
  /** Customer agreement that the buyer must accept; null without one. */
  agreement: AgreementRules | null;
  /** Refusals of the vendor and the probe of its recovery; null for a family without a vendor. */
  vendor: VendorRules | null;
  /** The vendor's bills; null for a family without bills. */
  bills: BillRules | null;
  /**
   * Stored steps that send each group of an order's answers to the vendor. After one of them, a change here has no effect there.
   */
  tellsVendor: Readonly<Record<OrderAnswerGroup, readonly string[]>>;
  /** Whether a running term can only be renewed for all of its seats. */
  renewsAllSeats: boolean;
  /** Mail sent when a subscription is ready: a confirmation, or a letter with the access code. */
  mailKind: Extract<MailKind, "order-confirmation" | "brio-access">;
  /**
   * Returns the text for an order whose tenant was transferred to us, so that there are no new sign-in details; null for any
   * other order.
   */
  movedWords(order: Order): MessageDescriptor | null;
  /** Lists what the buyer still has to do at the vendor after an order, one sentence each; may be empty. */
  remainingSteps(order: Order): MessageDescriptor[];
  /**
   * Lists the tasks at the vendor when a new account is ready, in order.
   * @param domain the account's domain
   * @param startUrl address at which the product is used
   */
  onboardingSteps(order: Order, domain: string, startUrl: string): readonly OnboardingStep[];
  /**
   * Whether a subscription waits for its customer to accept the vendor's terms; null for a family where none can.
   * @throws ProviderError
   */
  waitsForTerms: ((context: Context, externalId: string) => Promise<boolean>) | null;
  /** Returns the URL at which a buyer starts to use the product. */
  startUrl(env: Env): string;
  /** Whether it can be sold in a country: false if the store lacks something that the vendor requires. */
  isOpenIn(env: Env, country: Country): boolean;

  /** Asks the vendor whether it would accept a new buyer. Never throws when the vendor does not respond: the buyer continues. */
  checkBuyer(context: Context, account: AccountAnswers): Promise<BuyerCheckResult>;
  /** Whether an order cannot be paid while our cost for it is unknown. */
  requiresKnownCost(order: Order): boolean;
  /** Checks that the vendor still sells the ordered plan, and at which price, before the payment. @throws ProviderError */
  isOnSale(context: Context, order: Order): Promise<SaleCheck>;
  /**
   * Fulfils a purchase. Idempotent at any point: every write at the vendor is a stored step.
   * @param destination the tenant it goes into; null when it does not exist yet, or the family has none
   * @throws ProviderError; SignInRefusedError when the buyer has to choose another account
   */
  purchase(context: Context, order: Order, destination: Destination | null): Promise<Fulfilled>;
  /** Adds an order's seats; idempotent like `purchase`. @returns the new number of seats @throws ProviderError */
  addSeats(context: Context, order: Order, held: SubscriptionAtVendor): Promise<number>;
  /** Makes the next term begin when the running one ends; idempotent like `purchase`. @throws ProviderError */
  renew(context: Context, order: Order, held: SubscriptionAtVendor): Promise<void>;
  /**
   * Buys a lapsed subscription again; idempotent like `purchase`.
   * @returns the vendor's id of the new one
   * @throws ProviderError
   */
  buyAgain(context: Context, order: Order, held: SubscriptionAtVendor): Promise<string>;
  /**
   * Makes the vendor end the subscription with its term. Writes nothing if it will end already.
   * @returns the vendor's new description, read back; null for a family without a vendor
   * @throws ProviderError; transient while the vendor does not show the change
   */
  stopRenewal(context: Context, held: SubscriptionAtVendor): Promise<VendorSubscription | null>;
  /** Rules for cancellations and reductions before the end of a term. */
  returns: ReturnRules;
}

export interface AgreementRules {
  /** The vendor's name for it. */
  name: string;
  /** Returns the version in force in a country. @throws ProviderError */
  current(context: Context, country: Country): Promise<AgreementVersion>;
  /** Returns an address at which a version can be read for the next minutes. @throws ProviderError */
  documentUrl(context: Context, country: Country, version: string): Promise<string>;
}

export interface VendorRules {
  /** Names our account at the vendor that fulfils a country's orders. During an outage, all its orders wait. */
  accountOf(country: Country): string;
  /** The vendor's ids for our items. */
  catalogue: VendorCatalogue;
  /** Maps a refusal to its effect on the order. */
  classify(context: Context, order: Order, error: ProviderError): Promise<ErrorPolicy>;
  /** Returns the meaning of a stored refusal for staff, by its codes; null for codes that the vendor's table does not have. */
  meaningOf(codes: readonly string[]): string | null;
  /**
   * Parses a vendor's webhook.
   * @throws DomainError unauthenticated when it is not proven to be the vendor's, bad_request when it is not a webhook
   */
  readNotice(context: Context, request: VendorWebhookRequest): Promise<VendorEvent>;
  webhookSetup: VendorWebhookSetup;
  /** Makes a cheap read that needs everything that orders need from the account: token, role, agreement. @throws ProviderError */
  probe(context: Context, country: Country): Promise<void>;
}

/** The vendor's verdict on a buyer before the payment: whether it would refuse a field, or change the address. */
export type BuyerCheckResult =
  | { verdict: "accepted" }
  | { verdict: "refused"; fields: Record<string, MessageDescriptor> }
  | { verdict: "suggestions"; suggestions: PlaceOfBusiness[] };

/** An order's details of its buyer's domain. */
export type OrderedDomain = NonNullable<OrderDetails["google"]>;

/** An ordered plan, and its country. */
export interface OrderedPlan {
  itemId: ItemId;
  country: Country;
  name: string;
}

/** A domain as entered at an order's first step. */
export interface DomainRequest {
  domain: string;
  plan: OrderedPlan;
  quantity: number;
  /** Token of a domain that moves to us from another reseller; null when the buyer has none yet. */
  transferToken: string | null;
}

export interface DomainRules {
  /**
   * Checks a domain that is new to the vendor, or that moves to us from another reseller, and with its token the subscriptions
   * that move.
   * @throws DomainError bad_request or provider_unavailable, on the field `domain`, `transferToken` or `quantity`; rate_limited
   */
  require(context: Context, request: DomainRequest, clientAddress: string): Promise<OrderedDomain>;
  /**
   * Repeats the first step's checks right before the payment.
   * @throws DomainError conflict when the response has changed; provider_unavailable without a response
   */
  recheck(context: Context, order: Order): Promise<void>;
  /** Returns the answers of the sign-in step that a transfer token given at the first step implies. */
  signInInputFor(transferToken: string): SignInInput;
}

export interface TenantRules {
  /** Rules for creating another tenant by name; null when a new tenant needs a separate order. */
  newByName: NewTenantRules | null;
  /** Whether a tenant can have a plan only once, so that more users need more licences of that subscription. */
  sellsPlanOnce: boolean;
  /** Approval of an order into an existing tenant by its administrator; null when a DNS record is the only way. */
  administrator: AdministratorRules | null;
  /** Returns the id of our customer at the vendor who has a domain; null when none has. @throws ProviderError */
  findByDomain(context: Context, domain: string, country: Country): Promise<string | null>;
  /** Normalises an id at the vendor, so that equal keys denote the same tenant or subscription. */
  keyOf(externalId: string): string;
  /** Finds the tenant of a domain, if it is our customer at the vendor. @throws ProviderError */
  identify(context: Context, place: Pick<Destination, "domain" | "country">): Promise<IdentifiedTenant>;
  /** Lists all subscriptions of a tenant, within the vendor's quota. @throws ProviderError */
  listHeld(
    context: Context,
    account: Pick<Destination, "externalId" | "country">,
    options: ListOptions,
  ): Promise<ListedVendorSubscription[]>;
  /** Reads one of them. @returns null when the tenant does not have it @throws ProviderError */
  findHeld(
    context: Context,
    account: Pick<Destination, "externalId" | "country">,
    externalId: string,
  ): Promise<VendorSubscription | null>;
}

/** The vendor's id of a tenant, or a sentence for staff why none can be bound to a company. */
export type IdentifiedTenant = { externalId: string } | { not: string };

export interface ListOptions {
  now: Date;
  /** Seconds between two list calls at a vendor with a quota. Only tests set it. */
  secondsBetweenLists?: number | undefined;
}

export interface NewTenantRules {
  /** Pattern of a valid prefix. */
  pattern: RegExp;
  /** @throws DomainError bad_request or provider_unavailable, on the field `prefix`; rate_limited */
  requireFree(context: Context, prefix: string, country: Country, clientAddress: string): Promise<void>;
  /** Extracts the prefix from a tenant's name in any spelling. */
  prefixOf(tenantName: string): string;
  /** Domain after the prefix. */
  suffix: string;
}

export interface AdministratorRules {
  /** Name of the sign-in: "Microsoft". */
  signsInAt: string;
  /** Accepted roles, as a sentence names them: "a Global Administrator or a Billing Administrator". */
  rolesInSentence: PlainMessageKey;
  /**
   * Decides whether the person who signed in may approve an order into a tenant.
   * @param asked.roles template ids of the accepted roles, any one of which is enough
   */
  judge(
    person: EntraPerson,
    input: { tenantId: string; roles: readonly string[]; now: Date },
  ): { role: string } | { refused: SignInRefusal };
  /** Whether the tenant has accepted us as its partner. @throws ProviderError */
  hasAccepted(context: Context, tenant: Pick<Destination, "externalId" | "country">): Promise<boolean>;
}

/** Reason why a sign-in does not prove control of the tenant. */
export type SignInRefusal =
  | "personal"
  | "other-tenant"
  | "guest"
  | "not-told"
  | "not-administrator"
  | "stale";

/** A secret from the sign-in step that fulfilment needs: stored encrypted next to the order, never among its answers. */
export interface SignInSecret {
  purpose: "sign-in" | "transfer-token";
  username: string;
  value: string;
}

export interface SignInInput {
  answers: SignInAnswers;
  secret?: SignInSecret | undefined;
}

export interface SignInRules {
  /**
   * Validates the answers before they are stored and the order continues.
   * @returns the tenant whose administrator has to accept us first; null when the order can be fulfilled immediately
   * @throws DomainError bad_request when the answers do not fit this order, or on the field that is wrong; provider_unavailable;
   * rate_limited
   */
  check(
    context: Context,
    order: Order,
    given: SignInInput,
    clientAddress: string,
  ): Promise<{ username: string; tenantId: string; link: string } | null>;
}
