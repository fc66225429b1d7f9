/**
 * What is sold: what a family of products decides, and the registry of the families there are. Nothing outside this folder knows a
 * family by its id; docs/extend/family.md says how one is added.
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
  /** In one word, as menus and sentences have it: "Microsoft". */
  label: string;
  /** The line of products: "Microsoft 365". */
  name: string;
  /** What is asked of a buyer's own domain at the first step; null for a family that is not sold to a domain. */
  domain: DomainRules | null;
  /** How its accounts at the vendor are dealt with; null for a family whose subscriptions live in none. */
  tenants: TenantRules | null;
  /** How a paid order of a new buyer learns which account it goes to; null where there is nothing to ask. */
  signIn: SignInRules | null;
  /** True where a running term is renewed for all of its seats or not at all. */
  renewsAllSeats: boolean;
  /** What tells the buyer that a subscription is theirs: a confirmation, or a letter with the access code. */
  mailKind: Extract<MailKind, "order-confirmation" | "brio-access">;
  /** What is said of an order whose account came to us as it was, so that nobody got new sign-in details; null for any other. */
  movedWords(order: Order): string | null;
  /** Where who has bought goes to work with it. @returns an address */
  startUrl(env: Env): string;

  /**
   * Carries a purchase out. Safe to run again at any point: whatever is written at the vendor is a stored step.
   * @param destination the tenant it goes into; null for one still to be made, and where there are none
   * @throws ProviderError; SignInRefused when the buyer has to choose another account
   */
  purchase(context: Context, order: Order, destination: Destination | null): Promise<Fulfilled>;
  /** Adds an order's seats, as `purchase`. @returns the seats there are then @throws ProviderError */
  addSeats(context: Context, order: Order, held: Held): Promise<number>;
  /** Has the next term begin when the running one ends, as `purchase`. @throws ProviderError */
  renew(context: Context, order: Order, held: Held): Promise<void>;
  /** Buys a lapsed subscription again, as `purchase`. @returns the vendor's id of it from now on @throws ProviderError */
  buyAgain(context: Context, order: Order, held: Held): Promise<string>;
  /** Keeps the vendor from beginning another term by itself. Changes nothing when it would not. @throws ProviderError */
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

/** A subscription that an order changes, held for it while it does. */
export interface Held {
  subscription: Subscription;
  /** The tenant it lives in; null where there is none. */
  destination: Destination | null;
}

/** What an order knows of its buyer's domain. */
export type OrderedDomain = NonNullable<OrderDetails["google"]>;

export interface DomainRules {
  /**
   * Looks a domain up that is to be signed up, or to come from another reseller.
   * @throws DomainError bad_request or provider_unavailable, on the field `domain`; rate_limited
   */
  require(context: Context, domain: string, clientAddress: string): Promise<OrderedDomain>;
}

export interface TenantRules {
  /** A customer's further tenant, which needs nothing but a name; null where a new one is another order. */
  newByName: NewTenantRules | null;
  /** True where a tenant has a plan only once: more users of it are more licences. */
  sellsPlanOnce: boolean;
  /** How an administrator lets an order into a tenant that exists; null where a record of its domain does. */
  administrator: AdministratorRules | null;
  /** Of an id at the vendor: the same for what is the same there. */
  keyOf(externalId: string): string;
  /** All that a tenant holds, at the vendor's pace. @throws ProviderError */
  listHeld(context: Context, externalId: string, options: ListOptions): Promise<Reading[]>;
}

export interface ListOptions {
  now: Date;
  /** For tests: how long a vendor that counts our lists is left alone between two of them. */
  secondsBetweenLists?: number | undefined;
}

export interface NewTenantRules {
  /** @throws DomainError bad_request or provider_unavailable, on the field `prefix`; rate_limited */
  requireFree(context: Context, prefix: string, clientAddress: string): Promise<void>;
  /** The prefix of a tenant's name, however it is written. */
  prefixOf(tenantName: string): string;
  /** What follows the prefix. */
  suffix: string;
}

export interface AdministratorRules {
  /** Where the administrator signs in: "Microsoft". */
  signsInAt: string;
  /** Who is one: "a Global Administrator or a Billing Administrator". */
  rolesInSentence: string;
  /**
   * Whether who has signed in may say that an order goes into a tenant.
   * @param asked.roles template ids of the roles that are enough
   */
  judge(
    person: EntraPerson,
    asked: { tenantId: string; roles: readonly string[]; now: Date },
  ): { role: string } | { refused: SignInRefusal };
  /** True once the tenant has us as its partner. @throws ProviderError */
  hasAccepted(context: Context, externalId: string): Promise<boolean>;
}

/** Why a sign-in is no proof. */
export type SignInRefusal =
  | "personal"
  | "other-tenant"
  | "guest"
  | "not-told"
  | "not-administrator"
  | "stale";

/** What only passes through: kept encrypted beside the order, never among its answers. */
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
   * Looks at the answers, before they are kept and the order goes on.
   * @returns the tenant whose administrator has to accept us first; null when the order can be carried out at once
   * @throws DomainError bad_request when they are not this order's, or on the field it concerns; provider_unavailable; rate_limited
   */
  check(
    context: Context,
    order: Order,
    given: SignInGiven,
    clientAddress: string,
  ): Promise<{ username: string; tenantId: string; link: string } | null>;
}

export const families: Readonly<Record<FamilyId, Family>> = { microsoft, google, brio };

/** In the order in which they are offered. */
export const familyIds = Object.keys(families).filter(isFamilyId);

/** Shown where nothing says which. */
export const standardFamily: FamilyId = "microsoft";

export function isFamilyId(text: string): text is FamilyId {
  return Object.hasOwn(families, text);
}

/** Those whose tenants can be asked what they hold. */
export const familiesWithTenants = familyIds.filter((id) => families[id].tenants !== null);

/** How an administrator lets an order into a tenant of the family; null where none can. */
export function administratorOf(family: FamilyId): AdministratorRules | null {
  return families[family].tenants?.administrator ?? null;
}

/** What an order knows of a domain that its buyer has with us already; undefined for a family that is not sold to a domain. */
export function domainOfCustomer(family: FamilyId, domain: string): OrderedDomain | undefined {
  return families[family].domain === null ? undefined : { domain, customerType: "existing_customer" };
}

/** "Microsoft 365, Google Workspace and brio". */
export const allNames = new Intl.ListFormat("en-GB").format(familyIds.map((id) => families[id].name));
