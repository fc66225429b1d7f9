/** Model of a legal page, and the facts about the store that several of them name. */

import { allNames, families, familyIds } from "#server/catalogue/families/registry.ts";
import { brand } from "#server/foundation/brand.ts";
import { countries, countryCodes, standardCountry } from "#server/foundation/countries/registry.ts";
import { languages } from "#server/foundation/languages/language.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { Env } from "#server/platform/env.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** Date of the last change to the texts' meaning. */
const inForceSince = new Date("2026-11-26T00:00:00Z");

export interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly points?: readonly string[];
  readonly sellers?: readonly SellerCard[];
}

export interface SellerCard {
  readonly title: string;
  readonly facts: readonly { label: string; lines: readonly string[]; href?: string }[];
}

export interface LegalDocument {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly lead: string;
  readonly inForce: string;
  readonly sections: readonly Section[];
  /** Links for the tags in its paragraphs. */
  readonly links: { readonly mail: string; readonly link: string };
}

type LegalPageRequest = Pick<RequestContext, "text" | "language" | "context">;

/** Builds a legal page with the parts that all of them share. */
export function legalDocument(
  { text, language }: LegalPageRequest,
  page: Omit<LegalDocument, "inForce" | "links">,
  link = "",
): LegalDocument {
  return {
    ...page,
    inForce: text("legal.inForce", { date: formatDate(inForceSince, standardCountry, language) }),
    links: { mail: brand.supportUrl, link },
  };
}

/** Facts for the texts: the store, its products and countries, and its vendors. */
export function factsOf({ language }: Pick<LegalPageRequest, "language">) {
  const list = new Intl.ListFormat(languages[language].locale);
  const withVendor = familyIds.filter((id) => families[id].vendor !== null);
  return {
    store: brand.name,
    products: allNames[language],
    countries: list.format(countryCodes.map((code) => countries[code].words[language].inSentence)),
    vendors: withVendor.map((id) => families[id].label),
    vendorsInSentence: list.format(withVendor.map((id) => families[id].name)),
  };
}

/** The seller of each country: its identity, or its contact. */
export function sellerCards(request: LegalPageRequest, what: "who" | "contact"): SellerCard[] {
  const { text, language, context } = request;
  return countryCodes.flatMap((code) => {
    const seller = context.env.sellers.get(code);
    if (seller === undefined) return [];
    const title = text("legal.country", { country: countries[code].words[language].inSentence });
    return [{ title, facts: what === "who" ? whoFacts(request, seller) : contactFacts(request, seller) }];
  });
}

type Seller = Env["sellers"] extends ReadonlyMap<string, infer One> ? One : never;

const telephone = (number: string) => `tel:${number.replaceAll(/[^+\d]/g, "")}`;

function whoFacts({ text }: LegalPageRequest, seller: Seller): SellerCard["facts"] {
  const { gstin, ein } = seller;
  return [
    { label: text("legal.seller"), lines: [seller.name] },
    { label: text("legal.address"), lines: addressOf(seller) },
    ...(gstin === null ? [] : [{ label: text("legal.gstin"), lines: [gstin] }]),
    ...(gstin === null && ein !== null ? [{ label: text("legal.ein"), lines: [ein] }] : []),
    ...phoneFacts(text, seller),
  ];
}

function contactFacts({ text }: LegalPageRequest, seller: Seller): SellerCard["facts"] {
  const { grievanceEmail } = seller;
  return [
    { label: text("legal.officer"), lines: [seller.grievanceOfficer] },
    { label: text("legal.mail"), lines: [grievanceEmail], href: `mailto:${grievanceEmail}` },
    ...phoneFacts(text, seller),
    { label: text("legal.address"), lines: [seller.name, ...addressOf(seller)] },
  ];
}

function phoneFacts(text: LegalPageRequest["text"], { phone, supportHours }: Seller): SellerCard["facts"] {
  return [
    { label: text("legal.phone"), lines: [phone], href: telephone(phone) },
    { label: text("legal.hours"), lines: [supportHours] },
  ];
}

function addressOf({ address }: Seller): string[] {
  return address
    .split(";")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
