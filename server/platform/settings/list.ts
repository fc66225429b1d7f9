/** All settings by name, for code that documents or checks them. */
import { z } from "zod";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import {
  eInvoiceCountries,
  eInvoiceSettingsOf,
  partnerSettingsOf,
  razorpaySettings,
  razorpaySettingsOf,
} from "./accounts.ts";
import { paymentSettingsOf, standardMethods } from "./payments.ts";
import { schema } from "./schema.ts";
import { sellerSettings, sellerSettingsOf, standardHours, standardSignatory } from "./sellers.ts";

/** Lists every setting with its default as written in the environment; null when it is required. */
export function listSettings(): { name: string; fallback: string | null }[] {
  const fixed = Object.entries(schema.shape).map(([name, type]) => {
    const fallback = fallbackOf(type);
    return { name, fallback: fallback === undefined ? null : String(fallback) };
  });
  const ofAccounts = [
    ...countryCodes.flatMap((country) => [
      ...Object.values(partnerSettingsOf(country)),
      ...Object.values(razorpaySettingsOf(country)),
    ]),
    ...Object.values(razorpaySettings),
    ...eInvoiceCountries.flatMap((country) => Object.values(eInvoiceSettingsOf(country))),
  ];
  const ofIdentityProviders = identityProviderIds.flatMap((id) => {
    const { settings, issuer } = identityProviders[id];
    return Object.values(settings)
      .filter((name) => !Object.hasOwn(schema.shape, name))
      .map((name) => ({ name, fallback: name === settings.issuer ? issuer : "" }));
  });
  const ofPayments = countryCodes.flatMap((country) => [
    { name: paymentSettingsOf(country).methods, fallback: standardMethods },
    { name: paymentSettingsOf(country).ceilings, fallback: "" },
  ]);
  const ofSellers = [
    ...Object.values(sellerSettings).map((name) => ({ name, fallback: null })),
    ...countryCodes.flatMap((country) =>
      Object.values(sellerSettingsOf(country)).map((name) => ({ name, fallback: "" })),
    ),
  ].map((setting) => {
    if (setting.name.startsWith(sellerSettings.signatory)) return { ...setting, fallback: standardSignatory };
    if (setting.name === sellerSettings.supportHours) return { ...setting, fallback: standardHours };
    const mayBeLeftOut = [sellerSettings.ein, sellerSettings.letters].some((name) => name === setting.name);
    return mayBeLeftOut ? { ...setting, fallback: "" } : setting;
  });
  return [
    ...fixed,
    ...ofAccounts.map((name) => ({ name, fallback: "" })),
    ...ofIdentityProviders,
    ...ofPayments,
    ...ofSellers,
  ];
}

function fallbackOf(type: z.core.$ZodType): unknown {
  if (type instanceof z.ZodDefault) return type.def.defaultValue;
  return type instanceof z.ZodPipe ? fallbackOf(type.def.in) : undefined;
}
