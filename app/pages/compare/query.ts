/** Shared query parameters of /compare and /choose, except the country, which can also be remembered (http/country.ts). */
import { z } from "zod";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { standardFamily } from "#server/catalogue/families/registry.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";

/** A link with an unknown value still shows plans, not an error. */
export const place = z.object({
  /** "true" for an existing customer (docs/specification.md, section 2.4). */
  TUP: z.literal("true").optional().catch(undefined),
});

/** The canonical query of such a URL. Default values are left out. */
export function canonicalQuery({ service, country }: { service: FamilyId; country: Country }) {
  return {
    ...(service !== standardFamily && { service }),
    ...(country !== standardCountry && { country }),
  };
}
