/**
 * A company is one legal entity, regardless of the number that names it
 * (docs/decisions/countries.md#one-legal-entity-per-company).
 */
import type { Address, AddressFields } from "#db/accounts/customers.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";

/**
 * Rejects an address whose registration number names another legal entity. All addresses of a company in one country belong to
 * one entity, which their numbers identify: in India the PAN, which is also characters 3 to 12 of a GSTIN. A second entity needs
 * a separate company here.
 * @param others the company's other addresses
 * @throws DomainError bad_request on the number that names another entity
 */
export function requireSameLegalEntity(fields: AddressFields, others: readonly Address[]): void {
  const { registration } = countries[fields.country];
  const entityOf = (number: string | null) =>
    number === null
      ? null
      : registration.vendorNumber({ organisationRegistrationNumber: number, gst_code: null });
  const known = new Set(
    others
      .filter(({ country }) => country === fields.country)
      .flatMap((place) => [place.organisationRegistrationNumber, place.gstCode])
      .flatMap((number) => entityOf(number) ?? []),
  );
  for (const [field, number] of [
    ["organisationRegistrationNumber", fields.organisationRegistrationNumber],
    ["gst_code", fields.gstCode],
  ] as const) {
    const entity = entityOf(number);
    if (entity === null) continue;
    const [expected] = known;
    if (expected !== undefined && !known.has(entity))
      throw wrongField(field, msg("company.otherEntity", { given: entity, known: expected }));
    known.add(entity);
  }
}
