/** Reads process.env for web and worker; commands and server/foundation/web read it too. Refuses to start, listing everything that is missing or malformed. */
import type { z } from "zod";
import type { Country, IdentityProviderId } from "#db/tables/enums.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { brand } from "#server/foundation/brand.ts";
import { countries, countryCodes, currencyOf, gstCountry } from "#server/foundation/countries/registry.ts";
import { examplesIn, isExample } from "#server/foundation/example-values.ts";
import { isLoopback } from "#server/foundation/security/network.ts";
import type { IdentityAccount } from "#server/integrations/identity-providers/client.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import {
  type Accounts,
  type EInvoiceAccount,
  type PartnerAccount,
  type RazorpayAccount,
  readEInvoiceAccounts,
  readIdentityAccounts,
  readPartnerAccounts,
  readRazorpayAccounts,
} from "./settings/accounts.ts";
import { listSettings } from "./settings/list.ts";
import { type PaymentSettings, readPaymentSettings } from "./settings/payments.ts";
import { schema } from "./settings/schema.ts";
import { readSellers, type Seller, sellerSettings, sellerSettingsOf } from "./settings/sellers.ts";
import { type Source, settingIn } from "./settings/source.ts";
import type { ExchangeRates } from "./settings/value-schemas.ts";

export interface Env extends z.infer<typeof schema> {
  /** A country without an entry has no account, and Microsoft's plans are not sold there. */
  partnerAccounts: ReadonlyMap<Country, PartnerAccount>;
  /** Has an entry for every country: its own seller, or the shared one. */
  sellers: ReadonlyMap<Country, Seller>;
  /** Has at least one entry. A country without one has no account, and the store does not sell there. */
  razorpayAccounts: ReadonlyMap<PaymentAccount, RazorpayAccount>;
  /** A country without an entry has no account, and its documents are not registered. */
  eInvoiceAccounts: ReadonlyMap<Country, EInvoiceAccount>;
  /** Accounts at identity providers, in the order of their buttons. */
  identityAccounts: ReadonlyMap<IdentityProviderId, IdentityAccount>;
  /** Payment methods of each country. */
  payments: ReadonlyMap<Country, PaymentSettings>;
}

/** Values published in the documents or the sandbox; they must never protect real customers. */
const publishedSecrets = ["change-me", "sandbox-secret", "rzp_test_sandbox"];

/** Settings that buyers see; an example value would mislead them. */
const seenByBuyers = ["MAIL_FROM", "OPERATOR_EMAIL", "BRIO_URL"] as const;

/**
 * @throws Error naming every variable that is missing or malformed, never its value
 */
