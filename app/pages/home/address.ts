/** The one address of a family's catalogue in a country: what is standard is left out of it. */
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { standardCountry } from "#server/countries/country.ts";
import { standardFamily } from "#server/families/family.ts";
import * as paths from "#server/paths.ts";

/** @param to.TUP where a customer adds to what it has */
export function catalogueAddress(to: {
  service: FamilyId;
  country: Country;
  TUP?: "true" | undefined;
}): string {
  return paths.home({
    ...(to.service !== standardFamily && { service: to.service }),
    ...(to.country !== standardCountry && { country: to.country }),
    TUP: to.TUP,
  });
}
