/** The vendors: consents with which we act, what they announce to us, and what they call our plans. */
import { featuredIds } from "#db/catalogue.ts";
import { countries } from "#server/countries/country.ts";
import { families } from "#server/families/family.ts";
import { oldAfterDays, readStandings } from "#server/partner-accounts/standing.ts";
import { readCatalogueStanding } from "#server/vendor-catalogue/standing.ts";
import { type Check, type Finding, missing, orFailure, right, wrong } from "./check.ts";

export const consents: Check = {
  id: "consents",
  name: "Consents",
  look: async ({ context, now }) => {
    const standings = await readStandings(context, now);
    if (standings.length === 0)
      return [
        missing(
          "No partner account is set.",
          'Set one for each country: docs/operate/deploy.md, "Outside systems".',
        ),
      ];
    return standings.map(({ country, tenant, consent }) => {
      const account = `the partner account in ${countries[country].nameInSentence} (${tenant})`;
      const how = `npm run consent -- ${country}`;
      if (consent === null) return missing(`Nobody has consented for ${account}.`, how);
      const said = `${consent.userName} consented for ${account} ${consent.days} days ago`;
      if (!consent.hasMfa) return wrong(`${said}, without a second factor.`, `With one: ${how}`);
      return consent.days >= oldAfterDays ? wrong(`${said}.`, `Renew it: ${how}`) : right(`${said}.`);
    });
  },
};

export const notices: Check = {
  id: "notices",
  name: "Vendors' notices",
  look: async ({ context }) => {
    const found: Finding[] = [];
    for (const { label, vendor } of Object.values(families)) {
      if (vendor === null) continue;
      const checked = orFailure(label, async () =>
        (await vendor.notices.check(context)).map(({ account, isRight, says }) => {
          const said = `${account}: ${says.join("; ")}.`;
          return isRight ? right(said) : wrong(said, "npm run notices -- register");
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
    if ((await featuredIds(context.db)).length === 0) return [missing("Nothing is on sale.", "npm run seed")];
    const standings = await readCatalogueStanding(context);
    const found = standings.flatMap(({ country, notFound, differing }) => {
      const place = countries[country].nameInSentence;
      return [
        ...(notFound.length === 0
          ? []
          : [
              missing(
                `No vendor's name is known in ${place} for ${notFound.join(", ")}.`,
                "npm run catalogue -- update",
              ),
            ]),
        ...(differing.length === 0
          ? []
          : [wrong(`Vendors differ in ${place} on ${differing.join(", ")}.`, "npm run catalogue -- check")]),
      ];
    });
    return found.length > 0 ? found : [right("Every plan on sale is known at its vendor.")];
  },
};
