/** Published example values: they reach nobody, or another party. A live store must not use any of them. */

/** The sellers in the sandbox: a fictitious company in Karnataka, and its sister in the USA. */
export const exampleSeller = {
  SELLER_NAME: "Hubs of Happiness Private Limited",
  SELLER_ADDRESS: "7th Floor, Prestige Terraces; 15 Residency Road; Bengaluru, Karnataka 560025; India",
  SELLER_GSTIN: "29AABCH9876K1ZR",
  SELLER_LUT:
    "2024-25 AD290324000101X; 2025-26 AD290325000102W; 2026-27 AD290326000103V; 2027-28 AD290327000104U",
  SELLER_SAC: "997331",
  EXPORT_RATES: "USD 84.5",
  SELLER_SIGNATORY: "Meera Nair, Head of Finance",
  SELLER_PHONE: "+91 00000 00101",
  SELLER_GRIEVANCE_OFFICER: "Kavya Rao",
  SELLER_GRIEVANCE_EMAIL: "grievances@hubs.example",
  SELLER_NAME_US: "Hubs of Happiness Incorporated",
  SELLER_ADDRESS_US: "Suite 900; 548 Market Street; San Francisco, California 94104; USA",
  SELLER_EIN_US: "00-0000000",
  SELLER_SIGNATORY_US: "Daniel Ortiz, Controller",
  SELLER_PHONE_US: "+1 212 555 0101",
  SELLER_GRIEVANCE_OFFICER_US: "Laura Chen",
} as const;

/** The service accounting code and the rate are real values, so they do not count as examples. */
const published = new Set<string>(
  Object.entries(exampleSeller).flatMap(([name, value]) =>
    name === "SELLER_SAC" || name === "EXPORT_RATES" ? [] : [value],
  ),
);

/** Reserved domains (RFC 2606), and fictitious telephone numbers. */
const forms = [/[.@/]example(?![\w-])|\bexample\.(?:com|net|org)\b/i, /^\D*1?\D*\d{3}\D*555\D*01\d\d\D*$/];

/** Whether a value is one of the published examples or has the form of one. */
export function isExample(text: string): boolean {
  return (
    published.has(text.trim()) ||
    forms.some((form) => form.test(text)) ||
    (/^[\d\s+()-]+$/.test(text) && /0{6}/.test(text.replaceAll(/\D/g, "")))
  );
}

/**
 * Lists the paths in a record, such as the store's brand, that still contain examples.
 * @param above the path of the record itself
 */
export function examplesIn(record: unknown, above: string): string[] {
  if (typeof record === "string") return isExample(record) ? [above] : [];
  if (typeof record !== "object" || record === null) return [];
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
    examplesIn(value, above === "" ? name : `${above}.${name}`),
  );
}
