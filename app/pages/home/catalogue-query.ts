/** The canonical address of a family's catalogue in a country. Default values are left out. */
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { standardFamily } from "#server/catalogue/families/registry.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import * as paths from "#server/foundation/paths.ts";

/** @param to.TUP set where an existing customer adds a subscription */
export function canonicalCataloguePath(to: {
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
