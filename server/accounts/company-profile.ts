/**
 * A company's details as its owners change them: name, billing addresses, and the tax that it withholds. Issued documents keep
 * the old details.
 */
import {
  deleteAddress,
  makeDefaultAddress,
  readTaxDetails as readStored,
  saveTaxDetails,
  type TaxDetails,
} from "#db/accounts/company-profile.ts";
import type { Address, AddressFields } from "#db/accounts/customers.ts";
import { lockCustomer } from "#db/accounts/members.ts";
import { renameCustomer, updateProvisionalAddress } from "#db/accounts/provisional-accounts.ts";
import { type AddressId, type CustomerId, parseId, type UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { addAddress, getAddress, listAddresses, type Membership, requireMember } from "./customers.ts";
import { requireSameLegalEntity } from "./legal-entity.ts";

export type { TaxDetails };

/** The company, and the user who makes the request. */
export interface OwnerRequest {
  customerId: CustomerId;
  by: UserId;
}

export const noTaxDetails: TaxDetails = { deductorNumber: null, section: null, rateBasisPoints: null };

/**
 * Locks a company, so that its changes happen one at a time.
 * @throws DomainError forbidden unless an owner asks; not_found for a user who is not a member
 */
export async function lockAsOwner(trx: Trx, { customerId, by }: OwnerRequest): Promise<Membership> {
  await lockCustomer(trx, customerId);
  return requireMember(trx, by, customerId, ["owner"]);
}

const changed = (
  trx: Trx,
  { customerId, by }: OwnerRequest,
  action: string,
  data: Record<string, string | number | null> = {},
) => recordAudit(trx, { userId: by, action, subject: `customer:${customerId}`, data });

/** @returns the company before the change @throws DomainError as lockAsOwner */
export async function renameCompany(trx: Trx, owner: OwnerRequest, name: string): Promise<Membership> {
  const before = await lockAsOwner(trx, owner);
  if (before.name === name) return before;
  await renameCustomer(trx, owner.customerId, name);
  await changed(trx, owner, "customer.rename", { from: before.name, to: name });
  return before;
}

/** Adds an address; an identical one is not added twice. @throws DomainError as lockAsOwner, requireSameLegalEntity */
export async function addBillingAddress(
  trx: Trx,
  owner: OwnerRequest,
  fields: AddressFields,
): Promise<Address> {
  await lockAsOwner(trx, owner);
  const places = await listAddresses(trx, owner.customerId);
  requireSameLegalEntity(fields, places);
  const first = places.find(({ country }) => country === fields.country);
  const place = await addAddress(trx, owner.customerId, fields);
  // Without a chosen default, the newest address would become it. An address that is added here becomes the default by its button
  // only.
  if (first !== undefined && first.id !== place.id) await makeDefaultAddress(trx, first.id, new Date());
  await changed(trx, owner, "place.add", { place: place.id });
  return place;
}

/**
 * @returns the address before the change @throws DomainError as lockAsOwner, requireSameLegalEntity; not_found for an address
 * that is not the company's
 */
export async function updateBillingAddress(
  trx: Trx,
  owner: OwnerRequest,
  id: AddressId,
  fields: AddressFields,
): Promise<Address> {
  await lockAsOwner(trx, owner);
  const before = await getAddress(trx, owner.customerId, id);
  const places = await listAddresses(trx, owner.customerId);
  requireSameLegalEntity(
    fields,
    places.filter((other) => other.id !== id),
  );
  await updateProvisionalAddress(trx, owner.customerId, id, fields);
  await changed(trx, owner, "place.change", { place: id });
  return before;
}

/** Makes an address the default for orders. @throws DomainError as updateBillingAddress */
export async function makeDefaultBillingAddress(
  trx: Trx,
  owner: OwnerRequest,
  place: string,
  now: Date,
): Promise<void> {
  await lockAsOwner(trx, owner);
  const { id } = await placeOf(trx, owner, place);
  await makeDefaultAddress(trx, id, now);
  await changed(trx, owner, "place.make-default", { place: id });
}

/**
 * Stops offering an address. Earlier orders and documents keep it.
 * @throws DomainError as updateBillingAddress; conflict for the last address of its country, without which nothing could be
 * ordered there
 */
export async function removeBillingAddress(trx: Trx, owner: OwnerRequest, place: string): Promise<void> {
  await lockAsOwner(trx, owner);
  const { id, country } = await placeOf(trx, owner, place);
  const others = (await listAddresses(trx, owner.customerId)).filter(
    (other) => other.id !== id && other.country === country,
  );
  if (others.length === 0) throw new DomainError("conflict", msg("company.lastPlace"));
  await deleteAddress(trx, id);
  await changed(trx, owner, "place.remove", { place: id });
}

async function placeOf(trx: Trx, { customerId }: OwnerRequest, place: string): Promise<Address> {
  const id = parseId<AddressId>(place);
  if (id === null) throw notFound("address");
  return getAddress(trx, customerId, id);
}

/** Returns the company's statement on the tax that it withholds; all null when it has made none. */
export async function taxDetailsOf(db: Db, customerId: CustomerId): Promise<TaxDetails> {
  return (await readStored(db, customerId)) ?? noTaxDetails;
}

/**
 * @param ratesBasisPoints the rates that a transfer may be short by; any other rate would only delay the order
 * @throws DomainError as lockAsOwner; bad_request on the field it concerns
 */
export async function changeTaxDetails(
  trx: Trx,
  owner: OwnerRequest,
  details: TaxDetails,
  ratesBasisPoints: readonly number[],
): Promise<void> {
  const { country } = await lockAsOwner(trx, owner);
  const { withholding } = countries[country].invoicing;
  if (withholding === undefined) throw notFound("page");
  const { deductorNumber, rateBasisPoints } = details;
  if (deductorNumber !== null && !withholding.numberForm.test(deductorNumber))
    throw wrongField("deductorNumber", msg("company.deductorNumberForm", { example: withholding.example }));
  if (rateBasisPoints !== null && !ratesBasisPoints.includes(rateBasisPoints))
    throw wrongField("rateBasisPoints", msg("company.unknownRate"));
  await saveTaxDetails(trx, owner.customerId, details);
  await changed(trx, owner, "customer.tax-details", { ...details });
}
