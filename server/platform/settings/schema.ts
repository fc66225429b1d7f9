/** Settings that stand for themselves, with their defaults. docs/operate/settings.md describes each. */
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
   * Pooler between web and PostgreSQL. A pooler lends a session for one transaction, so time-outs are set in each transaction,
   * and no process can listen for jobs.
   */
  DATABASE_POOLER: z.enum(["none", "transaction"]).default("none"),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(10),
  /**
   * Applies to processes that answer requests: by then the client has given up, and the connection is needed. Jobs have no such
   * limit.
   */
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(15_000),
  DATABASE_LOCK_TIMEOUT_MS: milliseconds(10_000),
  DATABASE_ACQUIRE_TIMEOUT_MS: milliseconds(5_000),
  /** Longer than a transaction that holds a row lock during a provider call. */
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: milliseconds(120_000),
  /** Number of proxies in front of the store that are trusted to report the client's address. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  /** Request header in which a proxy reports the client's country, such as "CF-IPCountry". Empty: no header is read. */
  CLIENT_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]*$/)
    .default(""),

  /** Internal ports of a web process and of a worker, for metrics, liveness and readiness. Left out: no internal port. */
  METRICS_PORT: portOrNone,
  WORKER_METRICS_PORT: portOrNone,
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** Time for which a web process that is shutting down, and no longer ready, still accepts requests. */
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
   * Hosts from which checkout.js loads scripts, frames and images and to which it connects, and the target of its hosted form.
   */
  RAZORPAY_SCRIPT_SOURCES: origins("https://checkout.razorpay.com https://cdn.razorpay.com"),
  RAZORPAY_CONNECT_SOURCES: origins(
    "https://lumberjack.razorpay.com https://lumberjack-metrics.razorpay.com",
  ),
  RAZORPAY_FRAME_SOURCES: origins("https://api.razorpay.com https://checkout.razorpay.com"),
  RAZORPAY_IMAGE_SOURCES: origins("https://cdn.razorpay.com"),
  RAZORPAY_FORM_SOURCES: origins("https://api.razorpay.com"),

  /** Days for which a proforma is valid and its price held, and days after that in which its account still takes money. */
  PROFORMA_DAYS: z.coerce.number().int().min(1).max(90).default(7),
  PROFORMA_GRACE_DAYS: z.coerce.number().int().min(1).max(90).default(7),
  /** Days for which a quote is valid and its price held. */
  QUOTE_DAYS: z.coerce.number().int().min(1).max(90).default(14),
  /** Number of times that a buyer may correct an order's invoice. */
  INVOICE_CORRECTIONS: z.coerce.number().int().min(0).max(20).default(3),
  /** India's financial years whose annual return is filed. Their invoices can no longer be corrected. */
  ANNUAL_RETURNS: financialYears(),
  /** Percentages of the value before GST that buyers may withhold as TDS when they pay by transfer. Empty: none. */
  TDS_RATES: percentages("2,10"),

  PARTNER_CENTER_URL: url.default("https://api.partnercenter.microsoft.com"),
  PARTNER_PRICES_URL: url.default("https://api.partner.microsoft.com"),
  MICROSOFT_LOGIN_URL: url.default("https://login.microsoftonline.com"),
  /** Microsoft's spelling of the key for the time of a scheduled action; its sources disagree. */
  PARTNER_SCHEDULE_KEY: z.enum(["scheduleType", "scheduledType"]).default("scheduleType"),
  /**
   * Redirect address of `npm run consent`, as registered for the app at Microsoft, which accepts plain http for localhost only.
   */
  PARTNER_CONSENT_URL: url
    .refine((text) => text.startsWith("https:") || isLoopback(text), "must be https, but for this machine")
    .default("http://localhost:3210/partner-consent"),
  PARTNER_ADMIN_ROLE: z.string().min(1).default("Company Administrator"),

  /** Hosts from which certificates of Partner Center's webhooks are read, with a port unless it is the standard one. */
  PARTNER_NOTICE_CERTIFICATE_HOSTS: commaList(z.string().min(3)).default([
    "3psostorageacct.blob.core.windows.net",
  ]),
  /** Authorities of those certificates, in PEM; line breaks may be written as \\n. Empty: no webhook is accepted. */
  PARTNER_NOTICE_AUTHORITIES: pem.default(""),
  /** Organisation in the subject of those certificates. */
  PARTNER_NOTICE_ORGANISATION: z.string().min(1).default("Microsoft Corporation"),

  GOOGLE_CHANNEL_URL: url.default("https://cloudchannel.googleapis.com"),
  GOOGLE_DIRECTORY_URL: url.default("https://admin.googleapis.com"),
  GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
  /** The reseller's Cloud Channel account, without "accounts/". */
  GOOGLE_ACCOUNT_ID: z.string().min(1),
  GOOGLE_SERVICE_ACCOUNT_EMAIL: z.string().min(3),
  /** PEM; line breaks may be written as \\n. */
  GOOGLE_PRIVATE_KEY: pem.pipe(z.string().min(1)),
  /** Reseller administrator that the service account impersonates. */
  GOOGLE_RESELLER_ADMIN: z.string().min(3),
  /** Name of Cloud Channel's report of our bill, as in its list of reports; unsure (docs/providers.md, section 2.7). */
  GOOGLE_BILL_REPORT: z.string().min(1).default("Google Workspace Invoice"),
  /** Service account as which Pub/Sub pushes Cloud Channel's events to us. Empty: no event is accepted. */
  GOOGLE_PUSH_EMAIL: z.string().default(""),
  /** Google's public keys, which verify a push's signature. */
  GOOGLE_CERTS_URL: url.default("https://www.googleapis.com/oauth2/v3/certs"),

  /** The app registered at Microsoft, where administrators sign in too. The other identity providers are in identityAccounts. */
  OUTLOOK_CLIENT_ID: z.string().min(1),
  OUTLOOK_CLIENT_SECRET: z.string().min(1),

  /**
   * Role template ids at Microsoft whose holders may approve an order into their tenant: the roles that may accept a partner and
   * buy, which are Global Administrator and Billing Administrator.
   */
  ADMINISTRATOR_ROLES: commaList(z.guid().transform((text) => text.toLowerCase())).default([
    "62e90394-69f5-4237-9190-012177145e10",
    "b0f54661-2d74-4c50-afa3-1ec803f12efe",
  ]),
  /**
   * Microsoft Graph, called for an administrator's roles when the ID token does not contain them, and for the lines of
   * Microsoft's bills.
   */
  GRAPH_URL: url.default("https://graph.microsoft.com/v1.0"),
  GRAPH_SCOPE: z.string().min(1).default("https://graph.microsoft.com/Directory.Read.All"),
  /** Name servers that must agree on the DNS record that proves a domain: `address` or `address:port`. */
  DNS_SERVERS: commaList(z.string().min(3)).default(["1.1.1.1", "8.8.8.8"]),

  GST_API_URL: url.default("https://api.cashfree.com"),
  GST_CLIENT_ID: z.string().min(1),
  GST_CLIENT_SECRET: z.string().min(1),
  /**
   * Public key in PEM from Cashfree's dashboard. Signs the calls of a store whose addresses are not registered there. Line breaks
   * may be written as \\n.
   */
  GST_PUBLIC_KEY: pem
    .default("")
    .refine((text) => text === "" || isPublicKey(text), "must be a public key in PEM"),

  /** Header in which the provider that registers documents expects the store's API key. */
  EINVOICE_KEY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, "must be the name of a header")
    .default("x-api-key"),
  /** That provider's spelling of the keys of a cancellation; its sources disagree. */
  EINVOICE_CANCEL_KEYS: z.enum(["CnlRsn", "Cnlrsn"]).default("CnlRsn"),

  /** Service accounting code of the services sold. */
  SELLER_SAC: z
    .string()
    .regex(/^(\d{6}|\d{8})$/, "must be 6 or 8 digits")
    .default("997331"),

  /**
   * Exchange rates for export invoices, which also state their value in rupees: "USD 84.5" (a currency, and the rupees for one
   * unit of it), separated by semicolons.
   */
  EXPORT_RATES: exchangeRates,
  /** Required wording on an invoice without tax, or with tax that may be claimed back (Rule 46). */
  ENDORSEMENT_EXPWOP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_EXPWOP),
  ENDORSEMENT_EXPWP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_EXPWP),
  ENDORSEMENT_SEZWOP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_SEZWOP),
  ENDORSEMENT_SEZWP: z.string().min(1).default(standardEndorsements.ENDORSEMENT_SEZWP),

  /**
   * Working days after which a payment or refund counts as missing from the provider's payouts. Domestic payments take 2,
   * international ones about 7 (docs/providers.md, section 3.5).
   */
  SETTLEMENT_WORKING_DAYS: z.coerce.number().int().min(1).max(60).default(8),

  /** Vendors' titles for us, shown on the home page: "Microsoft Solutions Partner, ID 1234567; Google Cloud Partner". */
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

  /** Page at which a brio customer signs in with the mailed access code. */
  BRIO_URL: url.default("https://brio.example/start"),

  /** Whether staff need a second factor in Desk. Only a sandbox may make it optional. */
  DESK_SECOND_FACTOR: z.enum(["required", "optional"]).default("required"),
  /** Networks that can reach Desk, such as "203.0.113.0/24, 2001:db8::/32". Empty: all. */
  DESK_ALLOWED_ADDRESSES: networks,

  /** Lowest margin in percent of the price in force. A metric counts items below it. */
  PRICE_MARGIN_FLOOR: z.coerce.number().min(0).max(99).default(5),

  /**
   * Hosts that providers name in their responses, in addition to the addresses above: Google's sign-in hosts, and Microsoft's
   * storage for the lines of its bills. `*.` at the beginning stands for every host below.
   */
  OUTGOING_HOSTS: commaList(hostPattern).default([
    "oauth2.googleapis.com",
    "www.googleapis.com",
    "*.blob.core.windows.net",
  ]),

  SMTP_URL: z.string().regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// URL"),
  MAIL_FROM: z.string().min(3),
  /** Selector of the DKIM key with which the mail server signs: the part before `._domainkey.` */
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^([a-z0-9_-]+(\.[a-z0-9_-]+)*)?$/i, "must be a selector such as mail2026")
    .default(""),
  /** Operator's address for alerts about orders that need a person. */
  OPERATOR_EMAIL: z.email(),

  PROVIDER_TIMEOUT_MS: milliseconds(20_000),
  /** Calls per minute to a vendor by all processes together; 0 for no limit. For Microsoft the limit is per partner account. */
  GOOGLE_CALLS_PER_MINUTE: z.coerce.number().int().min(0).max(100_000).default(120),
  MICROSOFT_CALLS_PER_MINUTE: z.coerce.number().int().min(0).max(100_000).default(500),
  /**
   * First wait before an order is tried again. All other waits, including those after a refusal, are in proportion
   * (docs/providers.md, sections 1.7 and 2.5).
   */
  RETRY_BASE_MS: milliseconds(5_000),
  /**
   * Interval at which the partner approval of a waiting order is polled (docs/specification.md, section 4.5), and at which a
   * waiting page refreshes.
   */
  INVITATION_POLL_MS: milliseconds(5_000),
  INVITATION_TIMEOUT_MS: milliseconds(600_000),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(50).default(4),
  WORKER_POLL_MS: milliseconds(1_000),
  /** Interval of a worker's heartbeat. After six missed intervals a worker is presumed dead, and its jobs go to another. */
  HEARTBEAT_MS: milliseconds(5_000),
  /** Days for which an order's history shows each provider call. */
  PROVIDER_CALLS_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
});
