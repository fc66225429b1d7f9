/**
 * Applies changes of a company's name and addresses to its unpaid orders. Paid orders and all documents keep theirs; so does an
 * order at the checkout, unless its details could not be invoiced.
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

/** Limit far above the cart of any real buyer. */
const maxDrafts = 200;

/**
 * Renames a company, also in its unpaid orders.
 * @throws DomainError forbidden unless an owner asks; not_found for a non-member
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
 * Changes an address of a company, also in the unpaid orders that are invoiced to it.
 * @throws DomainError as renameWithDrafts; not_found for an address of another company
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

/** Finds the company's address that an order is invoiced to; null when the address was changed since. */
export async function findPlaceOf(db: Db, { customerId, account }: Order): Promise<AddressId | null> {
  if (customerId === null || account === null) return null;
  return (await listAddresses(db, customerId)).find((place) => isSoldTo(account, place))?.id ?? null;
}

/** Compares the address and the numbers, but not the contact, which may differ per order. */
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

/**
 * Applies a correction to a company's unpaid orders.
 * @param correct returns the new answers of an order; null leaves it unchanged
 */
async function correctDrafts(
  trx: Trx,
  sellers: SellersByCountry,
  { customerId }: OwnerRequest,
  correct: (account: AccountAnswers) => AccountAnswers | null,
): Promise<void> {
  const everything = { number: null, family: null, search: null, after: null, limit: maxDrafts };
  const { rows } = await listOrders(trx, [{ customerId }], { which: "cart", ...everything });
  // Always lock in the same sequence.
  for (const { id } of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const order = await lockOrder(trx, id);
    if (isPaid(order) || isRefunded(order) || order.account === null) continue;
    const isBeingPaid = order.paymentStatus === "pending";
    if (isBeingPaid && billingProblem(sellers, order.account) === null) continue;
    const account = correct(order.account);
    if (account === null) continue;
    await moveOrder(trx, order, { account });
    // The tax depends on the buyer.
    await updateTax(trx, await lockOrder(trx, id), sellers, new Date());
  }
}
