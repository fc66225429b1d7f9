/**
 * Places an existing customer's order: another subscription in one of its tenants or in a new one (TUP), or an add-on to a base
 * subscription (ADDON). Checks the destination and selects the billing address, because these orders have no account step.
 */

import type { Address } from "#db/accounts/customers.ts";
import {
  findTenant,
  hasTenantItem,
  listSubscriptionsWithTenant,
  listTenantsOf,
  type Tenant,
} from "#db/accounts/tenants.ts";
import { findOpenCancellation } from "#db/billing/cancellations.ts";
import { type CustomerId, parseId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import { type AddOnBase, listAddOnBases, lockAddOnBase } from "#db/orders/add-on-bases.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { listAddresses, type Membership } from "#server/accounts/customers.ts";
import type { OrderedDomain } from "#server/catalogue/families/family.ts";
import { domainOfCustomer, families } from "#server/catalogue/families/registry.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { requireQuantity } from "#server/catalogue/pricing/quantity.ts";
import { countries, localisedCountryText } from "#server/foundation/countries/registry.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";
import { checkBuyer } from "./buyer-check.ts";
import { baseProductNeeded, type Placement } from "./draft.ts";
import { addOnSeatsAtCheckout, type SeatCheckContext, seatLimitMessage } from "./seats.ts";

/** The buyer's company, from the session. */
export type Company = Pick<Membership, "id" | "name">;

/** Whether a new tenant takes a separate NEW order, because it needs more than a name. */
export function requiresNewOrder({ family }: Pick<CatalogueItem, "family">): boolean {
  const { tenants } = families[family];
  return tenants !== null && tenants.newByName === null;
}

/** Lists a company's tenants at a family's vendor, by domain. */
export function listTenants(db: Db, customerId: CustomerId, family: FamilyId): Promise<Tenant[]> {
  return listTenantsOf(db, customerId, family);
}

/** Lists the company's active subscriptions that can be the base of this add-on, the last to end first. */
export function listCompanyAddOnBases(
  db: Db,
  customerId: CustomerId,
  addOn: CatalogueItem,
): Promise<AddOnBase[]> {
  return listAddOnBases(db, customerId, { addOnId: addOn.id, baseItemIds: addOn.baseItemIds });
}

/** Lists the bases of an add-on. @throws DomainError conflict when there are none, because an add-on needs a base */
export async function requireAddOnBases(
  db: Db,
  customerId: CustomerId,
  addOn: CatalogueItem,
): Promise<AddOnBase[]> {
  const bases = await listCompanyAddOnBases(db, customerId, addOn);
  if (bases.length === 0) throw new DomainError("conflict", baseProductNeeded);
  return bases;
}

export interface DestinationInput {
  /** Id of the company's tenant or, for an add-on, of the base subscription; "new" uses `prefix` and `username`. */
  destination: string;
  username: string;
  prefix: string;
  /** One of the company's saved addresses; null for its default in the order's country. */
  addressId: string | null;
}

/** Places another subscription of a customer. @throws DomainError bad_request on the field concerned */
export async function placeSubscription(
  context: Context,
  input: {
    company: Company;
    item: CatalogueItem;
    country: Country;
    where: DestinationInput;
    clientAddress: string;
  },
): Promise<{ placement: Placement; google?: OrderedDomain | undefined }> {
  const { db } = context;
  const { company, item, country, where } = input;
  const account = await accountAnswersFor(db, company, country, where.addressId);
  const place = {
    kind: "TUP",
    parentSubscriptionId: null,
    subscriptionId: null,
    signIn: null,
    account,
  } as const;
  const { tenants } = families[item.family];
  if (tenants === null) {
    return { placement: { ...place, tenantId: null, addedTo: company.name } };
  }
  if (where.destination === "new" && tenants.newByName !== null) {
    const { username, prefix } = where;
    await tenants.newByName.requireFree(context, prefix, country, input.clientAddress);
    // Suggestions are not shown here: the company chose a saved address, which the vendor knows.
    const buyer = { family: item.family, account, clientAddress: input.clientAddress };
    await checkBuyer(context, buyer).catch((error: unknown) => refusedAddress(error, where));
    const addedTo = `${prefix}${tenants.newByName.suffix}`;
    return {
      placement: { ...place, tenantId: null, signIn: { mode: "new", username, prefix }, addedTo },
    };
  }
  const tenantId = parseId<TenantId>(where.destination);
  const tenant = tenantId === null ? null : await findTenant(db, tenantId);
  if (tenant === null || tenant.customerId !== company.id || tenant.family !== item.family) {
    throw wrongField("destination", msg("fields.destination"));
  }
  requireSameCountry(tenant, country);
  const twice = await soldTwice(db, tenant, item);
  if (twice !== null) throw wrongField("destination", twice);
  return {
    placement: { ...place, tenantId: tenant.id, addedTo: tenant.domain },
    google: domainOfCustomer(item.family, tenant.domain),
  };
}

/**
 * Reports a refused address as one problem, because a saved address is chosen as a whole. A company with only one has no
 * address field, so the problem appears at the tenant.
 */
function refusedAddress(error: unknown, { addressId }: DestinationInput): never {
  const isOfFields = error instanceof DomainError && error.fields !== undefined;
  if (!isOfFields) throw error;
  throw wrongField(
    addressId === null ? "destination" : "address",
    msg("refusals.newTenantAddress", { problem: error.descriptor }),
  );
}

/**
 * Requires that a tenant is in the order's country: vendors that sell by country sell to a tenant from one country only, in its
 * currency.
 * @throws DomainError bad_request, on the field `destination`
 */
function requireSameCountry(place: { domain: string; country: Country }, country: Country): void {
  if (place.country === country) return;
  const elsewhere = { domain: place.domain, country: localisedCountryText(place.country, "inSentence") };
  throw wrongField("destination", msg("refusals.tenantElsewhere", elsewhere));
}

/**
 * Places an add-on on one of the customer's base subscriptions.
 * @throws DomainError bad_request on the field concerned; conflict without a base
 */
export async function placeAddOn(
  db: Db,
  input: {
    company: Company;
    item: CatalogueItem;
    country: Country;
    where: DestinationInput;
    quantity: number;
  },
): Promise<{ placement: Placement }> {
  const { company, item, country, where, quantity } = input;
  const account = await accountAnswersFor(db, company, country, where.addressId);
  const bases = await requireAddOnBases(db, company.id, item);
  const base = bases.find(({ id }) => id === where.destination);
  if (base === undefined) throw wrongField("destination", msg("fields.base"));
  requireSameCountry(base, country);
  const tooMany = noRoom(base, item, requireQuantity(quantity, item));
  if (tooMany !== null) throw wrongField("quantity", tooMany);
  return {
    placement: {
      kind: "ADDON",
      tenantId: base.tenantId,
      parentSubscriptionId: base.id,
      subscriptionId: null,
      signIn: null,
      account,
      addedTo: `${base.name}, ${base.domain}`,
    },
  };
}

/**
 * Returns the reason why an order can no longer go to its destination; null when it can. The base may be gone or full, or a
 * colleague may have bought the plan.
 */
export async function whyNotPlaceable(
  trx: Trx,
  order: Order,
  item: CatalogueItem,
  at: SeatCheckContext,
): Promise<MessageDescriptor | null> {
  if (order.kind === "ADDON") {
    if (order.parentSubscriptionId === null) return baseProductNeeded;
    return whyBaseIsFull(trx, order, order.parentSubscriptionId, item, at);
  }
  if (order.kind !== "TUP" || order.tenantId === null) return null;
  const tenant = await findTenant(trx, order.tenantId);
  return tenant === null ? null : soldTwice(trx, tenant, item);
}

/**
 * Returns the reason why a base has no room for an order's add-on seats: it is gone, or has too few licences. Locks the base
 * until the transaction ends, so that concurrent additions are counted in turn.
 */
export async function whyBaseIsFull(
  trx: Trx,
  order: Order,
  baseId: SubscriptionId,
  addOn: CatalogueItem,
  at: SeatCheckContext,
): Promise<MessageDescriptor | null> {
  const base = await lockAddOnBase(trx, baseId, addOn.id);
  if (base === null) return baseProductNeeded;
  if ((await findOpenCancellation(trx, baseId)) !== null) return msg("cancellation.underWay");
  return noRoom(base, addOn, order.line.quantity, await addOnSeatsAtCheckout(trx, order, baseId, at));
}

/**
 * Returns the reason when the quantity exceeds the base's seats: an add-on cannot have more seats than its base
 * (docs/specification.md, section 9.2).
 * @param open the add-on's seats at the checkout in other orders
 */
function noRoom(base: AddOnBase, item: CatalogueItem, quantity: number, open = 0): MessageDescriptor | null {
  const room = base.quantity - base.held - open;
  if (quantity <= room) return null;
  const { name, quantity: count, held } = base;
  const has =
    held === 0
      ? msg("refusals.has", { name, count })
      : msg("refusals.hasWithAddOn", { name, count, held, addOn: item.name });
  return seatLimitMessage(has, room, open);
}

/**
 * Returns the reason why a vendor that sells a plan only once per domain cannot sell it to this tenant again; null when it can.
 */
async function soldTwice(db: Db, tenant: Tenant, item: CatalogueItem): Promise<MessageDescriptor | null> {
  if (!isSoldOnce(item) || !(await hasTenantItem(db, tenant.id, item.id))) return null;
  return msg("refusals.soldOnce", { domain: tenant.domain, plan: item.name });
}

function isSoldOnce({ family }: CatalogueItem): boolean {
  return families[family].tenants?.sellsPlanOnce === true;
}

/**
 * Maps domains to the company's running subscription to a plan that a domain can have only once. More licences are added to it
 * instead.
 */
export async function listSingleInstanceSubscriptions(
  db: Db,
  customerId: CustomerId,
  item: CatalogueItem,
): Promise<ReadonlyMap<string, SubscriptionId>> {
  const placed = isSoldOnce(item) ? await listSubscriptionsWithTenant(db, customerId) : [];
  return new Map(placed.filter(({ itemId }) => itemId === item.id).map(({ domain, id }) => [domain, id]));
}

/**
 * Builds the account answers of a company's order.
 * @param addressId one of its saved addresses; null for its default in that country
 * @throws DomainError bad_request, on the field `address`, when there is none
 */
export async function accountAnswersFor(
  db: Db,
  company: Company,
  country: Country,
  addressId: string | null,
): Promise<AccountAnswers> {
  const addresses = await addressesIn(db, company, country);
  const address = addressId === null ? addresses[0] : addresses.find(({ id }) => id === addressId);
  if (address === undefined) throw wrongField("address", msg("fields.companyAddress"));
  return accountOf(company, address);
}

/** Lists the addresses that a company's orders in a country can be invoiced to. The first is the default. */
export async function addressesIn(db: Db, company: Company, country: Country): Promise<Address[]> {
  return (await listAddresses(db, company.id)).filter((address) => address.country === country);
}

/** Builds the account answers of an order invoiced to one of a company's addresses. */
export function accountOf(company: Pick<Company, "name">, address: Address): AccountAnswers {
  return {
    companyName: company.name,
    email: address.email,
    firstName: address.firstName,
    lastName: address.lastName,
    phoneCode: countries[address.country].phone.code,
    phoneNumber: address.phone,
    addressLine1: address.addressLine1,
    addressLine2: address.addressLine2,
    city: address.city,
    state: address.state,
    pincode: address.pincode,
    country: address.country,
    organisationRegistrationNumber: address.organisationRegistrationNumber,
    gst_code: address.gstCode,
  };
}
