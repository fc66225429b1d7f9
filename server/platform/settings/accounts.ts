/** The store's accounts at outside services, one per country. An account has all its settings, or does not exist. */
import type { Country, IdentityProviderId } from "#db/tables/enums.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { isLoopback } from "#server/foundation/security/network.ts";
import type { IdentityAccount } from "#server/integrations/identity-providers/client.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { schema } from "./schema.ts";
import { namesInCountry, type Source, settingIn } from "./source.ts";
import { url } from "./value-schemas.ts";

/** The accounts that were read, and the problems in their settings. */
export interface Accounts<Key, Account> {
  accounts: Map<Key, Account>;
  problems: string[];
}

/** The store's account at Partner Center in one country; it can sell in that country only. */
export interface PartnerAccount {
  /** Tenant id or domain of the partner. */
  tenant: string;
  clientId: string;
  clientSecret: string;
}

/** The store's account at Razorpay in one country; it takes the payments of that country's orders. */
export interface RazorpayAccount {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

/** The store's account at the provider that registers a country's documents for GST (docs/decisions/invoices.md#registration). */
export interface EInvoiceAccount {
  url: string;
  user: string;
  password: string;
  /** The store's API key at that provider. */
  key: string;
}

/** Names of an account's settings, without the country code that follows. */
const partnerSettings = {
  tenant: "PARTNER_TENANT",
  clientId: "PARTNER_CLIENT_ID",
  clientSecret: "PARTNER_CLIENT_SECRET",
} as const satisfies Record<keyof PartnerAccount, string>;

/** Names without a country code belong to the former shared account. */
export const razorpaySettings = {
  keyId: "RAZORPAY_KEY_ID",
  keySecret: "RAZORPAY_KEY_SECRET",
  webhookSecret: "RAZORPAY_WEBHOOK_SECRET",
} as const satisfies Record<keyof RazorpayAccount, string>;

const eInvoiceSettings = {
  url: "EINVOICE_URL",
  user: "EINVOICE_USER",
  password: "EINVOICE_PASSWORD",
  key: "EINVOICE_KEY",
} as const satisfies Record<keyof EInvoiceAccount, string>;

/** Countries whose documents may have to be registered. */
export const eInvoiceCountries = countryCodes.filter((code) => countries[code].invoicing.tax.kind === "gst");

/** Names of the settings of a country's account at Partner Center. */
export const partnerSettingsOf = (country: Country) => namesInCountry(partnerSettings, country);

/** Names of the settings of a country's account at Razorpay. */
export const razorpaySettingsOf = (country: Country) => namesInCountry(razorpaySettings, country);

/** Names of the settings of a country's account for registering documents. */
export const eInvoiceSettingsOf = (country: Country) => namesInCountry(eInvoiceSettings, country);

/** Reads the accounts at Partner Center. The sandbox uses it too, to simulate Microsoft. */
export function readPartnerAccounts(source: Source): Accounts<Country, PartnerAccount> {
  const { accounts, problems } = readAccounts(source, partnerSettingsOf);
  // Both forms may be set while processes of an earlier version still run.
  if (accounts.size === 0 && problems.length === 0) problems.push(...oldNames(source, partnerSettings));
  return { accounts, problems };
}

/**
 * Reads the accounts at Razorpay; the sandbox uses it too. Settings without a country code belong to the account that all
 * countries shared in earlier versions: payments that began there are still captured and refunded there
 * (docs/operate/upgrade.md).
 */
export function readRazorpayAccounts(source: Source): Accounts<PaymentAccount, RazorpayAccount> {
  const { accounts, problems } = readAccounts(source, razorpaySettingsOf);
  if (accounts.size === 0 && problems.length === 0) {
    const old = oldNames(source, razorpaySettings);
    const names = countryCodes.map((country) => razorpaySettingsOf(country).keyId).join(" or ");
    problems.push(...(old.length > 0 ? old : [`${names}: missing, at least one country needs an account`]));
  }
  const former = readAccount(source, razorpaySettings, "the others of the former account");
  if (former.account === null) return { accounts, problems: [...problems, ...former.problems] };
  return {
    accounts: new Map<PaymentAccount, RazorpayAccount>([...accounts, [null, former.account]]),
    problems,
  };
}

export function readEInvoiceAccounts(source: Source): Accounts<Country, EInvoiceAccount> {
  const accounts = new Map<Country, EInvoiceAccount>();
  const problems: string[] = [];
  for (const country of eInvoiceCountries) {
    const names = eInvoiceSettingsOf(country);
    const read = readAccount(source, names, "the others of its country");
    problems.push(...read.problems);
    if (read.account === null) continue;
    const { url: given } = read.account;
    // The request contains the password.
    if (url.safeParse(given).success && (given.startsWith("https:") || isLoopback(given)))
      accounts.set(country, read.account);
    else problems.push(`${names.url}: must be an https address`);
  }
  return { accounts, problems };
}

/** Reads the accounts at identity providers. A provider without an account is not offered. */
export function readIdentityAccounts(source: Source): Accounts<IdentityProviderId, IdentityAccount> {
  const accounts = new Map<IdentityProviderId, IdentityAccount>();
  const problems: string[] = [];
  for (const id of identityProviderIds) {
    const { settings: names, issuer: standard } = identityProviders[id];
    const { clientId, clientSecret } = names;
    const read = readAccount(source, { clientId, clientSecret }, "the other of its provider");
    problems.push(...read.problems.filter((problem) => !isInSchema(problem)));
    const issuer = url.safeParse(settingIn(source, names.issuer) ?? standard);
    // Anyone who can answer for the issuer decides who signs in.
    if (!issuer.success || !(issuer.data.startsWith("https:") || isLoopback(issuer.data)))
      problems.push(`${names.issuer}: must be https, but for this machine`);
    else if (read.account !== null) accounts.set(id, { ...read.account, issuer: issuer.data });
  }
  return { accounts, problems };
}

/** Whether the schema already reports the problem. */
function isInSchema(problem: string): boolean {
  return Object.hasOwn(schema.shape, problem.split(":")[0] ?? "");
}

function oldNames(source: Source, settings: Readonly<Record<string, string>>): string[] {
  return Object.values(settings)
    .filter((old) => source[old] !== undefined && source[old] !== "")
    .map((old) => `${old}: is given for each country now, as ${old}_${countryCodes.join(` or ${old}_`)}`);
}

function readAccounts<Part extends string>(
  source: Source,
  settingsOf: (country: Country) => Readonly<Record<Part, string>>,
): Accounts<Country, Record<Part, string>> {
  const accounts = new Map<Country, Record<Part, string>>();
  const problems: string[] = [];
  for (const country of countryCodes) {
    const read = readAccount(source, settingsOf(country), "the others of its country");
    if (read.account !== null) accounts.set(country, read.account);
    problems.push(...read.problems);
  }
  return { accounts, problems };
}

/** Reads an account; null unless all its settings are given. */
function readAccount<Part extends string>(
  source: Source,
  names: Readonly<Record<Part, string>>,
  others: string,
): { account: Record<Part, string> | null; problems: string[] } {
  const account: Record<Part, string> = { ...names };
  const missing: string[] = [];
  for (const part in names) {
    account[part] = settingIn(source, names[part]) ?? "";
    if (account[part] === "") missing.push(names[part]);
  }
  if (missing.length === 0) return { account, problems: [] };
  const given = Object.keys(names).length - missing.length;
  return {
    account: null,
    problems: given === 0 ? [] : missing.map((name) => `${name}: is missing, and ${others} are given`),
  };
}
