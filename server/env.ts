/** The only reader of process.env. Refuses to start, listing everything that is missing or malformed. */
import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { Country, Currency, IdentityProviderId } from "#db/tables/enums.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { brand } from "./brand.ts";
import { countries, countryCodes, currencies, currencyOf, gstCountry } from "./countries/country.ts";
import { standardEndorsements } from "./countries/endorsements.ts";
import { parseGstin } from "./countries/gstin.ts";
import { examplesIn, isExample } from "./example-values.ts";
import type { IdentityAccount } from "./identity-providers/client.ts";
import { identityProviderIds, identityProviders } from "./identity-providers/identity-provider.ts";
import {
  type PaymentSettings,
  paymentSettingsOf,
  readPaymentSettings,
  standardMethods,
} from "./payment-settings.ts";
import type { EncryptionKey } from "./security/cipher.ts";
import { isLoopback, readNetworks } from "./security/network.ts";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ""));
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** A port of this machine, or nothing. */
const portOrNone = z
  .string()
  .default("")
  .transform((text) => (text.trim() === "" ? null : Number(text)))
  .refine(
    (port) => port === null || (Number.isInteger(port) && port > 0 && port < 65_536),
    "must be a port, from 1 to 65535",
  );

/** PEM, in whose lines breaks may be written as \\n. */
const pem = z.string().transform((text) => text.replaceAll("\\n", "\n"));

function isPublicKey(text: string): boolean {
  try {
    return createPublicKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** Addresses and networks (CIDR), comma-separated; null for none. */
const networks = z
  .string()
  .default("")
  .transform((text, context) => {
    if (text.trim() === "") return null;
    const list = readNetworks(text);
    if (list === null)
      context.addIssue("must be addresses or networks such as 203.0.113.0/24, separated by commas");
    return list;
  });

/** Comma-separated, at least one. */
const commaList = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item).min(1));

/** Published values, from the documents or the sandbox, must never protect real customers. */
const publishedSecrets = ["change-me", "sandbox-secret", "rzp_test_sandbox"];

const encryptionKey = z.string().transform((text, context): EncryptionKey => {
  const [, id = null, key = ""] = /^(?:([\w-]+):)?(.*)$/.exec(text) ?? [];
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== 32) context.addIssue("must be 32 bytes in base64, before which an `id:` may stand");
  return { id, bytes };
});

/** Space-separated origins, without a path. */
const origins = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) => text.split(/\s+/).filter((part) => part !== ""))
    .refine(
      (all) => all.every((each) => URL.canParse(each) && new URL(each).origin === each),
      "must be origins such as https://cdn.example.com, separated by spaces",
    );

/** By currency, in ten-thousandths of a rupee for one of it: 845000 = 84.5. */
export type ExchangeRates = ReadonlyMap<Currency, number>;

export const exchangeRates = z
  .string()
  .default("")
  .transform((text, context): ExchangeRates => {
    const rates = new Map<Currency, number>();
    for (const part of text.split(";").filter((each) => each.trim() !== "")) {
      const [, code = "", rate = ""] = /^\s*([A-Z]{3}) (\d{1,5}(?:\.\d{1,4})?)\s*$/.exec(part) ?? [];
      const currency = currencies.find((each) => each === code);
      if (currency === undefined || !(Number(rate) > 0))
        context.addIssue("must be a currency and a rate, separated by semicolons");
      else rates.set(currency, Math.round(Number(rate) * 10_000));
    }
    return rates;
  });
/** Percentages separated by commas, as basis points. */
const percentages = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text) =>
      text
        .split(",")
        .filter((part) => part.trim() !== "")
        .map((part) => Number(part) * 100),
    )
    .refine(
      (rates) => rates.every((rate) => Number.isInteger(rate) && rate > 0 && rate < 10_000),
      "must be percentages separated by commas, such as 2,10",
    );

