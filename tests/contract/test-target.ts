/**
 * Target of a suite: a vendor's test environment when its credentials are given, else our sandbox. Credentials are the store's
 * own settings with names that begin with `CONTRACT_`, so that a store's environment is never used by mistake
 * (docs/contract-tests.md).
 */
import { afterAll } from "vitest";
import {
  createSecrets,
  sandboxEnvironment,
  sandboxIdentityProviders,
  sandboxPartners,
  sandboxRazorpay,
} from "#sandbox/local/environment.ts";
import { type RunningSandbox, startSandbox } from "#sandbox/vendors/start.ts";
import type { Vendor } from "./fixtures.ts";

export type Settings = Readonly<Record<string, string | undefined>>;

export interface Side {
  /** Text in the suite's title. */
  against: "our sandbox" | "the test environment";
  settings: Settings;
  /** Null in a vendor's test environment. */
  sandbox: RunningSandbox | null;
}

interface Rules {
  /** Settings of which all must be given, or none. */
  credentials: readonly string[];
  /** Default values. */
  usual: Settings;
  /** Why these must not be used: they belong to production. */
  refusal(given: Settings): string | null;
}

const prefix = "CONTRACT_";
const declared = { partnerCenter: "integration-sandbox", google: "test-account", gsp: "test-account" };

const rules: Readonly<Record<Vendor, Rules>> = {
  "partner-center": {
    credentials: [
      "PARTNER_CENTER",
      "PARTNER_TENANT_IN",
      "PARTNER_CLIENT_ID_IN",
      "PARTNER_CLIENT_SECRET_IN",
      "PARTNER_REFRESH_TOKEN_IN",
    ],
    usual: {
      PARTNER_CENTER_URL: "https://api.partnercenter.microsoft.com",
      PARTNER_PRICES_URL: "https://api.partner.microsoft.com",
      MICROSOFT_LOGIN_URL: "https://login.microsoftonline.com",
      GRAPH_URL: "https://graph.microsoft.com/v1.0",
    },
    // One API serves both: only the account's owner knows that it is the integration sandbox's.
    refusal: ({ PARTNER_CENTER }) =>
      PARTNER_CENTER === declared.partnerCenter
        ? null
        : `${prefix}PARTNER_CENTER has to be "${declared.partnerCenter}"`,
  },
  google: {
    credentials: [
      "GOOGLE",
      "GOOGLE_ACCOUNT_ID",
      "GOOGLE_SERVICE_ACCOUNT_EMAIL",
      "GOOGLE_PRIVATE_KEY",
      "GOOGLE_RESELLER_ADMIN",
    ],
    usual: {},
    refusal: ({ GOOGLE }) =>
      GOOGLE === declared.google ? null : `${prefix}GOOGLE has to be "${declared.google}"`,
  },
  razorpay: {
    credentials: ["RAZORPAY_KEY_ID_IN", "RAZORPAY_KEY_SECRET_IN"],
    usual: { RAZORPAY_API_URL: "https://api.razorpay.com/v1" },
    refusal: ({ RAZORPAY_KEY_ID_IN = "" }) =>
      RAZORPAY_KEY_ID_IN.startsWith("rzp_test_")
        ? null
        : `${prefix}RAZORPAY_KEY_ID_IN has to begin with rzp_test_`,
  },
  gst: {
    credentials: ["GST_CLIENT_ID", "GST_CLIENT_SECRET"],
    usual: { GST_API_URL: "https://sandbox.cashfree.com" },
    refusal: ({ GST_API_URL = "" }) =>
      new URL(GST_API_URL).host.startsWith("sandbox.")
        ? null
        : `${prefix}GST_API_URL has to be of a host that begins with "sandbox."`,
  },
  gsp: {
    credentials: [
      "EINVOICE",
      "EINVOICE_URL_IN",
      "EINVOICE_USER_IN",
      "EINVOICE_PASSWORD_IN",
      "EINVOICE_KEY_IN",
      "SELLER_GSTIN",
    ],
    usual: {},
    // Each provider has its own URLs: only the account's owner knows their environment.
    refusal: ({ EINVOICE }) =>
      EINVOICE === declared.gsp ? null : `${prefix}EINVOICE has to be "${declared.gsp}"`,
  },
};

/**
 * The settings of a vendor's test environment; null when none of its credentials is given.
 * @throws Error when some are missing, or when they belong to production
 */
export function readSettings(vendor: Vendor, environment: Settings): Settings | null {
  const { credentials, usual, refusal } = rules[vendor];
  const given: Record<string, string | undefined> = { ...usual };
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith(prefix) && value) given[name.slice(prefix.length)] = value;
  const missing = credentials.filter((name) => given[name] === undefined);
  if (missing.length === credentials.length) return null;
  if (missing.length > 0)
    throw new Error(`${vendor}: ${missing.map((name) => prefix + name).join(", ")} missing`);
  const same = credentials.find((name) => environment[name] && environment[name] === given[name]);
  const why = refusal(given) ?? (same === undefined ? null : `${prefix}${same} is the store's own ${same}`);
  if (why !== null) throw new Error(`${vendor}: not run, since ${why}`);
  return given;
}

/** Call at the top of a suite. Prints the target. */
export async function startSide(vendor: Vendor): Promise<Side> {
  const settings = readSettings(vendor, process.env);
  const side: Side =
    settings === null ? await sandboxSide() : { against: "the test environment", settings, sandbox: null };
  process.stdout.write(`contract of ${vendor}: against ${side.against}\n`);
  return side;
}

async function sandboxSide(): Promise<Side> {
  const secrets = createSecrets();
  const places = { port: 3000, smtpPort: 0, databaseUrl: "", dataDir: "", secrets };
  const before = sandboxEnvironment({ ...places, sandboxPort: 0 });
  const sandbox = await startSandbox({
    host: "127.0.0.1",
    port: 0,
    smtpPort: 0,
    dataFile: null,
    razorpay: sandboxRazorpay(before),
    identityProviders: sandboxIdentityProviders(before, "http://localhost:3000"),
    partners: sandboxPartners(before),
    log: () => undefined,
  });
  afterAll(() => sandbox.stop());
  const settings = sandboxEnvironment({ ...places, sandboxPort: sandbox.port });
  return { against: "our sandbox", settings, sandbox };
}

/** @throws Error for a missing setting */
export function setting({ settings }: Pick<Side, "settings">, name: string): string {
  const value = settings[name];
  if (value === undefined || value === "") throw new Error(`The contract tests lack ${name}`);
  return value;
}

/** Distinguishes the resources of one run from another's. */
export const runId = Date.now().toString(36);
export const timeoutMs = 30_000;
