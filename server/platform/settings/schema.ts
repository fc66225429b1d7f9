/** The settings that stand for themselves, with their defaults: docs/operate/settings.md says what each is for. */
import { z } from "zod";
import { standardEndorsements } from "#server/foundation/countries/endorsements.ts";
import { isLoopback } from "#server/foundation/security/network.ts";
import {
  commaList,
  encryptionKey,
  exchangeRates,
  financialYears,
  hostPattern,
  isPublicKey,
  milliseconds,
  networks,
  oneOrSeveral,
  origins,
  pem,
  percentages,
  portOrNone,
  url,
} from "./value-schemas.ts";

export const schema = z.object({
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

  /**
   * Hosts that providers name in their answers, beside those of the addresses above: Google's for its sign-in, and the storage
   * in which Microsoft puts the lines of its bills. `*.` at the beginning stands for every host below.
   */
  OUTGOING_HOSTS: commaList(hostPattern).default([
    "oauth2.googleapis.com",
    "www.googleapis.com",
    "*.blob.core.windows.net",
  ]),

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
