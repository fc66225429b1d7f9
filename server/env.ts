/** The only reader of process.env. Refuses to start, listing everything that is missing or malformed. */
import { z } from "zod";
import { parseGstin } from "./countries/gstin.ts";
import type { EncryptionKey } from "./security/cipher.ts";
import { isLoopback } from "./security/network.ts";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ""));
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

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

const schema = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  /** The public origin, https in production. Used in mails, callbacks and the same-origin check. */
  PUBLIC_URL: url,
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL"),
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

  /** Secrets for session tokens and cookies: the first signs, all verify. */
  SESSION_SECRETS: oneOrSeveral("SESSION_SECRET", z.string().min(32, "must have at least 32 characters")),
  /** Keys for credentials at rest: the first encrypts, all decrypt. 32 bytes in base64, optionally as `id:` and the bytes. */
  ENCRYPTION_KEYS: oneOrSeveral("ENCRYPTION_KEY", encryptionKey).refine(
    (keys) => new Set(keys.map(({ id }) => id)).size === keys.length,
    "must have different ids",
  ),

  RAZORPAY_KEY_ID: z.string().min(1),
  RAZORPAY_KEY_SECRET: z.string().min(1),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1),
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

  PARTNER_CENTER_URL: url.default("https://api.partnercenter.microsoft.com"),
  MICROSOFT_LOGIN_URL: url.default("https://login.microsoftonline.com"),
  PARTNER_TENANT: z.string().min(1),
  PARTNER_CLIENT_ID: z.string().min(1),
  PARTNER_CLIENT_SECRET: z.string().min(1),
  PARTNER_ADMIN_ROLE: z.string().min(1).default("Company Administrator"),

  GOOGLE_CHANNEL_URL: url.default("https://cloudchannel.googleapis.com"),
  GOOGLE_DIRECTORY_URL: url.default("https://admin.googleapis.com"),
  GOOGLE_TOKEN_URL: url.default("https://oauth2.googleapis.com/token"),
  /** The reseller's Cloud Channel account, without "accounts/". */
  GOOGLE_ACCOUNT_ID: z.string().min(1),
  /** The Google product that contains our SKUs. */
  GOOGLE_PRODUCT_ID: z.string().min(1).default("google-workspace"),
  GOOGLE_SERVICE_ACCOUNT_EMAIL: z.string().min(3),
  /** PEM; line breaks may be written as \\n. */
  GOOGLE_PRIVATE_KEY: z
    .string()
    .min(1)
    .transform((text) => text.replaceAll("\\n", "\n")),
  /** The reseller administrator whom the service account impersonates. */
  GOOGLE_RESELLER_ADMIN: z.string().min(3),

  /** The issuer for Outlook sign-in. Behind "common", each Microsoft tenant is an issuer of its own. */
  OUTLOOK_ISSUER: url
    .refine((text) => text.startsWith("https:") || isLoopback(text), "must be https, but for this machine")
    .default("https://login.microsoftonline.com/common/v2.0"),
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
  /** Asked for an administrator's roles when the ID token does not contain them. */
  GRAPH_URL: url.default("https://graph.microsoft.com/v1.0"),
  GRAPH_SCOPE: z.string().min(1).default("https://graph.microsoft.com/Directory.Read.All"),
  /** Name servers that must agree on the DNS record that proves a domain: `address` or `address:port`. */
  DNS_SERVERS: commaList(z.string().min(3)).default(["1.1.1.1", "8.8.8.8"]),

  GST_API_URL: url.default("https://api.cashfree.com"),
  GST_CLIENT_ID: z.string().min(1),
  GST_CLIENT_SECRET: z.string().min(1),

  /** The seller's name, as invoices must state it (Rule 46 of the GST rules). */
  SELLER_NAME: z.string().trim().min(1),
  /** Lines are separated by semicolons. */
  SELLER_ADDRESS: z.string().trim().min(1),
  SELLER_GSTIN: z
    .string()
    .trim()
    .refine((text) => (parseGstin(text)?.state ?? null) !== null, "must be a GSTIN of an Indian state"),
  /** The service accounting code of the services sold. */
  SELLER_SAC: z
    .string()
    .regex(/^\d{4,8}$/, "must be 4 to 8 digits")
    .default("997331"),
  SELLER_SIGNATORY: z.string().trim().min(1).default("Authorised signatory"),

  /** Where a brio customer signs in with the mailed access code. */
  BRIO_URL: url.default("https://brio.example/start"),

  SMTP_URL: z.string().regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// URL"),
  MAIL_FROM: z.string().min(3),
  /** The operator's address for alerts about orders that need a person. */
  OPERATOR_EMAIL: z.email(),

  PROVIDER_TIMEOUT_MS: milliseconds(20_000),
  /** The first retry delay of a failed provider call. It doubles with every attempt, up to an hour. */
  RETRY_BASE_MS: milliseconds(5_000),
  FULFILMENT_ATTEMPTS: z.coerce.number().int().min(1).max(50).default(12),
  /** How often the partner approval of a waiting order is polled (docs/specification.md, section 4.5). */
  INVITATION_POLL_MS: milliseconds(5_000),
  INVITATION_TIMEOUT_MS: milliseconds(600_000),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(50).default(4),
  WORKER_POLL_MS: milliseconds(1_000),
  /** A worker without a heartbeat for six intervals is presumed dead, and its jobs go to another. */
  HEARTBEAT_MS: milliseconds(5_000),
});

export type Env = z.infer<typeof schema>;

/**
 * @throws Error naming every variable that is missing or malformed, never its value
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const parsed = schema.safeParse({
    ...source,
    SESSION_SECRETS: listed(source, "SESSION_SECRET"),
    ENCRYPTION_KEYS: listed(source, "ENCRYPTION_KEY"),
  });
  const problems = parsed.success ? [] : parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`);
  if (parsed.success && parsed.data.NODE_ENV === "production" && !isLoopback(parsed.data.PUBLIC_URL)) {
    if (!parsed.data.PUBLIC_URL.startsWith("https:"))
      problems.push("PUBLIC_URL: must be https in production");
    if (!parsed.data.OUTLOOK_ISSUER.startsWith("https:"))
      problems.push("OUTLOOK_ISSUER: must be https in production");
    for (const [name, value] of Object.entries(source)) {
      if (
        publishedSecrets.some((secret) => value?.includes(secret)) &&
        (name in schema.shape || `${name}S` in schema.shape)
      )
        problems.push(`${name}: is a published example value`);
    }
  }
  if (!parsed.success || problems.length > 0) {
    throw new Error(`The environment is not complete:\n${problems.map((line) => `  ${line}`).join("\n")}`);
  }
  return parsed.data;
}

/** Every setting with its default as written in the environment, or null when it is required. */
export function listSettings(): { name: string; fallback: string | null }[] {
  return Object.entries(schema.shape).map(([name, type]) => {
    const fallback = fallbackOf(type);
    return { name, fallback: fallback === undefined ? null : String(fallback) };
  });
}

function fallbackOf(type: z.core.$ZodType): unknown {
  if (type instanceof z.ZodDefault) return type.def.defaultValue;
  return type instanceof z.ZodPipe ? fallbackOf(type.def.in) : undefined;
}

/**
 * The values of a singular name, or of its plural separated by spaces or line breaks. Undefined when neither or both are set.
 */
function listed(source: Record<string, string | undefined>, name: string): string[] | undefined {
  const one = source[name];
  const several = source[`${name}S`];
  if (one !== undefined && several !== undefined) return undefined;
  return one === undefined ? several?.split(/\s+/).filter((part) => part !== "") : [one];
}
