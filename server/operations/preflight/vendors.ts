/** The vendors: consents, webhooks, and their ids for our plans. */
import { featuredIds } from "#db/catalogue/catalogue.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { oldAfterDays, readConsentStatuses } from "#server/catalogue/partner-accounts/consent-status.ts";
import { readCatalogueStatus } from "#server/desk/vendor-catalogue/catalogue-status.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { type Check, type Finding, invalid, missing, ok, unknownOnError } from "./check.ts";

export const consents: Check = {
  id: "consents",
  name: "Consents",
  look: async ({ context, now }) => {
    const standings = await readConsentStatuses(context, now);
    if (standings.length === 0)
      return [
        missing(
          "No partner account is configured.",
          'Set one for each country: docs/operate/deploy.md, "Outside systems".',
        ),
      ];
    return standings.map(({ country, tenant, consent }) => {
      const account = `the partner account in ${countries[country].nameInSentence} (${tenant})`;
      const how = `npm run consent -- ${country}`;
      if (consent === null) return missing(`No one has consented for ${account}.`, how);
      const said = `${consent.userName} consented for ${account} ${consent.days} days ago`;
      if (!consent.hasMfa) return invalid(`${said}, without MFA.`, `Consent again with MFA: ${how}`);
      return consent.days >= oldAfterDays ? invalid(`${said}.`, `Renew it: ${how}`) : ok(`${said}.`);
    });
  },
};

export const vendorWebhooksCheck: Check = {
  id: "notices",
  name: "Vendors' notices",
  look: async ({ context }) => {
    const found: Finding[] = [];
    for (const { label, vendor } of Object.values(families)) {
      if (vendor === null) continue;
      const checked = unknownOnError(label, async () =>
        (await vendor.webhookSetup.check(context)).map(({ account, isRight, says }) => {
          const said = `${account}: ${says.join("; ")}.`;
          return isRight ? ok(said) : invalid(said, "npm run webhooks -- register");
        }),
      );
      found.push(...(await checked));
    }
    return found;
  },
};

export const catalogue: Check = {
  id: "catalogue",
  name: "Catalogue",
  look: async ({ context }) => {
    if ((await featuredIds(context.db)).length === 0)
      return [missing("No plans are on sale.", "npm run seed")];
    const standings = await readCatalogueStatus(context);
    const found = standings.flatMap(({ country, notFound, differing }) => {
      const place = countries[country].nameInSentence;
      return [
        ...(notFound.length === 0
          ? []
          : [
              missing(
                `Vendor IDs are missing in ${place} for ${notFound.join(", ")}.`,
                "npm run catalogue -- update",
              ),
            ]),
        ...(differing.length === 0
          ? []
          : [
              invalid(
                `Vendor catalogue mismatches in ${place}: ${differing.join(", ")}.`,
                "npm run catalogue -- check",
              ),
            ]),
      ];
    });
    return found.length > 0 ? found : [ok("Every plan on sale exists at its vendor.")];
  },
};
