/**
 * The environment of a store that uses the sandbox for all outside systems: every variable server/platform/env.ts reads, in one place.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { issueCertificate } from "#sandbox/vendors/certificates.ts";
import type { Partner, RazorpayAccount } from "#sandbox/vendors/options.ts";
import type { StartOptions } from "#sandbox/vendors/start.ts";
import { sandboxAuthority } from "#sandbox/vendors/vendor-webhooks.ts";
import type { RegistrationSettings } from "#server/billing/documents/registration-queue.ts";
import type { Sellers } from "#server/billing/documents/supplier.ts";
import { standardEndorsements } from "#server/foundation/countries/endorsements.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { exampleSeller } from "#server/foundation/example-values.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviders, perIdentityProvider } from "#server/integrations/identity-providers/registry.ts";
import { readPartnerAccounts, readRazorpayAccounts } from "#server/platform/settings/accounts.ts";
import { paymentSettingsOf, standardMethods } from "#server/platform/settings/payments.ts";
import { readSellers } from "#server/platform/settings/sellers.ts";
import { exchangeRates } from "#server/platform/settings/value-schemas.ts";

/** The reseller's account at the sandbox's Google, of which the demo company is a customer. */
export const sandboxGoogleAccount = "sandbox-reseller";

/** Vendors' delays are a twentieth of the real ones: a new Microsoft tenant takes two seconds instead of 45. */
export const sandboxDelayScale = 0.05;

/** No settings for registering documents: the demo's past documents were issued long ago. */
export const sandboxSellers: Sellers & RegistrationSettings = {
  eInvoiceAccounts: new Map(),
  sellers: readSellers(exampleSeller).accounts,
  SELLER_SAC: exampleSeller.SELLER_SAC,
  EXPORT_RATES: exchangeRates.parse(exampleSeller.EXPORT_RATES),
  ...standardEndorsements,
};

const base64Key = () => randomBytes(32).toString("base64");
const secretsSchema = z.object({
  SESSION_SECRET: z.string(),
  ENCRYPTION_KEY: z.string(),
  RAZORPAY_KEY_SECRET_IN: z.string(),
  RAZORPAY_KEY_SECRET_US: z.string(),
  RAZORPAY_WEBHOOK_SECRET_IN: z.string(),
  RAZORPAY_WEBHOOK_SECRET_US: z.string(),
  PARTNER_CLIENT_SECRET_IN: z.string(),
  PARTNER_CLIENT_SECRET_US: z.string(),
  GST_CLIENT_SECRET: z.string(),
  EINVOICE_PASSWORD_IN: z.string(),
  EINVOICE_KEY_IN: z.string(),
  OUTLOOK_CLIENT_SECRET: z.string(),
  GOOGLE_SIGN_IN_CLIENT_SECRET: z.string(),
  GOOGLE_PRIVATE_KEY: z.string(),
  /** Private key of the authority that the store trusts for Partner Center's webhooks. */
  SANDBOX_AUTHORITY_KEY: z.string(),
});
export type SandboxSecrets = z.infer<typeof secretsSchema>;

export interface SandboxLocations {
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
    RAZORPAY_KEY_SECRET_IN: base64Key(),
    RAZORPAY_KEY_SECRET_US: base64Key(),
    RAZORPAY_WEBHOOK_SECRET_IN: base64Key(),
    RAZORPAY_WEBHOOK_SECRET_US: base64Key(),
    PARTNER_CLIENT_SECRET_IN: base64Key(),
    PARTNER_CLIENT_SECRET_US: base64Key(),
    GST_CLIENT_SECRET: base64Key(),
    EINVOICE_PASSWORD_IN: base64Key(),
    EINVOICE_KEY_IN: base64Key(),
    OUTLOOK_CLIENT_SECRET: base64Key(),
    GOOGLE_SIGN_IN_CLIENT_SECRET: base64Key(),
    GOOGLE_PRIVATE_KEY: generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    }).privateKey,
    SANDBOX_AUTHORITY_KEY: generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    }).privateKey,
  };
}