/** Financial years as the tax office writes them: "2025-26,2026-27". */
const financialYears = () =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .refine(
      (years) => years.every((year) => isFinancialYear(year)),
      "must be financial years separated by commas, such as 2025-26,2026-27",
    );

/** @param text "2026-27" */
function isFinancialYear(text: string): boolean {
  return /^\d{4}-\d{2}$/.test(text) && Number(text.slice(5)) === (Number(text.slice(0, 4)) + 1) % 100;
}

/** Reads a setting from its singular name, which holds one value, or its plural name, which holds several. */
function oneOrSeveral<Value>(name: string, value: z.ZodType<Value, string>) {
  return z
    .array(value, `give ${name}, or in its place ${name}S`)
    .transform(([first, ...others], context): readonly [Value, ...Value[]] => {
      if (first !== undefined) return [first, ...others];
      context.addIssue("is empty");
      return z.NEVER;
    });
}

/** The store's account at Partner Center in one country: it sells in that country and in no other. */
export interface PartnerAccount {
  /** Tenant id or domain of the partner. */
  tenant: string;
  clientId: string;
  clientSecret: string;
}

/** The store's account at Razorpay in one country: it takes the money of that country's orders. */
export interface RazorpayAccount {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

/**
 * Whose name is on a country's invoices, which state it as Rule 46 of the GST rules asks, and on its pages of who sells and
 * whom to write to.
 */
export interface Seller {
  name: string;
  /** Lines are separated by semicolons. */
  address: string;
  /** Null only in countries without GST. */
  gstin: string | null;
  /** The tax number in the USA, shown where there is no GSTIN. */
  ein: string | null;
  /** The letters of undertaking under which it exports, and supplies special economic zones, without tax. */
  letters: readonly LetterOfUndertaking[];
  /** The name under an invoice. */
  signatory: string;
  phone: string;
  supportHours: string;
  grievanceOfficer: string;
  grievanceEmail: string;
}

/** Form GST RFD-11, which a seller files for a financial year before the first supply without tax. */
export interface LetterOfUndertaking {
  /** "2026-27" */
  year: string;
  /** The reference number of the application. */
  number: string;
}

/** The store's account at the provider through which a country's documents are registered for GST (docs/decisions/e-invoice.md). */
export interface EInvoiceAccount {
  url: string;
  user: string;
  password: string;
  /** The store's own key at that provider. */
  key: string;
}

/** The names of an account's settings; the code of a country follows. */
const partnerSettings = {
  tenant: "PARTNER_TENANT",
  clientId: "PARTNER_CLIENT_ID",
  clientSecret: "PARTNER_CLIENT_SECRET",
} as const satisfies Record<keyof PartnerAccount, string>;

/** Without a country's code they are those of the former account. */
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

/** The countries whose documents may have to be registered. */
const eInvoiceCountries = countryCodes.filter((code) => countries[code].invoicing.tax.kind === "gst");

/** Without a country's code they are those of the seller in every country that has none of its own. */
export const sellerSettings = {
  name: "SELLER_NAME",
  address: "SELLER_ADDRESS",
  gstin: "SELLER_GSTIN",
  ein: "SELLER_EIN",
  letters: "SELLER_LUT",
  signatory: "SELLER_SIGNATORY",
  phone: "SELLER_PHONE",
  supportHours: "SELLER_SUPPORT_HOURS",
  grievanceOfficer: "SELLER_GRIEVANCE_OFFICER",
  grievanceEmail: "SELLER_GRIEVANCE_EMAIL",
} as const satisfies Record<keyof Seller, string>;

/** The names of the settings of a country's own seller. */
export const sellerSettingsOf = (country: Country) => inCountry(sellerSettings, country);

/** The names of the settings of a country's account at Partner Center. */
export const partnerSettingsOf = (country: Country) => inCountry(partnerSettings, country);

/** The names of the settings of a country's account at Razorpay. */
export const razorpaySettingsOf = (country: Country) => inCountry(razorpaySettings, country);

/** The names of the settings of a country's account for registering documents. */
export const eInvoiceSettingsOf = (country: Country) => inCountry(eInvoiceSettings, country);

function inCountry<Part extends string>(names: Readonly<Record<Part, string>>, country: Country) {
  const own: Record<Part, string> = { ...names };
  for (const part in own) own[part] = `${names[part]}_${country}`;
  return own;
}

const schema = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  /** The public origin, https in production. Used in mails, callbacks and the same-origin check. */
  PUBLIC_URL: url,
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL"),
  /**
   * What stands between web and PostgreSQL. Behind a pooler a session is lent for one transaction, so time-outs are set in each; and
   * nobody can listen for jobs.
   */
  DATABASE_POOLER: z.enum(["none", "transaction"]).default("none"),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(10),
  /**
   * For processes that answer requests: by then the client has given up, and the connection is needed. Jobs have no such
   * limit.
   */
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(15_000),
  DATABASE_LOCK_TIMEOUT_MS: milliseconds(10_000),
  DATABASE_ACQUIRE_TIMEOUT_MS: milliseconds(5_000),
  /** Longer than a transaction that holds a row lock while it calls a provider. */
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: milliseconds(120_000),
  /** How many proxies in front of the store are trusted to report the client's address. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  /** The request header in which a proxy in front tells the client's country, such as "CF-IPCountry"; none when it is empty. */
  CLIENT_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]*$/)
    .default(""),

  /** The internal ports of a web process and of a worker: metrics, liveness and readiness. Without one there is none. */
  METRICS_PORT: portOrNone,
  WORKER_METRICS_PORT: portOrNone,
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** How long a web process still takes requests when it is asked to end and is no longer ready. */
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),

  /** Secrets for session tokens and cookies: the first signs, all verify. */
  SESSION_SECRETS: oneOrSeveral("SESSION_SECRET", z.string().min(32, "must have at least 32 characters")),
  /** Keys for credentials at rest: the first encrypts, all decrypt. 32 bytes in base64, optionally as `id:` and the bytes. */
  ENCRYPTION_KEYS: oneOrSeveral("ENCRYPTION_KEY", encryptionKey).refine(
    (keys) => new Set(keys.map(({ id }) => id)).size === keys.length,
    "must have different ids",
  ),

  RAZORPAY_API_URL: url.default("https://api.razorpay.com/v1"),
  RAZORPAY_CHECKOUT_SCRIPT_URL: url.default("https://checkout.razorpay.com/v1/checkout.js"),
  /**
   * The hosts from which checkout.js loads scripts, frames and images and to which it connects, and the target of its hosted
   * form.
   */
  RAZORPAY_SCRIPT_SOURCES: origins("https://checkout.razorpay.com https://cdn.razorpay.com"),
  RAZORPAY_CONNECT_SOURCES: origins(
    "https://lumberjack.razorpay.com https://lumberjack-metrics.razorpay.com",
  ),
  RAZORPAY_FRAME_SOURCES: origins("https://api.razorpay.com https://checkout.razorpay.com"),
  RAZORPAY_IMAGE_SOURCES: origins("https://cdn.razorpay.com"),
  RAZORPAY_FORM_SOURCES: origins("https://api.razorpay.com"),

  /** How long a proforma is valid and its price held, in days; and for how long after that its account takes money. */
  PROFORMA_DAYS: z.coerce.number().int().min(1).max(90).default(7),
  PROFORMA_GRACE_DAYS: z.coerce.number().int().min(1).max(90).default(7),
  /** How long a quote is valid and its price held, in days. */
  QUOTE_DAYS: z.coerce.number().int().min(1).max(90).default(14),
  /** How many times the invoice of an order may be corrected by its buyer. */
  INVOICE_CORRECTIONS: z.coerce.number().int().min(0).max(20).default(3),
  /** India's financial years for which the annual return is filed, after which no invoice of them is corrected. */
  ANNUAL_RETURNS: financialYears(),
  /**
   * The percentages of the value before GST that buyers may withhold as TDS when they pay by transfer; empty where none is
   * accepted.
   */
  TDS_RATES: percentages("2,10"),

  PARTNER_CENTER_URL: url.default("https://api.partnercenter.microsoft.com"),
  PARTNER_PRICES_URL: url.default("https://api.partner.microsoft.com"),
  MICROSOFT_LOGIN_URL: url.default("https://login.microsoftonline.com"),
  /** How Microsoft spells the key of a scheduled action that says when it happens: its sources disagree. */
  PARTNER_SCHEDULE_KEY: z.enum(["scheduleType", "scheduledType"]).default("scheduleType"),
  /**
   * Where a partner's user comes back to after `npm run consent`, as registered for the app at Microsoft, which takes plain
   * http for this machine alone.
   */
  PARTNER_CONSENT_URL: url
    .refine((text) => text.startsWith("https:") || isLoopback(text), "must be https, but for this machine")
    .default("http://localhost:3210/partner-consent"),
  PARTNER_ADMIN_ROLE: z.string().min(1).default("Company Administrator"),

  /** The hosts from which certificates of Partner Center's webhooks are read, with a port unless it is the standard one. */
  PARTNER_NOTICE_CERTIFICATE_HOSTS: commaList(z.string().min(3)).default([
    "3psostorageacct.blob.core.windows.net",
  ]),
  /** The authorities of those certificates, in PEM; line breaks may be written as \\n. Without one no webhook is accepted. */
  PARTNER_NOTICE_AUTHORITIES: pem.default(""),
  /** The organisation in the subject of those certificates. */
  PARTNER_NOTICE_ORGANISATION: z.string().min(1).default("Microsoft Corporation"),

  GOOGLE_CHANNEL_URL: url.default("https://cloudchannel.googleapis.com"),
  GOOGLE_DIRECTORY_URL: url.default("https://admin.googleapis.com"),
  GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
  /** The reseller's Cloud Channel account, without "accounts/". */
  GOOGLE_ACCOUNT_ID: z.string().min(1),
  GOOGLE_SERVICE_ACCOUNT_EMAIL: z.string().min(3),
  /** PEM; line breaks may be written as \\n. */
  GOOGLE_PRIVATE_KEY: pem.pipe(z.string().min(1)),
  /** The reseller administrator whom the service account impersonates. */
  GOOGLE_RESELLER_ADMIN: z.string().min(3),
  /** Cloud Channel's report of what we are billed, as its list of reports names it; unsure (docs/providers.md, section 2.7). */
  GOOGLE_BILL_REPORT: z.string().min(1).default("Google Workspace Invoice"),
  /** The service account as which Pub/Sub pushes Cloud Channel's events to us. Without one no event is accepted. */
  GOOGLE_PUSH_EMAIL: z.string().default(""),
  /** Google's keys, with which a push is signed. */
  GOOGLE_CERTS_URL: url.default("https://www.googleapis.com/oauth2/v3/certs"),

  /** The app registered at Microsoft, where administrators sign in too: what else people sign in with is in identityAccounts. */
  OUTLOOK_CLIENT_ID: z.string().min(1),
  OUTLOOK_CLIENT_SECRET: z.string().min(1),

  /**
   * Role template ids at Microsoft whose holders may approve an order into their tenant: the roles that may accept a partner
   * and buy. Global Administrator, and Billing Administrator, whom Microsoft itself lets buy.
   */
  ADMINISTRATOR_ROLES: commaList(z.guid().transform((text) => text.toLowerCase())).default([
    "62e90394-69f5-4237-9190-012177145e10",
    "b0f54661-2d74-4c50-afa3-1ec803f12efe",
  ]),
  /** Asked for an administrator's roles when the ID token does not contain them, and for the lines of Microsoft's bills. */
  GRAPH_URL: url.default("https://graph.microsoft.com/v1.0"),
  GRAPH_SCOPE: z.string().min(1).default("https://graph.microsoft.com/Directory.Read.All"),
  /** Name servers that must agree on the DNS record that proves a domain: `address` or `address:port`. */
  DNS_SERVERS: commaList(z.string().min(3)).default(["1.1.1.1", "8.8.8.8"]),

  GST_API_URL: url.default("https://api.cashfree.com"),
  GST_CLIENT_ID: z.string().min(1),
  GST_CLIENT_SECRET: z.string().min(1),
  /**
   * In PEM, from Cashfree's dashboard: signs the calls of a store whose addresses are not registered there. Line breaks may be
   * written as \\n.
   */
  GST_PUBLIC_KEY: pem
    .default("")
    .refine((text) => text === "" || isPublicKey(text), "must be a public key in PEM"),

  /** The header in which the provider that registers documents wants the store's own key. */
  EINVOICE_KEY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, "must be the name of a header")
    .default("x-api-key"),
  /** How that provider spells the keys of a cancellation: its sources disagree. */
  EINVOICE_CANCEL_KEYS: z.enum(["CnlRsn", "Cnlrsn"]).default("CnlRsn"),

  /** The service accounting code of the services sold. */
  SELLER_SAC: z
    .string()
    .regex(/^(\d{6}|\d{8})$/, "must be 6 or 8 digits")
    .default("997331"),

  /**
   * The exchange rate of invoices for exports, which state their value in rupees too: "USD 84.5", a currency and what one of it
   * is in rupees, separated by semicolons.
   */
  EXPORT_RATES: exchangeRates,
  /** What an invoice without tax, or with tax that may be claimed back, has to say (Rule 46). */
  ENDORSEMENT_EXPWOP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_EXPWOP),
  ENDORSEMENT_EXPWP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_EXPWP),
  ENDORSEMENT_SEZWOP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_SEZWOP),
  ENDORSEMENT_SEZWP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_SEZWP),

  /**
   * Working days after which money that was paid, or given back, is missed in the provider's payouts. Domestic payments take 2,
   * international ones some 7 (docs/providers.md, section 3.5).
   */
  SETTLEMENT_WORKING_DAYS: z.coerce.number().int().min(1).max(60).default(8),

  /** What vendors call us, for the home page: "Microsoft Solutions Partner, ID 1234567; Google Cloud Partner". */
  PARTNER_BADGES: z
    .string()
    .max(300)
    .default("")
    .transform((text) =>
      text
        .split(";")
        .map((badge) => badge.trim())
        .filter((badge) => badge !== ""),
    ),

  /** Where a brio customer signs in with the mailed access code. */
  BRIO_URL: url.default("https://brio.example/start"),

  /** Whether staff need a second factor at the desk. Optional in a sandbox alone. */
  DESK_SECOND_FACTOR: z.enum(["required", "optional"]).default("required"),
  /** The networks from which the desk answers, such as "203.0.113.0/24, 2001:db8::/32"; everywhere when it is empty. */
  DESK_ALLOWED_ADDRESSES: networks,

  /** Of a price in force, in percent: with less than that left over its cost, its item is counted for whoever watches the store. */
  PRICE_MARGIN_FLOOR: z.coerce.number().min(0).max(99).default(5),

  SMTP_URL: z.string().regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// URL"),
  MAIL_FROM: z.string().min(3),
  /** The selector of the DKIM key with which the mail server signs: the part before `._domainkey.` */
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^([a-z0-9_-]+(\.[a-z0-9_-]+)*)?$/i, "must be a selector such as mail2026")
    .default(""),
  /** The operator's address for alerts about orders that need a person. */
  OPERATOR_EMAIL: z.email(),

  PROVIDER_TIMEOUT_MS: milliseconds(20_000),
  /** What all processes together ask of a vendor in a minute at most; 0 for no limit. Of Microsoft, by each partner account. */
  GOOGLE_CALLS_PER_MINUTE: z.coerce.number().int().min(0).max(100_000).default(120),
  MICROSOFT_CALLS_PER_MINUTE: z.coerce.number().int().min(0).max(100_000).default(500),
  /**
   * The first wait before an order is tried again. Every other wait, and how long a refusal is waited out, is in
   * proportion (docs/providers.md, sections 1.7 and 2.5).
   */
  RETRY_BASE_MS: milliseconds(5_000),
  /**
   * How often the partner approval of a waiting order is polled (docs/specification.md, section 4.5), and how often a waiting page
   * looks again.
   */
  INVITATION_POLL_MS: milliseconds(5_000),
  INVITATION_TIMEOUT_MS: milliseconds(600_000),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(50).default(4),
  WORKER_POLL_MS: milliseconds(1_000),
  /** A worker without a heartbeat for six intervals is presumed dead, and its jobs go to another. */
  HEARTBEAT_MS: milliseconds(5_000),
  /** For how many days an order's story tells each call to a provider. */
  PROVIDER_CALLS_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
});

