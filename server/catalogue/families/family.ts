/**
 * What each family that is sold decides. Nothing outside this folder knows a family by its id.
 * docs/extend/family.md says how to add one.
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

/** What a buyer has answered and a vendor is told in turn. */
export type OrderAnswerGroup = "address" | "contact" | "tenantName" | "username";

export interface Family {
  /** The short name for menus and sentences: "Microsoft". */
  label: string;
  /** The line of products: "Microsoft 365". */
  name: string;
  /** How the buyer's own domain is checked at the first step; null for a family that is not sold to a domain. */
  domain: DomainRules | null;
  /** How the family's tenants work; null for a family whose subscriptions live in no tenant. */
  tenants: TenantRules | null;
  /** How a new buyer says which tenant a paid order goes to; null where there is nothing to ask. */
  signIn: SignInRules | null;
  /** The agreement that its vendor makes with the buyer and that we ask for; null where there is none. */
  agreement: AgreementRules | null;
  /** How the vendor refuses, and how it is asked whether it is well again; null for a family without a vendor. */
  vendor: VendorRules | null;
  /** What its vendor bills us for; null for a family that nobody bills. */
  bills: BillRules | null;
  /** The stored steps by which its vendor is told each part of an order's answers. After one of them, a change here changes nothing there. */
  tellsVendor: Readonly<Record<OrderAnswerGroup, readonly string[]>>;
  /** True when a running term is renewed for all of its seats or not at all. */
  renewsAllSeats: boolean;
  /** The mail sent when a subscription is ready: a confirmation, or a letter with the access code. */
  mailKind: Extract<MailKind, "order-confirmation" | "brio-access">;
  /**
   * The text for an order whose tenant was transferred to us, so that there are no new sign-in details; null for any
   * other order.
   */
  movedWords(order: Order): MessageDescriptor | null;
  /** What is left for the buyer to do at the vendor after an order, a sentence each; empty where nothing is. */
  remainingSteps(order: Order): MessageDescriptor[];
  /**
   * What is to do at the vendor when a new account is ready, in order.
   * @param domain the account's
   * @param startUrl where the product is used
   */
  onboardingSteps(order: Order, domain: string, startUrl: string): readonly OnboardingStep[];
  /**
   * Whether a subscription waits for its customer to accept the vendor's terms; null for a family where none can.
   * @throws ProviderError
   */
  waitsForTerms: ((context: Context, externalId: string) => Promise<boolean>) | null;
  /** The URL where a buyer starts to use the product. */
  startUrl(env: Env): string;
  /** Whether it can be sold in a country: false where the store lacks what the vendor asks for. */
  isOpenIn(env: Env, country: Country): boolean;

  /**
   * Asks the vendor whether it would accept a new buyer. Never throws for a vendor that does not answer: the buyer goes on.
   */
  checkBuyer(context: Context, account: AccountAnswers): Promise<BuyerCheckResult>;
  /** Whether an order stops before its payment while nobody knows what the vendor charges us for it. */
  requiresKnownCost(order: Order): boolean;
  /** Whether the vendor still sells what is ordered, and for what. Asked before the payment. @throws ProviderError */
  isOnSale(context: Context, order: Order): Promise<SaleCheck>;
  /**
   * Carries out a purchase. Idempotent at any point: every write at the vendor is a stored step.
   * @param destination the tenant it goes into; null when it is still to be made, or the family has none
   * @throws ProviderError; SignInRefusedError when the buyer has to choose another account
   */
  purchase(context: Context, order: Order, destination: Destination | null): Promise<Fulfilled>;
  /** Adds an order's seats; idempotent, as `purchase`. @returns the new number of seats @throws ProviderError */
  addSeats(context: Context, order: Order, held: SubscriptionAtVendor): Promise<number>;
  /** Makes the next term begin when the running one ends; idempotent, as `purchase`. @throws ProviderError */
  renew(context: Context, order: Order, held: SubscriptionAtVendor): Promise<void>;
  /**
   * Buys a lapsed subscription again; idempotent, as `purchase`.
   * @returns the vendor's id of the new one
   * @throws ProviderError
   */
  buyAgain(context: Context, order: Order, held: SubscriptionAtVendor): Promise<string>;
  /**
   * Makes the vendor end the subscription with its term. Writes nothing when it will end already.
   * @returns what the vendor says of it then, read back; null for a family without a vendor
   * @throws ProviderError; transient while the vendor does not show the change
   */
  stopRenewal(context: Context, held: SubscriptionAtVendor): Promise<VendorSubscription | null>;
  /** What may be cancelled or reduced before the end of a term, and how. */
  returns: ReturnRules;
}

export interface AgreementRules {
  /** As its vendor names it. */
  name: string;
  /** The version in force in a country. @throws ProviderError */
  current(context: Context, country: Country): Promise<AgreementVersion>;
  /** Where a version can be read for the next minutes. @throws ProviderError */
  documentUrl(context: Context, country: Country, version: string): Promise<string>;
}

export interface VendorRules {
  /** Names our account at the vendor that carries out a country's orders. When it is out, all its orders wait. */
  accountOf(country: Country): string;
  /** What the vendor calls our items. */
  catalogue: VendorCatalogue;
  /** What a refusal means for the order that met it. */
  classify(context: Context, order: Order, error: ProviderError): Promise<ErrorPolicy>;
  /** The meaning of a stored refusal for staff, by its codes; null for codes that the vendor's table does not have. */
  meaningOf(codes: readonly string[]): string | null;
  /**
   * Reads what the vendor announces to us.
   * @throws DomainError unauthenticated when it is not proven to be the vendor's, bad_request when it is no notice
   */
  readNotice(context: Context, request: VendorWebhookRequest): Promise<VendorEvent>;
  webhookSetup: VendorWebhookSetup;
  /** A cheap read that needs all that orders need of the account: token, role, agreement. @throws ProviderError */
  probe(context: Context, country: Country): Promise<void>;
}

