/** POST /api/domain: suggests free domain names for a company's Microsoft account. */

import { suggestFreePrefixes } from "#server/catalogue/families/microsoft/domain.ts";
import { countryOfConsoleCode, standardCountry } from "#server/foundation/countries/registry.ts";
import { consoleCode } from "./shared/fields.ts";
import { jsonAction, publicAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Suggests free names for a company's Microsoft account, before .onmicrosoft.com.",
    tag: "Sign-In",
    access: publicAccess,
    limited: true,
    refuses: [502, 503],
    body: z.object({ console: consoleCode, customer: z.string().max(200).describe("the company's name") }),
    reply: z.array(z.string()),
  },
  ({ context, clientAddress }, { console, customer }) =>
    suggestFreePrefixes(context, customer, countryOfConsoleCode(console) ?? standardCountry, clientAddress),
);