/** The secrets of this data folder, created on the first start, so that sessions and encrypted rows survive a restart. */
export function loadOrCreateSecrets(dataDir: string): SandboxSecrets {
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

const yearMs = 365 * 86_400_000;

/** The certificate of the authority with this key. Each call creates a new one, which is equally valid. */
function authorityCertificate(keyInPem: string): string {
  const privateKey = createPrivateKey(keyInPem);
  return issueCertificate({
    subject: sandboxAuthority,
    publicKey: createPublicKey(privateKey),
    issuer: { ...sandboxAuthority, privateKey },
    isAuthority: true,
    from: new Date(Date.now() - yearMs),
    to: new Date(Date.now() + 10 * yearMs),
  });
}

/** The store's partner accounts, for which the sandbox simulates Microsoft. */
export function sandboxPartners(env: Readonly<Record<string, string | undefined>>): Partner[] {
  return [...readPartnerAccounts(env).accounts].map(([country, account]) => ({ country, ...account }));
}

/** The store's accounts at Razorpay, which the sandbox simulates. */
export function sandboxRazorpay(env: Readonly<Record<string, string | undefined>>): RazorpayAccount[] {
  return [...readRazorpayAccounts(env).accounts].flatMap(([country, account]) =>
    country === null ? [] : [{ country, ...account }],
  );
}

/**
 * The store as it is registered at the sandbox's identity providers.
 * @param publicUrl the store's address, to which browsers are redirected
 */
export function sandboxIdentityProviders(
  env: Readonly<Record<string, string | undefined>>,
  publicUrl: string,
): StartOptions["identityProviders"] {
  const at = (path: string) => new URL(path, publicUrl).href;
  return perIdentityProvider((id) => {
    const { settings, paths: ours } = identityProviders[id];
    return {
      clientId: env[settings.clientId] || `sandbox-${id}-client`,
      clientSecret: env[settings.clientSecret] || `sandbox-${id}-secret`,
      // Administrators sign in with the app that is registered for Outlook.
      redirectUris: [ours.callback(), ...(id === "outlook" ? [paths.administratorCallback()] : [])].map(at),
    };
  });
}

/** Environment of the store's web and worker processes, and of the sandbox itself. */
export function sandboxEnvironment(places: SandboxLocations): Record<string, string> {
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

    RAZORPAY_KEY_ID_IN: "rzp_test_sandbox_in",
    RAZORPAY_KEY_ID_US: "rzp_test_sandbox_us",
    RAZORPAY_API_URL: `${sandbox}/razorpay/v1`,
    RAZORPAY_CHECKOUT_SCRIPT_URL: `${sandbox}/razorpay/v1/checkout.js`,
    RAZORPAY_SCRIPT_SOURCES: `${sandbox} ${sandboxCdn}`,
    RAZORPAY_CONNECT_SOURCES: sandboxCdn,
    RAZORPAY_FRAME_SOURCES: sandbox,
    RAZORPAY_IMAGE_SOURCES: sandboxCdn,
    RAZORPAY_FORM_SOURCES: sandbox,
    [paymentSettingsOf(standardCountry).methods]: `${standardMethods},link,transfer`,

    PARTNER_CENTER_URL: `${sandbox}/partner-center`,
    PARTNER_PRICES_URL: `${sandbox}/partner-prices`,
    MICROSOFT_LOGIN_URL: `${sandbox}/microsoft-login`,
    PARTNER_TENANT_IN: "partner-in.sandbox.example",
    PARTNER_CLIENT_ID_IN: "sandbox-partner-client-in",
    PARTNER_TENANT_US: "partner-us.sandbox.example",
    PARTNER_CLIENT_ID_US: "sandbox-partner-client-us",
    PARTNER_ADMIN_ROLE: "Company Administrator",

    PARTNER_NOTICE_CERTIFICATE_HOSTS: `127.0.0.1:${places.sandboxPort}`,
    PARTNER_NOTICE_AUTHORITIES: authorityCertificate(places.secrets.SANDBOX_AUTHORITY_KEY),

    GOOGLE_CHANNEL_URL: `${sandbox}/google-channel`,
    GOOGLE_DIRECTORY_URL: `${sandbox}/google-directory`,
    GOOGLE_TOKEN_URL: `${sandbox}/google-token/token`,
    GOOGLE_ACCOUNT_ID: sandboxGoogleAccount,
    GOOGLE_SERVICE_ACCOUNT_EMAIL: "store@sandbox.example.com",
    GOOGLE_RESELLER_ADMIN: "admin@reseller.example.com",
    GOOGLE_PUSH_EMAIL: "push@sandbox.example.com",
    GOOGLE_CERTS_URL: `${sandbox}/google-certs`,

    GST_API_URL: `${sandbox}/gst`,
    GST_CLIENT_ID: "sandbox-gst-client",
    EINVOICE_URL_IN: `${sandbox}/gsp`,
    EINVOICE_USER_IN: "sandbox-gsp-user",

    OUTLOOK_ISSUER: `${sandbox}/microsoft-login/common/v2.0`,
    OUTLOOK_CLIENT_ID: "sandbox-outlook-client",
    GOOGLE_SIGN_IN_ISSUER: `${sandbox}/google-login`,
    GOOGLE_SIGN_IN_CLIENT_ID: "sandbox-google-client",
    GRAPH_URL: `${sandbox}/microsoft-graph/v1.0`,
    // The sandbox also acts as the name server. Both entries name it, because there is no other.
    DNS_SERVERS: `127.0.0.1:${places.sandboxPort},127.0.0.1:${places.sandboxPort}`,

    ...exampleSeller,

    BRIO_URL: `${sandbox}/brio`,

    DESK_SECOND_FACTOR: "optional",

    SMTP_URL: `smtp://127.0.0.1:${places.smtpPort}`,
    MAIL_FROM: "Hubs <store@example.com>",
    OPERATOR_EMAIL: "operator@example.com",

    TRUSTED_PROXIES: "0",
    WORKER_POLL_MS: "500",
    HEARTBEAT_MS: "2000",
  };
}
