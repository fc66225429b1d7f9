/**
 * `npm run consent`: shows the state of each partner account's consent.
 *   -- IN        takes a consent for the account of a country, in a browser on this machine
 */

import { readConsentStatuses } from "#server/catalogue/partner-accounts/consent-status.ts";
import { countryCodes, isCountry } from "#server/foundation/countries/registry.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { consentByBrowser } from "./consent-by-browser.ts";
import { commandContext } from "./operator.ts";

const context = commandContext("consent");
try {
  const [requested, ...more] = process.argv.slice(2);
  const country = requested?.toUpperCase() ?? "";
  if (requested === undefined) await list();
  else if (isCountry(country) && more.length === 0)
    await consentByBrowser(context, country, (line) => console.log(line));
  else throw new Error(`Missing country. Usage: npm run consent -- ${countryCodes.join(" or ")}`);
} catch (error) {
  const why = error instanceof ProviderError ? error.description : undefined;
  console.error([error instanceof Error ? error.message : error, why].filter(Boolean).join(": "));
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

async function list(): Promise<void> {
  const standings = await readConsentStatuses(context);
  for (const { country, tenant, consent } of standings) {
    const how =
      consent === null
        ? "no consent"
        : `${consent.userName}, ${consent.days} days ago, ${consent.hasMfa ? "with" : "without"} a second factor; last used ${consent.lastUsedAt.toISOString()}`;
    console.log(`${country}  ${tenant}  ${how}`);
  }
  if (standings.length === 0) console.log("No partner account is configured.");
}