export function readEnv(source: Source = process.env): Env {
  const parsed = schema.safeParse(
    {
      ...source,
      SESSION_SECRETS: listed(source, "SESSION_SECRET"),
      ENCRYPTION_KEYS: listed(source, "ENCRYPTION_KEY"),
    },
    { error: ({ input }) => (input === undefined ? "missing" : undefined) },
  );
  const partners = readPartnerAccounts(source);
  const razorpay = readRazorpayAccounts(source);
  const payments = readPayments(source);
  const problems = parsed.success ? [] : parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`);
  const sellers = readSellers(source);
  problems.push(...partners.problems, ...razorpay.problems, ...payments.problems, ...sellers.problems);
  const identities = readIdentityAccounts(source);
  problems.push(...identities.problems);
  const eInvoices = readEInvoiceAccounts(source);
  problems.push(...eInvoices.problems, ...missingPincodes(eInvoices.accounts, sellers.accounts));
  if (parsed.success)
    problems.push(...missingRates(sellers.accounts, parsed.data.EXPORT_RATES, razorpay.accounts));
  if (parsed.success && parsed.data.NODE_ENV === "production" && !isLoopback(parsed.data.PUBLIC_URL)) {
    if (!parsed.data.PUBLIC_URL.startsWith("https:"))
      problems.push("PUBLIC_URL: must be https in production");
    if (parsed.data.DESK_SECOND_FACTOR !== "required")
      problems.push("DESK_SECOND_FACTOR: must be required in production");
    for (const [id, { issuer }] of identities.accounts)
      if (!issuer.startsWith("https:"))
        problems.push(`${identityProviders[id].settings.issuer}: must be https in production`);
    problems.push(...publishedSettings(source).map((name) => `${name}: is a published example value`));
    problems.push(...findExampleValuesInUse(source, { ...parsed.data, sellers: sellers.accounts }));
  }
  if (!parsed.success || problems.length > 0) {
    throw new Error(`Settings are missing or invalid:\n${problems.map((line) => `  ${line}`).join("\n")}`);
  }
  return {
    ...parsed.data,
    partnerAccounts: partners.accounts,
    sellers: sellers.accounts,
    eInvoiceAccounts: eInvoices.accounts,
    identityAccounts: identities.accounts,
    razorpayAccounts: razorpay.accounts,
    payments: payments.accounts,
  };
}

/** Lists the settings whose value is published in the documents or the sandbox. */
export function publishedSettings(source: Source): string[] {
  const names = new Set(listSettings().map((setting) => setting.name));
  return Object.entries(source).flatMap(([name, value]) =>
    publishedSecrets.some((secret) => value?.includes(secret)) && (names.has(name) || names.has(`${name}S`))
      ? [name]
      : [],
  );
}

/**
 * Reads a worker's settings.
 * @throws Error as readEnv, and for a database behind a pooler, where a worker cannot listen for jobs
 */
export function readWorkerEnv(source: Source = process.env): Env {
  const env = readEnv(source);
  if (env.DATABASE_POOLER === "none") return env;
  throw new Error(
    "DATABASE_POOLER: a worker can't listen for jobs through a pooler. Point its DATABASE_URL directly at PostgreSQL and remove this setting.",
  );
}

/**
 * Lists the published example values that a live store still uses, and the settings that only a live store needs.
 * @param identity the store's identity, by default the one of this build
 */
export function findExampleValuesInUse(
  source: Source,
  env: Pick<Env, (typeof seenByBuyers)[number] | "sellers">,
  identity: unknown = brand,
): string[] {
  const examples = Object.keys(source).filter((name) => isExample(source[name] ?? ""));
  // In the order of the documents, regardless of the order in the environment.
  const ofSellers = Object.values(sellerSettings).flatMap((setting) =>
    examples.filter((name) => name === setting || name.startsWith(`${setting}_`)).sort(),
  );
  const others = seenByBuyers.filter((name) => isExample(env[name]));
  const unregistered = [...env.sellers].flatMap(([country, { gstin, ein }]) =>
    gstin === null && ein === null ? [`${sellerSettingsOf(country).ein}: missing`] : [],
  );
  return [
    ...[...ofSellers, ...others].map((name) => `${name}: is an example value; replace it before going live`),
    ...unregistered,
    ...examplesIn(identity, "").map((path) => `server/foundation/brand.ts: ${path} is an example`),
  ];
}

/** Reads each country's payment methods. */
function readPayments(source: Source): Accounts<Country, PaymentSettings> {
  const accounts = new Map<Country, PaymentSettings>();
  const problems: string[] = [];
  for (const country of countryCodes) {
    const read = readPaymentSettings((name) => settingIn(source, name), country);
    accounts.set(country, read.settings);
    problems.push(...read.problems);
  }
  return { accounts, problems };
}

/**
 * Lists the countries that are exported to without an exchange rate. A country without a payment account is not open and is
 * skipped.
 */
function missingRates(
  sellers: ReadonlyMap<Country, Seller>,
  rates: ExchangeRates,
  open: ReadonlyMap<PaymentAccount, RazorpayAccount>,
): string[] {
  return [...sellers].flatMap(([country, { gstin }]) =>
    gstin === null ||
    countries[country].invoicing.tax.kind !== "none" ||
    !(open.has(country) || open.has(null)) ||
    currencyOf(country) === currencyOf(gstCountry) ||
    rates.has(currencyOf(country))
      ? []
      : [
          `EXPORT_RATES: ${currencyOf(country)} is missing, because ${sellerSettingsOf(country).name} is not set and the seller's GSTIN makes its orders exports`,
        ],
  );
}

/** Lists sellers without a pincode, because their documents cannot be registered. */
function missingPincodes(
  accounts: ReadonlyMap<Country, EInvoiceAccount>,
  sellers: ReadonlyMap<Country, Seller>,
): string[] {
  return [...accounts.keys()].flatMap((country) => {
    const seller = sellers.get(country);
    return seller === undefined || /\b[1-9]\d{5}\b/.test(seller.address)
      ? []
      : [`${sellerSettingsOf(country).address}: has no pincode, which registered invoices need`];
  });
}

/**
 * Reads values from a singular name, or from its plural, separated by spaces or line breaks. Undefined when neither or both are
 * set.
 */
function listed(source: Source, name: string): string[] | undefined {
  const one = source[name];
  const several = source[`${name}S`];
  if (one !== undefined && several !== undefined) return undefined;
  return one === undefined ? several?.split(/\s+/).filter((part) => part !== "") : [one];
}
