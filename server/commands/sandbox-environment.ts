/**
 * The environment of a store that uses the sandbox for all outside systems: every variable server/env.ts reads, in one place.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** The reseller's account at the sandbox's Google, of which the demo company is a customer. */
export const sandboxGoogleAccount = "sandbox-reseller";

/** The seller in the sandbox: a fictitious company in Karnataka. */
export const sandboxSeller = {
  SELLER_NAME: "Hubs of Happiness Private Limited",
  SELLER_ADDRESS: "7th Floor, Prestige Terraces; 15 Residency Road; Bengaluru, Karnataka 560025; India",
  SELLER_GSTIN: "29AABCH9876K1ZR",
  SELLER_SAC: "997331",
  SELLER_SIGNATORY: "Meera Nair, Head of Finance",
} as const;

const base64Key = () => randomBytes(32).toString("base64");
const secretsSchema = z.object({
  SESSION_SECRET: z.string(),
  ENCRYPTION_KEY: z.string(),
  RAZORPAY_KEY_SECRET: z.string(),
  RAZORPAY_WEBHOOK_SECRET: z.string(),
  PARTNER_CLIENT_SECRET: z.string(),
  GST_CLIENT_SECRET: z.string(),
  OUTLOOK_CLIENT_SECRET: z.string(),
  GOOGLE_PRIVATE_KEY: z.string(),
});
export type SandboxSecrets = z.infer<typeof secretsSchema>;

export interface SandboxPlaces {
  port: number;
  sandboxPort: number;
  smtpPort: number;
  databaseUrl: string;
  dataDir: string;
  secrets: SandboxSecrets;
}

export function createSecrets(): SandboxSecrets {
  return {
    SESSION_SECRET: base64Key(),
    ENCRYPTION_KEY: base64Key(),
    RAZORPAY_KEY_SECRET: base64Key(),
    RAZORPAY_WEBHOOK_SECRET: base64Key(),
    PARTNER_CLIENT_SECRET: base64Key(),
    GST_CLIENT_SECRET: base64Key(),
    OUTLOOK_CLIENT_SECRET: base64Key(),
    GOOGLE_PRIVATE_KEY: generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    }).privateKey,
  };
}

/** The secrets of this data folder, created on the first start, so that sessions and encrypted rows survive a restart. */
export function keepSecrets(dataDir: string): SandboxSecrets {
  const file = path.join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${JSON.stringify(createSecrets(), null, 2)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
  const parsed = secretsSchema.safeParse(kept);
  if (parsed.success) return parsed.data;
  // Keeps the secrets of a file written by an older version, because rows are encrypted with them, and adds missing ones.
  const completed = secretsSchema.parse({
    ...createSecrets(),
    ...z.record(z.string(), z.string()).parse(kept),
  });
  writeFileSync(file, `${JSON.stringify(completed, null, 2)}\n`, { mode: 0o600 });
  return completed;
}

/** For the store's web and worker processes, and for the sandbox itself. */
export function sandboxEnvironment(places: SandboxPlaces): Record<string, string> {
  // The store is "localhost" and the sandbox "127.0.0.1", so that browsers treat them as two sites, as in production.
  const sandbox = `http://127.0.0.1:${places.sandboxPort}`;
  // Razorpay's scripts and metrics use separate hosts, which the content security policy must name too.
  const sandboxCdn = `http://localhost:${places.sandboxPort}`;
  return {
    NODE_ENV: "production",
    PORT: String(places.port),
    PUBLIC_URL: `http://localhost:${places.port}`,
    DATABASE_URL: places.databaseUrl,
    DATA_DIR: places.dataDir,
    SANDBOX_PORT: String(places.sandboxPort),
    SANDBOX_SMTP_PORT: String(places.smtpPort),
    ...places.secrets,

    RAZORPAY_KEY_ID: "rzp_test_sandbox",
    RAZORPAY_API_URL: `${sandbox}/razorpay/v1`,
    RAZORPAY_CHECKOUT_SCRIPT_URL: `${sandbox}/razorpay/v1/checkout.js`,
    RAZORPAY_SCRIPT_SOURCES: `${sandbox} ${sandboxCdn}`,
    RAZORPAY_CONNECT_SOURCES: sandboxCdn,
    RAZORPAY_FRAME_SOURCES: sandbox,
    RAZORPAY_IMAGE_SOURCES: sandboxCdn,
    RAZORPAY_FORM_SOURCES: sandbox,

    PARTNER_CENTER_URL: `${sandbox}/partner-center`,
    MICROSOFT_LOGIN_URL: `${sandbox}/microsoft-login`,
    PARTNER_TENANT: "sandbox-partner.example.com",
    PARTNER_CLIENT_ID: "sandbox-partner-client",
    PARTNER_ADMIN_ROLE: "Company Administrator",

    GOOGLE_CHANNEL_URL: `${sandbox}/google-channel`,
    GOOGLE_DIRECTORY_URL: `${sandbox}/google-directory`,
    GOOGLE_TOKEN_URL: `${sandbox}/google-token/token`,
    GOOGLE_ACCOUNT_ID: sandboxGoogleAccount,
    GOOGLE_SERVICE_ACCOUNT_EMAIL: "store@sandbox.example.com",
    GOOGLE_RESELLER_ADMIN: "admin@reseller.example.com",

    GST_API_URL: `${sandbox}/gst`,
    GST_CLIENT_ID: "sandbox-gst-client",

    OUTLOOK_ISSUER: `${sandbox}/microsoft-login/common/v2.0`,
    OUTLOOK_CLIENT_ID: "sandbox-outlook-client",
    GRAPH_URL: `${sandbox}/microsoft-graph/v1.0`,
    // The sandbox also acts as the name server. Both entries name it, because there is no other.
    DNS_SERVERS: `127.0.0.1:${places.sandboxPort},127.0.0.1:${places.sandboxPort}`,

    ...sandboxSeller,

    BRIO_URL: `${sandbox}/brio`,

    SMTP_URL: `smtp://127.0.0.1:${places.smtpPort}`,
    MAIL_FROM: "Hubs <store@example.com>",
    OPERATOR_EMAIL: "operator@example.com",

    TRUSTED_PROXIES: "0",
    WORKER_POLL_MS: "500",
    HEARTBEAT_MS: "2000",
  };
}
