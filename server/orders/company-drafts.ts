/**
 * Changes of a company that its unpaid orders follow: its name, and a place that they are sold to. An order that is paid keeps what it was
 * placed with, and so does every document; one that is being paid does so too, unless its details could not be invoiced.
 */
import type { Address, AddressFields } from "#db/accounts/customers.ts";
import type { AddressId } from "#db/ids.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import { listOrders } from "#db/orders/order-lists.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type OwnerRequest, renameCompany, updateBillingAddress } from "#server/accounts/company-profile.ts";
import { listAddresses } from "#server/accounts/customers.ts";
import { billingProblem } from "./billing-problem.ts";
import { updateTax } from "./draft.ts";
import { accountOf } from "./existing-customer.ts";
import { lockOrder } from "./find.ts";
import { moveOrder } from "./order-lifecycle.ts";
import { isPaid, isRefunded } from "./payment-state.ts";
import type { SellersByCountry } from "./supply.ts";

/** A cart that is longer is not a buyer's. */
const maxDrafts = 200;

/**
 * Renames a company, and sells its unpaid orders to it by the new name.
 * @throws DomainError forbidden unless an owner asks; not_found for a stranger
 */
export async function renameWithDrafts(
  trx: Trx,
  sellers: SellersByCountry,
  owner: OwnerRequest,
  name: string,
): Promise<void> {
  const before = await renameCompany(trx, owner, name);
  await correctDrafts(trx, sellers, owner, (account) =>
    account.companyName === before.name ? { ...account, companyName: name } : null,
  );
}

/**
 * Changes a place, and the unpaid orders that are sold to it.
 * @throws DomainError as renameWithDrafts; not_found for a place that is not the company's
 */
export async function updateAddressAndDrafts(
  trx: Trx,
  sellers: SellersByCountry,
  owner: OwnerRequest,
  place: AddressId,
  fields: AddressFields,
): Promise<void> {
  const before = await updateBillingAddress(trx, owner, place, fields);
  await correctDrafts(trx, sellers, owner, (account) =>
    isSoldTo(account, before) ? accountOf({ name: account.companyName }, { id: place, ...fields }) : null,
  );
}

/** The company's place that an order is sold to; null for a place that was changed since. */
export async function findPlaceOf(db: Db, { customerId, account }: Order): Promise<AddressId | null> {
  if (customerId === null || account === null) return null;
  return (await listAddresses(db, customerId)).find((place) => isSoldTo(account, place))?.id ?? null;
}

/** By its address and its numbers: whom to contact may have been another for one order. */
function isSoldTo(account: AccountAnswers, place: Address): boolean {
  return (
    account.addressLine1 === place.addressLine1 &&
    account.addressLine2 === place.addressLine2 &&
    account.city === place.city &&
    account.state === place.state &&
    account.pincode === place.pincode &&
    account.country === place.country &&
    account.organisationRegistrationNumber === place.organisationRegistrationNumber &&
    account.gst_code === place.gstCode
  );
}

/** @param correct what an order is sold to from now on; null to leave it as it is */
async function correctDrafts(
  trx: Trx,
  sellers: SellersByCountry,
  { customerId }: OwnerRequest,
  correct: (account: AccountAnswers) => AccountAnswers | null,
): Promise<void> {
  const everything = { number: null, family: null, search: null, after: null, limit: maxDrafts };
  const { rows } = await listOrders(trx, [{ customerId }], { which: "cart", ...everything });
  // Always locked in the same sequence.
  for (const { id } of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const order = await lockOrder(trx, id);
    if (isPaid(order) || isRefunded(order) || order.account === null) continue;
    const isBeingPaid = order.paymentStatus === "pending";
    if (isBeingPaid && billingProblem(sellers, order.account) === null) continue;
    const account = correct(order.account);
    if (account === null) continue;
    await moveOrder(trx, order, { account });
    // Who buys decides how the supply is taxed.
    await updateTax(trx, await lockOrder(trx, id), sellers, new Date());
  }
}
