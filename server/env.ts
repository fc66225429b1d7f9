/** The only reader of process.env. Refuses to start with a list of everything that is missing or malformed. */
import { z } from "zod";
import { isLoopback } from "./security/network.ts";
import { parseGstin } from "./tax/gstin.ts";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ""));
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** Values that stand in a public README or a sandbox must never protect real customers. */
const publishedSecrets = ["change-me", "sandbox-secret", "rzp_test_sandbox"];

const schema = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  /** The origin buyers type, https in production; used in mails, callbacks and the same-origin check. */
  PUBLIC_URL: url,
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL"),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(10),
  /** How many proxies in front of the store may be believed about the client's address. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),

  /** Signs session tokens and the draft cookie. */
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters"),
  /** Encrypts credentials at rest: 32 bytes in base64. */
  ENCRYPTION_KEY: z
    .string()
    .refine((text) => Buffer.from(text, "base64").length === 32, "must be 32 bytes in base64"),

  RAZORPAY_KEY_ID: z.string().min(1),
  RAZORPAY_KEY_SECRET: z.string().min(1),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1),
  RAZORPAY_API_URL: url.default("https://api.razorpay.com/v1"),
  RAZORPAY_CHECKOUT_SCRIPT_URL: url.default("https://checkout.razorpay.com/v1/checkout.js"),

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
  /** The product our skus are sold under at Google. */
  GOOGLE_PRODUCT_ID: z.string().min(1).default("google-workspace"),
  GOOGLE_SERVICE_ACCOUNT_EMAIL: z.string().min(3),
  /** PEM; line breaks may be written as \\n. */
  GOOGLE_PRIVATE_KEY: z
    .string()
    .min(1)
    .transform((text) => text.replaceAll("\\n", "\n")),
  /** The reseller administrator on whose behalf the service account acts. */
  GOOGLE_RESELLER_ADMIN: z.string().min(3),

  /** Where customers sign in with Outlook; each tenant of Microsoft is an issuer of its own behind "common". */
  OUTLOOK_ISSUER: url
    .refine((text) => text.startsWith("https:") || isLoopback(text), "must be https, but for this machine")
    .default("https://login.microsoftonline.com/common/v2.0"),
  OUTLOOK_CLIENT_ID: z.string().min(1),
  OUTLOOK_CLIENT_SECRET: z.string().min(1),

  GST_API_URL: url.default("https://api.cashfree.com"),
  GST_CLIENT_ID: z.string().min(1),
  GST_CLIENT_SECRET: z.string().min(1),

  /** Who sells, as invoices must name them (Rule 46 of the GST rules). */
  SELLER_NAME: z.string().trim().min(1),
  /** Its lines are separated by semicolons. */
  SELLER_ADDRESS: z.string().trim().min(1),
  SELLER_GSTIN: z
    .string()
    .trim()
    .refine((text) => (parseGstin(text)?.state ?? null) !== null, "must be a GSTIN of an Indian state"),
  /** The service accounting code of what is sold. */
  SELLER_SAC: z
    .string()
    .regex(/^\d{4,8}$/, "must be 4 to 8 digits")
    .default("997331"),
  SELLER_SIGNATORY: z.string().trim().min(1).default("Authorised signatory"),

  /** Where a brio customer signs in with the access code that is mailed. */
  BRIO_URL: url.default("https://brio.example/start"),

  SMTP_URL: z.string().regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// URL"),
  MAIL_FROM: z.string().min(3),
  /** Where the store's operator reads about orders that need a person. */
  OPERATOR_EMAIL: z.email(),

  PROVIDER_TIMEOUT_MS: milliseconds(20_000),
  /** First wait before a failed provider call is tried again; doubles with every attempt up to an hour. */
  RETRY_BASE_MS: milliseconds(5_000),
  FULFILMENT_ATTEMPTS: z.coerce.number().int().min(1).max(50).default(12),
  /** How often partner approval is looked up for an order that waits for it (SPEC section 9). */
  INVITATION_POLL_MS: milliseconds(5_000),
  INVITATION_TIMEOUT_MS: milliseconds(600_000),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(50).default(4),
  WORKER_POLL_MS: milliseconds(1_000),
  /** A worker not heard of for six of these is taken for dead and its jobs are given to another. */
  HEARTBEAT_MS: milliseconds(5_000),
});

export type Env = z.infer<typeof schema>;

/**
 * @throws Error naming every variable that is missing or malformed, never its value
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const parsed = schema.safeParse(source);
  const problems = parsed.success ? [] : parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`);
  if (parsed.success && parsed.data.NODE_ENV === "production" && !isLoopback(parsed.data.PUBLIC_URL)) {
    if (!parsed.data.PUBLIC_URL.startsWith("https:"))
      problems.push("PUBLIC_URL: must be https in production");
    if (!parsed.data.OUTLOOK_ISSUER.startsWith("https:"))
      problems.push("OUTLOOK_ISSUER: must be https in production");
    for (const [name, value] of Object.entries(parsed.data)) {
      if (publishedSecrets.some((secret) => String(value).includes(secret))) {
        problems.push(`${name}: is a published example value`);
      }
    }
  }
  if (!parsed.success || problems.length > 0) {
    throw new Error(`The environment is not complete:\n${problems.map((line) => `  ${line}`).join("\n")}`);
  }
  return parsed.data;
}
