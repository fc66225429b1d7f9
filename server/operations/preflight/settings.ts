/** The settings: no published secret, no outside system on this machine, no example seller. */

import { isPayableIn } from "#server/catalogue/pricing/payment-methods.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { examplesIn } from "#server/foundation/example-values.ts";
import { isLoopback } from "#server/foundation/security/network.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { lutInForce } from "#server/orders/supply.ts";
import { destinationsOf } from "#server/platform/destinations.ts";
import { findExampleValuesInUse, publishedSettings } from "#server/platform/env.ts";
import { eInvoiceSettingsOf } from "#server/platform/settings/accounts.ts";
import { sellerSettings } from "#server/platform/settings/sellers.ts";
import { type Check, type Finding, invalid, missing, ok } from "./check.ts";

export const secrets: Check = {
  id: "secrets",
  name: "Secrets and mode",
  look: async ({ context: { env }, source }) => {
    const published = publishedSettings(source).map((name) =>
      invalid(`${name} is a published example value.`, "Set a unique value: docs/operate/keys.md."),
    );
    const found = [
      ...published,
      ...(env.NODE_ENV === "production"
        ? []
        : [invalid(`NODE_ENV is ${env.NODE_ENV}.`, "Set it to production, or remove it.")]),
      ...(env.DESK_SECOND_FACTOR === "required"
        ? []
        : [invalid("Two-step sign-in isn't required for staff.", "Set DESK_SECOND_FACTOR to required.")]),
    ];
    return found.length === 0
      ? [ok("All secrets are unique, and the store runs in production mode.")]
      : found;
  },
};

/** Checks every address except PUBLIC_URL, since all others are outside systems. */
export const urlsCheck: Check = {
  id: "addresses",
  name: "Addresses",
  look: async ({ context: { env } }) => {
    const registers = [...env.eInvoiceAccounts].map(([country, { url }]): [string, unknown] => [
      eInvoiceSettingsOf(country).url,
      url,
    ]);
    const issuers = [...env.identityAccounts].map(([id, { issuer }]): [string, unknown] => [
      identityProviders[id].settings.issuer,
      issuer,
    ]);
    const settings: [string, unknown][] = Object.entries(env);
    const outside = [...settings, ...registers, ...issuers].flatMap(([name, value]) =>
      name !== "PUBLIC_URL" && name !== "DATABASE_URL" && name !== "PARTNER_CONSENT_URL"
        ? addressesIn(value).map((address) => ({ name, address }))
        : [],
    );
    const here = [...new Set(outside.filter(({ address }) => isLoopback(address)).map(({ name }) => name))];
    const found: Finding[] = here.map((name) =>
      invalid(
        `${name} points to this machine, which only has the sandbox.`,
        "Remove it, or set the real address.",
      ),
    );
    const { PUBLIC_URL: ours } = env;
    if (!ours.startsWith("https:") || isLoopback(ours))
      found.push(
        invalid(`The store is at ${ours}.`, "Set PUBLIC_URL to the https address that buyers type."),
      );
    return found.length === 0
      ? [ok(`The store is at ${ours}, and no outside system on this machine.`)]
      : found;
  },
};

/** Lists the addresses, without mail servers: a relay on the same machine is usual. */
function addressesIn(value: unknown): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text: unknown) => (typeof text === "string" && /^https?:/.test(text) ? [text] : []));
}

/** Lists the destinations that a firewall has to allow. */
export const destinations: Check = {
  id: "destinations",
  name: "Outgoing connections",
  look: async ({ context: { env } }) => {
    const { hosts, mailServer } = destinationsOf(env);
    const all = [...hosts, ...(mailServer === null ? [] : [mailServer])].sort().join(", ");
    return [ok(`Web and worker connect only to: ${all}. DNS: ${env.DNS_SERVERS.join(", ")}.`)];
  },
};

export const brandCheck: Check = {
  id: "brand",
  name: "Brand",
  look: async ({ brand }) => {
    const examples = examplesIn(brand, "");
    return examples.length === 0
      ? [ok(`${brand.name}, without an example among its contacts.`)]
      : [
          invalid(
            `Example values remain: ${examples.join(", ")}.`,
            "Replace them in server/foundation/brand.ts, and build.",
          ),
        ];
  },
};

export const sellers: Check = {
  id: "sellers",
  name: "Who sells",
  look: async ({ context: { env }, source }) => {
    const found = findExampleValuesInUse(source, env, {}).map((line) =>
      line.endsWith(": missing")
        ? missing(`${line.replace(/: missing$/, "")} is not set.`, "Set it: docs/operate/settings.md.")
        : invalid(`${line.replace(": ", " ")}.`, "Set it for your store: docs/operate/settings.md."),
    );
    if (found.length > 0) return found;
    return countryCodes
      .filter((country) => isPayableIn(env, country))
      .map((country) => {
        const seller = env.sellers.get(country);
        const number = seller?.gstin ?? seller?.ein;
        return number === undefined || number === null
          ? missing(
              `No seller is set for ${countries[country].nameInSentence}.`,
              "Set the seller: docs/operate/settings.md.",
            )
          : ok(`${seller?.name}, ${number}, sells in ${countries[country].nameInSentence}.`);
      });
  },
};

/** Checks this year's LUT. A seller registered for GST that sells abroad or to a special economic zone pays IGST without one. */
export const lutCheck: Check = {
  id: "letter-of-undertaking",
  name: "Letter of undertaking",
  look: async ({ context: { env }, source, now }) => {
    const registered = countryCodes
      .filter((country) => isPayableIn(env, country))
      .flatMap((country) => {
        const seller = env.sellers.get(country);
        return seller === undefined || seller.gstin === null ? [] : [{ country, seller }];
      });
    if (registered.length === 0) return [ok("No seller is registered for GST, so no letter is needed.")];
    const { letters: setting } = sellerSettings;
    if (findExampleValuesInUse(source, env, {}).some((line) => line.startsWith(setting)))
      return [invalid(`${setting} is an example.`, "Set it to your own: docs/operate/settings.md.")];
    return registered.map(({ country, seller }) => {
      const letter = lutInForce(seller, now);
      return letter === null
        ? missing(
            `${seller.name} has no letter of undertaking for this financial year in ${countries[country].nameInSentence}: sales without tax are charged IGST.`,
            "File Form GST RFD-11, and add it to SELLER_LUT.",
          )
        : ok(`${seller.name} supplies without tax under ${letter}.`);
    });
  },
};