export interface Env extends z.infer<typeof schema> {
  /** A country that is missing has no account, and Microsoft's plans are not open there. */
  partnerAccounts: ReadonlyMap<Country, PartnerAccount>;
  /** Every country has one: its own, or the one that countries share. */
  sellers: ReadonlyMap<Country, Seller>;
  /** A country that is missing has no account, and nothing is open there. At least one country has one. */
  razorpayAccounts: ReadonlyMap<PaymentAccount, RazorpayAccount>;
  /** A country that is missing has no account, and its documents are not registered. */
  eInvoiceAccounts: ReadonlyMap<Country, EInvoiceAccount>;
  /** The accounts at identity providers, in the order of their buttons. */
  identityAccounts: ReadonlyMap<IdentityProviderId, IdentityAccount>;
  /** The ways to pay in each country. */
  payments: ReadonlyMap<Country, PaymentSettings>;
}

type Source = Record<string, string | undefined>;

const standardSignatory = "Authorised signatory";
/** What the terms promise (docs/specification.md, section 9.2). */
const standardHours = "24/7";

/** Settings that buyers see, and would be misled by if they were examples. */
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
    problems.push(...examplesOfLive(source, { ...parsed.data, sellers: sellers.accounts }));
  }
  if (!parsed.success || problems.length > 0) {
    throw new Error(`The environment is not complete:\n${problems.map((line) => `  ${line}`).join("\n")}`);
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

/** The names of the settings whose value is a published one: from the documents, or of the sandbox. */
export function publishedSettings(source: Source): string[] {
  const names = new Set(listSettings().map((setting) => setting.name));
  return Object.entries(source).flatMap(([name, value]) =>
    publishedSecrets.some((secret) => value?.includes(secret)) && (names.has(name) || names.has(`${name}S`))
      ? [name]
      : [],
  );
}

/**
 * The settings of a worker.
 * @throws Error as readEnv, and for a database behind a pooler, where a worker would listen for jobs and hear nothing
 */
export function readWorkerEnv(source: Source = process.env): Env {
  const env = readEnv(source);
  if (env.DATABASE_POOLER === "none") return env;
  throw new Error(
    "DATABASE_POOLER: a worker listens for jobs, and hears nothing behind a pooler. Give it a DATABASE_URL that leads to PostgreSQL itself, and leave this out.",
  );
}

/**
 * What a live store still has of the published examples, and what only a live store needs.
 * @param identity who the store is, by default the one of this build
 */
export function examplesOfLive(
  source: Source,
  env: Pick<Env, (typeof seenByBuyers)[number] | "sellers">,
  identity: unknown = brand,
): string[] {
  const isOfSeller = (name: string) =>
    Object.values(sellerSettings).some((setting) => name === setting || name.startsWith(`${setting}_`));
  const ofSellers = Object.entries(source).flatMap(([name, value = ""]) =>
    isOfSeller(name) && isExample(value) ? [name] : [],
  );
  const others = seenByBuyers.filter((name) => isExample(env[name]));
  const unregistered = [...env.sellers].flatMap(([country, { gstin, ein }]) =>
    gstin === null && ein === null ? [`${sellerSettingsOf(country).ein}: missing`] : [],
  );
  return [
    ...[...ofSellers, ...others].map((name) => `${name}: is an example, which no live store may show`),
    ...unregistered,
    ...examplesIn(identity, "").map((path) => `server/brand.ts: ${path} is an example`),
  ];
}

/** @returns the seller of each country, and what is wrong with the settings of those that have none */
export function readSellers(source: Source): Accounts<Country, Seller> {
  const accounts = new Map<Country, Seller>();
  const problems = new Set<string>();
  for (const country of countryCodes) {
    const own = sellerSettingsOf(country);
    const isOwn = [own.name, own.address, own.gstin].some((name) => settingIn(source, name) !== null);
    const read = readSeller(source, isOwn ? own : sellerSettings, country);
    if (read.seller !== null) accounts.set(country, read.seller);
    for (const problem of read.problems) problems.add(problem);
  }
  return { accounts, problems: [...problems] };
}

/** The countries that are exported to without an exchange rate. One without a payment account is not open. */
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

/** "2026-27 AD290326000123X": the financial year and the reference number, separated by semicolons. */
function readLetters(source: Source, name: string): { letters: LetterOfUndertaking[]; problems: string[] } {
  const parts = (settingIn(source, name) ?? "").split(";").map((part) => part.trim());
  const given = parts.filter((part) => part !== "");
  const letters = given.flatMap((part) => {
    const [, year = "", number = ""] = /^(\d{4}-\d{2}) ([A-Z0-9]{8,20})$/.exec(part) ?? [];
    return isFinancialYear(year) && number !== "" ? [{ year, number }] : [];
  });
  const isRight = letters.length === given.length;
  return { letters, problems: isRight ? [] : [`${name}: must be like 2026-27 AD290326000123X`] };
}

function readSeller(
  source: Source,
  names: Readonly<Record<keyof Seller, string>>,
  country: Country,
): { seller: Seller | null; problems: string[] } {
  const name = settingIn(source, names.name);
  const address = settingIn(source, names.address);
  const gstin = settingIn(source, names.gstin);
  const ein = settingIn(source, names.ein);
  const { letters, problems: wrongLetters } = readLetters(source, names.letters);
  // One office may answer for all countries.
  const shared = (part: "phone" | "supportHours" | "grievanceOfficer" | "grievanceEmail") =>
    settingIn(source, sellerSettingsOf(country)[part]) ?? settingIn(source, sellerSettings[part]);
  const phone = shared("phone");
  const grievanceOfficer = shared("grievanceOfficer");
  const grievanceEmail = shared("grievanceEmail");
  const needsGstin = countries[country].invoicing.tax.kind === "gst";
  const problems = [
    ...(name === null ? [`${names.name}: missing`] : []),
    ...(address === null ? [`${names.address}: missing`] : []),
    ...(gstin === null && needsGstin ? [`${names.gstin}: missing`] : []),
    ...(gstin !== null && (parseGstin(gstin)?.state ?? null) === null
      ? [`${names.gstin}: must be a GSTIN of an Indian state`]
      : []),
    ...wrongLetters,
    ...(phone === null ? [`${sellerSettings.phone}: missing`] : []),
    ...(grievanceOfficer === null ? [`${sellerSettings.grievanceOfficer}: missing`] : []),
    ...(grievanceEmail === null ? [`${sellerSettings.grievanceEmail}: missing`] : []),
    ...(grievanceEmail !== null && !z.email().safeParse(grievanceEmail).success
      ? [`${sellerSettings.grievanceEmail}: must be an email address`]
      : []),
  ];
  if (name === null || address === null || phone === null) return { seller: null, problems };
  if (grievanceOfficer === null || grievanceEmail === null || problems.length > 0)
    return { seller: null, problems };
  const signatory = settingIn(source, names.signatory) ?? standardSignatory;
  const supportHours = shared("supportHours") ?? standardHours;
  const contact = { phone, supportHours, grievanceOfficer, grievanceEmail };
  return { seller: { name, address, gstin, ein, letters, signatory, ...contact }, problems };
}

/** A setting that is empty counts as left out. */
function settingIn(source: Source, name: string): string | null {
  const text = source[name]?.trim() ?? "";
  return text === "" ? null : text;
}

/** What was read of accounts, and what is wrong with their settings. */
interface Accounts<Key, Account> {
  accounts: Map<Key, Account>;
  problems: string[];
}

/** The accounts at Partner Center, for the sandbox too, which plays Microsoft to them. */
export function readPartnerAccounts(source: Source): Accounts<Country, PartnerAccount> {
  const { accounts, problems } = readAccounts(source, partnerSettingsOf);
  // Both may be set while processes of an earlier version still run.
  if (accounts.size === 0 && problems.length === 0) problems.push(...oldNames(source, partnerSettings));
  return { accounts, problems };
}

/**
 * The accounts at Razorpay, for the sandbox too. The settings without a country are those of the account that every country
 * shared in earlier versions: payments begun there are still captured and refunded there (docs/operate/upgrade.md).
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

function readEInvoiceAccounts(source: Source): Accounts<Country, EInvoiceAccount> {
  const accounts = new Map<Country, EInvoiceAccount>();
  const problems: string[] = [];
  for (const country of eInvoiceCountries) {
    const names = eInvoiceSettingsOf(country);
    const read = readAccount(source, names, "the others of its country");
    problems.push(...read.problems);
    if (read.account === null) continue;
    const { url: given } = read.account;
    // The password is sent along.
    if (url.safeParse(given).success && (given.startsWith("https:") || isLoopback(given)))
      accounts.set(country, read.account);
    else problems.push(`${names.url}: must be an https address`);
  }
  return { accounts, problems };
}

/** One without an account is not offered. */
function readIdentityAccounts(source: Source): Accounts<IdentityProviderId, IdentityAccount> {
  const accounts = new Map<IdentityProviderId, IdentityAccount>();
  const problems: string[] = [];
  for (const id of identityProviderIds) {
    const { settings: names, issuer: standard } = identityProviders[id];
    const { clientId, clientSecret } = names;
    const read = readAccount(source, { clientId, clientSecret }, "the other of its provider");
    problems.push(...read.problems.filter((problem) => !isInSchema(problem)));
    const issuer = url.safeParse(settingIn(source, names.issuer) ?? standard);
    // Whoever answers in its place would say who signs in.
    if (!issuer.success || !(issuer.data.startsWith("https:") || isLoopback(issuer.data)))
      problems.push(`${names.issuer}: must be https, but for this machine`);
    else if (read.account !== null) accounts.set(id, { ...read.account, issuer: issuer.data });
  }
  return { accounts, problems };
}

/** The schema says it already. */
function isInSchema(problem: string): boolean {
  return Object.hasOwn(schema.shape, problem.split(":")[0] ?? "");
}

/** The ways to pay in each country. */
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

/** A document without the seller's pincode cannot be registered. */
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

/** An account whose settings are all given; null when none is. */
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

/** Every setting with its default as written in the environment, or null when it is required. */
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

/**
 * The values of a singular name, or of its plural separated by spaces or line breaks. Undefined when neither or both are set.
 */
function listed(source: Source, name: string): string[] | undefined {
  const one = source[name];
  const several = source[`${name}S`];
  if (one !== undefined && several !== undefined) return undefined;
  return one === undefined ? several?.split(/\s+/).filter((part) => part !== "") : [one];
}
