/**
 * The families that are sold, and what each of them decides. Nothing outside this folder knows a family by its id.
 * docs/extend/family.md says how to add one.
 */
import type { Order, OrderDetails, SignInAnswers } from "#db/order.ts";
import type { Subscription } from "#db/subscriptions.ts";
import type { FamilyId, MailKind } from "#db/tables/enums.ts";
import type { Context } from "#server/context.ts";
import type { Env } from "#server/env.ts";
import type { EntraPerson } from "#server/providers/entra.ts";
import { brio } from "./brio/index.ts";
import type { Reading } from "./found.ts";
import type { Fulfilled } from "./fulfilled.ts";
import { google } from "./google/index.ts";
import { microsoft } from "./microsoft/index.ts";

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
  /** True when a running term is renewed for all of its seats or not at all. */
  renewsAllSeats: boolean;
  /** The mail sent when a subscription is ready: a confirmation, or a letter with the access code. */
  mailKind: Extract<MailKind, "order-confirmation" | "brio-access">;
  /**
   * The text for an order whose tenant was transferred to us, so that there are no new sign-in details; null for any
   * other order.
   */
  movedWords(order: Order): string | null;
  /** The URL where a buyer starts to use the product. */
  startUrl(env: Env): string;

  /**
   * Carries out a purchase. Idempotent at any point: every write at the vendor is a stored step.
   * @param destination the tenant it goes into; null when it is still to be made, or the family has none
   * @throws ProviderError; SignInRefused when the buyer has to choose another account
   */
  purchase(context: Context, order: Order, destination: Destination | null): Promise<Fulfilled>;
  /** Adds an order's seats; idempotent, as `purchase`. @returns the new number of seats @throws ProviderError */
  addSeats(context: Context, order: Order, held: Held): Promise<number>;
  /** Makes the next term begin when the running one ends; idempotent, as `purchase`. @throws ProviderError */
  renew(context: Context, order: Order, held: Held): Promise<void>;
  /**
   * Buys a lapsed subscription again; idempotent, as `purchase`.
   * @returns the vendor's id of the new one
   * @throws ProviderError
   */
  buyAgain(context: Context, order: Order, held: Held): Promise<string>;
  /** Turns off the vendor's automatic renewal. Does nothing when it is off already. @throws ProviderError */
  stopRenewal(context: Context, held: Held): Promise<void>;
}

/** The tenant a paid order goes into. */
export interface Destination {
  /** The vendor's own id of the tenant. */
  externalId: string;
  domain: string;
  name: string;
  /** For an add-on: the vendor's own id of the subscription it belongs to. */
  baseSubscription: string | null;
}

/** A subscription that an order changes, and holds while it does. */
export interface Held {
  subscription: Subscription;
  /** The tenant it lives in; null for a family without tenants. */
  destination: Destination | null;
}

/** An order's details of its buyer's domain. */
export type OrderedDomain = NonNullable<OrderDetails["google"]>;

export interface DomainRules {
  /**
   * Checks a domain that is new to the vendor, or that moves to us from another reseller.
   * @throws DomainError bad_request or provider_unavailable, on the field `domain`; rate_limited
   */
  require(context: Context, domain: string, clientAddress: string): Promise<OrderedDomain>;
}

export interface TenantRules {
  /** How a customer gets another tenant by choosing a name; null where a new tenant takes a separate order. */
  newByName: NewTenantRules | null;
  /** True when a tenant can hold a plan only once, so that more users means more licences of that subscription. */
  sellsPlanOnce: boolean;
  /** How an administrator approves an order into an existing tenant; null where a DNS record is the only way. */
  administrator: AdministratorRules | null;
  /** Normalises an id at the vendor, so that equal keys mean the same tenant or subscription. */
  keyOf(externalId: string): string;
  /** Lists all subscriptions of a tenant, within the vendor's quota. @throws ProviderError */
  listHeld(context: Context, externalId: string, options: ListOptions): Promise<Reading[]>;
}

export interface ListOptions {
  now: Date;
  /** Seconds between two list calls at a vendor with a quota. Set by tests only. */
  secondsBetweenLists?: number | undefined;
}

export interface NewTenantRules {
  /** @throws DomainError bad_request or provider_unavailable, on the field `prefix`; rate_limited */
  requireFree(context: Context, prefix: string, clientAddress: string): Promise<void>;
  /** Extracts the prefix from a tenant's name in any spelling. */
  prefixOf(tenantName: string): string;
  /** The part after the prefix. */
  suffix: string;
}

export interface AdministratorRules {
  /** The name of the sign-in: "Microsoft". */
  signsInAt: string;
  /** The accepted roles, as a sentence names them: "a Global Administrator or a Billing Administrator". */
  rolesInSentence: string;
  /**
   * Decides whether the person who signed in may approve an order into a tenant.
   * @param asked.roles template ids of the accepted roles, any one of which is enough
   */
  judge(
    person: EntraPerson,
    asked: { tenantId: string; roles: readonly string[]; now: Date },
  ): { role: string } | { refused: SignInRefusal };
  /** True once the tenant has us as its partner. @throws ProviderError */
  hasAccepted(context: Context, externalId: string): Promise<boolean>;
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

export interface SignInGiven {
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
    given: SignInGiven,
    clientAddress: string,
  ): Promise<{ username: string; tenantId: string; link: string } | null>;
}

export const families: Readonly<Record<FamilyId, Family>> = { microsoft, google, brio };

/** In the order in which the screens offer them. */
export const familyIds = Object.keys(families).filter(isFamilyId);

/** The family shown when none is chosen. */
export const standardFamily: FamilyId = "microsoft";

export function isFamilyId(text: string): text is FamilyId {
  return Object.hasOwn(families, text);
}

/** The families whose tenants can list their subscriptions. */
export const familiesWithTenants = familyIds.filter((id) => families[id].tenants !== null);

/** How an administrator approves an order into a tenant of the family; null where none can. */
export function administratorOf(family: FamilyId): AdministratorRules | null {
  return families[family].tenants?.administrator ?? null;
}

/**
 * An order's domain details when the customer already has the domain with us; undefined for a family that is not sold to
 * a domain.
 */
export function domainOfCustomer(family: FamilyId, domain: string): OrderedDomain | undefined {
  return families[family].domain === null ? undefined : { domain, customerType: "existing_customer" };
}

/** "Microsoft 365, Google Workspace and brio". */
export const allNames = new Intl.ListFormat("en-GB").format(familyIds.map((id) => families[id].name));
