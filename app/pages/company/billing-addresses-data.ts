/** View models of the company's places and of the tax that it withholds. */

import type { Address } from "#db/accounts/customers.ts";
import type { Country } from "#db/tables/enums.ts";
import type { TaxDetails } from "#server/accounts/company-profile.ts";
import type { Membership } from "#server/accounts/customers.ts";
import { findRegisteredDetails, gstinWarning } from "#server/accounts/gst-lookup.ts";
import { addressLinesOf } from "#server/billing/documents/facts.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import type { RequestContext } from "../../http/request-context.ts";

export async function billingAddressesView(
  request: RequestContext,
  { name }: Membership,
  places: readonly Address[],
) {
  const shown = new Set<Country>();
  const views = [];
  for (const place of places) {
    const { id, country, email, phone } = place;
    const { words, phone: form } = countries[country];
    const isDefault = !shown.has(country);
    shown.add(country);
    const lines = addressLinesOf(place);
    views.push({
      id,
      title: lines[0] ?? "",
      lines: [...lines.slice(1), words[request.language].name, ...numbersOf(place)],
      ...(await registerSays(request, name, place)),
      contact: `${fullName(place)}, ${email}, ${form.code} ${phone}`,
      isDefault,
      isOnly: places.filter((other) => other.country === country).length === 1,
      change: paths.companyBillingAddress(id),
    });
  }
  return views;
}

export type BillingAddressView = Awaited<ReturnType<typeof billingAddressesView>>[number];

/** The registration numbers, without duplicates: "GSTIN 29AABCB1234C1ZA", "PAN AABCB1234C". */
function numbersOf({ country, gstCode, organisationRegistrationNumber }: Address): string[] {
  const { nameOf } = countries[country].registration;
  const numbers = new Set([gstCode ?? "", organisationRegistrationNumber]);
  return [...numbers].filter((number) => number !== "").map((number) => `${nameOf(number)} ${number}`);
}

/** The tax register's entry for a place's number, and its objections; both null for a place without a number. */
async function registerSays(
  { context: { db }, text, language }: RequestContext,
  companyName: string,
  { gstCode }: Address,
): Promise<{ registered: string | null; doubts: string | null }> {
  if (gstCode === null) return { registered: null, doubts: null };
  const found = await findRegisteredDetails(db, gstCode);
  const doubts = await gstinWarning(db, { gstin: gstCode, companyName });
  const registered =
    found === null
      ? text("company.notRegistered", { number: gstCode })
      : text("company.registered", {
          number: gstCode,
          name: found.legalName,
          status: found.status.toLowerCase(),
        });
  return { registered, doubts: doubts === null ? null : translate(language, doubts) };
}

/** Null in a country whose buyers withhold no tax. */
export function taxView({ context: { env }, text }: RequestContext, country: Country, details: TaxDetails) {
  const { withholding } = countries[country].invoicing;
  if (withholding === undefined) return null;
  const percent = (rate: number) => `${rate / 100}%`;
  const { deductorNumber, section, rateBasisPoints } = details;
  return {
    deductorNumber: deductorNumber ?? "",
    section: section ?? "",
    rateBasisPoints: rateBasisPoints === null ? "" : String(rateBasisPoints),
    rate: rateBasisPoints === null ? text("company.nothing") : percent(rateBasisPoints),
    rates: [
      { value: "", label: text("company.nothing") },
      ...env.TDS_RATES.map((rate) => ({ value: String(rate), label: percent(rate) })),
    ],
    numberHint: text("company.deductorNumberHint", { example: withholding.example }),
  };
}

export type TaxView = NonNullable<ReturnType<typeof taxView>>;