/** What a vendor says of a buyer before anything is paid: whether it would refuse a field, or would write the address otherwise. */
export type BuyerCheckResult =
  | { verdict: "accepted" }
  | { verdict: "refused"; fields: Record<string, MessageDescriptor> }
  | { verdict: "suggestions"; suggestions: PlaceOfBusiness[] };

/** An order's details of its buyer's domain. */
export type OrderedDomain = NonNullable<OrderDetails["google"]>;

/** What is ordered, and where. */
export interface OrderedPlan {
  itemId: ItemId;
  country: Country;
  name: string;
}

/** A domain as the first step of an order asks for it. */
export interface DomainRequest {
  domain: string;
  plan: OrderedPlan;
  quantity: number;
  /** Of a domain that moves to us from another reseller; null when the buyer has none yet. */
  transferToken: string | null;
}

export interface DomainRules {
  /**
   * Checks a domain that is new to the vendor, or that moves to us from another reseller; with its token also what moves.
   * @throws DomainError bad_request or provider_unavailable, on the field `domain`, `transferToken` or `quantity`; rate_limited
   */
  require(context: Context, request: DomainRequest, clientAddress: string): Promise<OrderedDomain>;
  /**
   * Asks again what the first step asked, right before the payment.
   * @throws DomainError conflict when the answer is another now; provider_unavailable without an answer
   */
  recheck(context: Context, order: Order): Promise<void>;
  /** The answers of the sign-in step that a transfer token given at the first step stands for. */
  signInInputFor(transferToken: string): SignInInput;
}

export interface TenantRules {
  /** How a customer gets another tenant by choosing a name; null where a new tenant takes a separate order. */
  newByName: NewTenantRules | null;
  /** True when a tenant can hold a plan only once, so that more users means more licences of that subscription. */
  sellsPlanOnce: boolean;
  /** How an administrator approves an order into an existing tenant; null where a DNS record is the only way. */
  administrator: AdministratorRules | null;
  /** The customer of ours at the vendor who has a domain: its id; null when none has. @throws ProviderError */
  findByDomain(context: Context, domain: string, country: Country): Promise<string | null>;
  /** Normalises an id at the vendor, so that equal keys mean the same tenant or subscription. */
  keyOf(externalId: string): string;
  /** Finds the tenant of a domain, if it is a customer of ours at the vendor. @throws ProviderError */
  identify(context: Context, place: Pick<Destination, "domain" | "country">): Promise<IdentifiedTenant>;
  /** Lists all subscriptions of a tenant, within the vendor's quota. @throws ProviderError */
  listHeld(
    context: Context,
    account: Pick<Destination, "externalId" | "country">,
    options: ListOptions,
  ): Promise<ListedVendorSubscription[]>;
  /** Asks for one of them. @returns null when the tenant does not have it @throws ProviderError */
  findHeld(
    context: Context,
    account: Pick<Destination, "externalId" | "country">,
    externalId: string,
  ): Promise<VendorSubscription | null>;
}

/** The vendor's id of a tenant, or in a sentence for staff why there is none to be bound to a company. */
export type IdentifiedTenant = { externalId: string } | { not: string };

export interface ListOptions {
  now: Date;
  /** Seconds between two list calls at a vendor with a quota. Set by tests only. */
  secondsBetweenLists?: number | undefined;
}

export interface NewTenantRules {
  /** How a prefix is written. */
  pattern: RegExp;
  /** @throws DomainError bad_request or provider_unavailable, on the field `prefix`; rate_limited */
  requireFree(context: Context, prefix: string, country: Country, clientAddress: string): Promise<void>;
  /** Extracts the prefix from a tenant's name in any spelling. */
  prefixOf(tenantName: string): string;
  /** The part after the prefix. */
  suffix: string;
}

export interface AdministratorRules {
  /** The name of the sign-in: "Microsoft". */
  signsInAt: string;
  /** The accepted roles, as a sentence names them: "a Global Administrator or a Billing Administrator". */
  rolesInSentence: PlainMessageKey;
  /**
   * Decides whether the person who signed in may approve an order into a tenant.
   * @param asked.roles template ids of the accepted roles, any one of which is enough
   */
  judge(
    person: EntraPerson,
    input: { tenantId: string; roles: readonly string[]; now: Date },
  ): { role: string } | { refused: SignInRefusal };
  /** True once the tenant has us as its partner. @throws ProviderError */
  hasAccepted(context: Context, tenant: Pick<Destination, "externalId" | "country">): Promise<boolean>;
}

/** Why a sign-in does not prove control of the tenant. */
export type SignInRefusal =
  | "personal"
  | "other-tenant"
  | "guest"
  | "not-told"
  | "not-administrator"
  | "stale";

/** A secret that the sign-in step takes for fulfilment: stored encrypted beside the order, never among its answers. */
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
   * Validates the answers before they are stored and the order moves on.
   * @returns the tenant whose administrator has to accept us first; null when the order can be carried out at once
   * @throws DomainError bad_request when the answers do not fit this order, or on the field that is wrong;
   * provider_unavailable; rate_limited
   */
  check(
    context: Context,
    order: Order,
    given: SignInInput,
    clientAddress: string,
  ): Promise<{ username: string; tenantId: string; link: string } | null>;
}
