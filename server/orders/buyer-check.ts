/** Asks an order's vendor about its buyer before anything is paid (docs/decisions/catalogue.md#checks-before-payment). */
import { type AddressId, parseId } from "#db/ids.ts";
import { type AccountAnswers, accountSchema, type Order, type PlaceOfBusiness } from "#db/orders/order.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { DomainError, sentences } from "#server/foundation/errors.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import type { Context } from "#server/platform/context.ts";
import { problemsOf } from "./account-rules.ts";

/**
 * Checks a buyer with the vendor. @returns the vendor's spellings of the address; empty without suggestions
 * @throws DomainError bad_request naming every field that the vendor would refuse; rate_limited
 */
export async function checkBuyer(
  context: Context,
  { family, account, clientAddress }: { family: FamilyId; account: AccountAnswers; clientAddress: string },
): Promise<PlaceOfBusiness[]> {
  // Vendors limit our calls, and paid orders need that quota.
  await consumeRateLimit(context.db, {
    name: "buyer-check",
    key: networkOf(clientAddress),
    limit: 120,
    windowSeconds: 600,
  });
  const found = await families[family].checkBuyer(context, account);
  if (found.verdict === "refused") {
    const [first = "", ...others] = Object.values(found.fields);
    throw new DomainError("bad_request", sentences(first, ...others), { fields: found.fields });
  }
  if (found.verdict === "accepted") return [];
  return found.suggestions.filter(
    (place) => !isSamePlace(place, account) && Object.keys(problemsOf({ ...account, ...place })).length === 0,
  );
}

const placeNames = ["addressLine1", "addressLine2", "city", "state", "pincode"] as const;

function isSamePlace(one: PlaceOfBusiness, other: PlaceOfBusiness): boolean {
  return placeNames.every((name) => one[name].trim().toLowerCase() === other[name].trim().toLowerCase());
}

/** Whether the vendor has checked these answers already, when they were saved; other answers may have changed since. */
export function wasAlreadyChecked({ account }: Pick<Order, "account">, answers: AccountAnswers): boolean {
  return (
    account !== null &&
    isSamePlace(account, answers) &&
    account.phoneNumber === answers.phoneNumber &&
    account.organisationRegistrationNumber === answers.organisationRegistrationNumber &&
    account.gst_code === answers.gst_code
  );
}

/** Returns the spellings of the address to choose from; null when there is nothing to choose. */
export function addressChoice({
  details,
  country,
}: Order): { typed: AccountAnswers; suggestions: PlaceOfBusiness[] } | null {
  const { suggestions = [] } = details;
  const { data: typed } = accountSchema.safeParse({ ...details.typed, country });
  return typed === undefined || suggestions.length === 0 ? null : { typed, suggestions };
}

/**
 * Returns the answers after the choice.
 * @param number index of a suggestion, or null for the address as typed
 * @returns null when there is no such choice
 */
export function chosenAddress(
  order: Order,
  number: number | null,
): { answers: AccountAnswers; addressId: AddressId | null } | null {
  const choice = addressChoice(order);
  if (choice === null) return null;
  const { typed, suggestions } = choice;
  if (number === null) return { answers: typed, addressId: parseId<AddressId>(order.details.addressId) };
  const place = suggestions[number];
  // A suggestion differs from the saved address, so it becomes a new one.
  return place === undefined ? null : { answers: { ...typed, ...place }, addressId: null };
}
