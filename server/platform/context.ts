/**
 * The dependencies of a running process: settings, database, log and provider clients. Each process's entry point builds it once.
 */
import type pg from "pg";
import { consentKey, findConsent, replaceToken } from "#db/catalogue/partner-consents.ts";
import { createDb, createPool, createReadOnlyDb } from "#db/client.ts";
import { insertProviderCalls } from "#db/platform/provider-calls.ts";
import { recordRateLimited } from "#db/platform/provider-health.ts";
import { blockCalls, reserveCallSlot, type ThrottleRate } from "#db/platform/provider-throttle.ts";
import type { Country, IdentityProviderId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { createLog, type Log } from "#server/foundation/log.ts";
import { decrypt, type EncryptionKeys, encrypt } from "#server/foundation/security/cipher.ts";
import { type CallRecorder, createCallRecorder } from "#server/integrations/call-recorder.ts";
import { createDns, type Dns } from "#server/integrations/dns.ts";
import { createEInvoices, type EInvoices, noEInvoiceAccount } from "#server/integrations/e-invoices.ts";
import { createEntra, type Entra } from "#server/integrations/entra.ts";
import { createGoogle, type Google } from "#server/integrations/google.ts";
import { createGst, type Gst } from "#server/integrations/gst.ts";
import { createIdentityClient, type IdentityClient } from "#server/integrations/identity-providers/client.ts";
import { countProviderCall } from "#server/integrations/metrics/provider-calls.ts";
import { createPartnerCenter, noAccount, type PartnerCenter } from "#server/integrations/partner-center.ts";
import { createRazorpay, noRazorpayAccount, type Razorpay } from "#server/integrations/razorpay.ts";
import type { ProviderCall } from "#server/integrations/response.ts";
import { createMailTransport, type MailTransport } from "#server/integrations/smtp.ts";
import type { Env } from "./env.ts";

export interface Context {
  env: Env;
  log: Log;
  pool: pg.Pool;
  db: Db;
  /** Read-only connection: PostgreSQL refuses every write. */
  readOnlyDb: Db;
  /** Single connection for the health check, with short limits, so that a busy pool does not delay it. */
  healthDb: Db;
  /** Encrypts credentials and provider secrets at rest. */
  encryptionKeys: EncryptionKeys;
  /**
   * Returns the Partner Center client of a country's account; Microsoft lets a partner sell in its own country only.
   * @throws ProviderError (refused, `no_account`) for a country without an account
   */
  partnerCenterOf(country: Country): PartnerCenter;
  google: Google;
  /**
   * Returns the Razorpay client of the account that an order or a payment belongs to.
   * @throws ProviderError (refused, `no_account`) when the account is not set
   */
  razorpayOf(account: PaymentAccount): Razorpay;
  gst: Gst;
  /**
   * Returns the client that registers a country's documents.
   * @throws ProviderError (refused, `no_account`) for a country without an account
   */
  eInvoicesOf(country: Country): EInvoices;
  /** Clients of the configured identity providers, in the order of their buttons. */
  identityClients: ReadonlyMap<IdentityProviderId, IdentityClient>;
  entra: Entra;
  dns: Dns;
  mail: MailTransport;
  /** Records the provider calls that are made for orders. */
  calls: CallRecorder;
}

/** Short enough for a load balancer's health check. */
const pingMs = 2_000;
const tooManyRequests = 429;
/** Longest wait for a call's turn under a vendor's rate limit: while a person waits for the response, and in all other cases. */
const turnForPersonMs = 5_000;
const turnMs = 30_000;
/** Extra time for a statement's response beyond the statement's own limit. */
const networkMs = 5_000;

/**
 * @param name the process's name in its log lines
 * @param options.answersRequests whether to limit statements and waits, because no client waits forever
 */
export function createContext(
  env: Env,
  name: string,
  { answersRequests = false }: { answersRequests?: boolean } = {},
): Context {
  const log = createLog(env.LOG_LEVEL, name);
  const onLost = (error: Error) => log.warn({ reason: error.message }, "a database connection was lost");
  const limits = {
    idleInTransactionMs: env.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
    ...(answersRequests && {
      statementMs: env.DATABASE_STATEMENT_TIMEOUT_MS,
      lockMs: env.DATABASE_LOCK_TIMEOUT_MS,
      acquireMs: env.DATABASE_ACQUIRE_TIMEOUT_MS,
    }),
  };
  const pingLimits = { statementMs: pingMs, acquireMs: pingMs };
  const { DATABASE_URL: url, DATABASE_POOLER: pooler } = env;
  const pool = createPool(url, env.DATABASE_POOL_SIZE, onLost, limits, pooler);
  const pingPool = createPool(url, 1, onLost, pingLimits, pooler);
  const db = createDb(
    pool,
    answersRequests ? { answerMs: env.DATABASE_STATEMENT_TIMEOUT_MS + networkMs } : {},
  );
  const encryptionKeys = env.ENCRYPTION_KEYS;
  const timeoutMs = env.PROVIDER_TIMEOUT_MS;
  const calls = createCallRecorder(
    (made) => insertProviderCalls(db, made),
    (count, error) => log.warn({ err: error, count }, "calls to providers are missing in orders' stories"),
  );
  const onCall = (made: ProviderCall) => {
    const { answer: _, ...call } = made;
    log.info({ call }, "provider call");
    countProviderCall(call);
    calls.take(made);
    if (call.status === tooManyRequests) {
      recordRateLimited(db, call.provider).catch((error: unknown) =>
        log.warn({ err: error, provider: call.provider }, "a rate limit that was met is not counted"),
      );
    }
  };

  const bookings = {
    book: (at: string, spacing: ThrottleRate, maxMs: number) => reserveCallSlot(db, at, spacing, maxMs),
    hold: (at: string, ms: number) => blockCalls(db, at, ms),
  };
  const maxMs = answersRequests ? turnForPersonMs : turnMs;
  const quotaOf = (callsPerMinute: number, account?: string) =>
    callsPerMinute === 0
      ? undefined
      : { bookings, callsPerMinute, maxMs, ...(account !== undefined && { account }) };

  // One client per account for the lifetime of the process, because it caches the access token.
  const partnerCenters = new Map(
    [...env.partnerAccounts].map(([country, account]) => {
      const consentOf = () => findConsent(db, { country, tenant: account.tenant });
      const open = (sealed: string) => decrypt(encryptionKeys, sealed, consentKey(country));
      const partnerCenter = createPartnerCenter({
        apiUrl: env.PARTNER_CENTER_URL,
        pricesUrl: env.PARTNER_PRICES_URL,
        graphUrl: env.GRAPH_URL,
        loginUrl: env.MICROSOFT_LOGIN_URL,
        partnerTenant: account.tenant,
        clientId: account.clientId,
        clientSecret: account.clientSecret,
        adminRoleName: env.PARTNER_ADMIN_ROLE,
        timeoutMs,
        consent: {
          async readRefreshToken() {
            const consent = await consentOf();
            return consent === null ? null : open(consent.sealedToken);
          },
          async replaceRefreshToken(used, newer) {
            const consent = await consentOf();
            if (consent === null || open(consent.sealedToken) !== used) return;
            const sealedToken = encrypt(encryptionKeys, newer, consentKey(country));
            await replaceToken(db, consent, { sealedToken, usedAt: new Date() });
          },
        },
        onCall,
        quota: quotaOf(env.MICROSOFT_CALLS_PER_MINUTE, country),
      });
      return [country, partnerCenter] as const;
    }),
  );

  const razorpays = new Map(
    [...env.razorpayAccounts].map(([account, keys]) => [
      account,
      createRazorpay({ ...keys, apiUrl: env.RAZORPAY_API_URL, timeoutMs, onCall }),
    ]),
  );

  return {
    env,
    log,
    pool,
    db,
    readOnlyDb: createReadOnlyDb(pool),
    healthDb: createDb(pingPool),
    encryptionKeys,
    partnerCenterOf(country) {
      const partnerCenter = partnerCenters.get(country);
      if (partnerCenter !== undefined) return partnerCenter;
      throw noAccount(country);
    },
    google: createGoogle({
      channelUrl: env.GOOGLE_CHANNEL_URL,
      directoryUrl: env.GOOGLE_DIRECTORY_URL,
      tokenUrl: env.GOOGLE_TOKEN_URL,
      accountId: env.GOOGLE_ACCOUNT_ID,
      serviceAccountEmail: env.GOOGLE_SERVICE_ACCOUNT_EMAIL,
      privateKey: env.GOOGLE_PRIVATE_KEY,
      resellerAdmin: env.GOOGLE_RESELLER_ADMIN,
      billReport: env.GOOGLE_BILL_REPORT,
      timeoutMs,
      onCall,
      quota: quotaOf(env.GOOGLE_CALLS_PER_MINUTE),
    }),
    razorpayOf(account) {
      const razorpay = razorpays.get(account);
      if (razorpay !== undefined) return razorpay;
      throw noRazorpayAccount(account);
    },
    gst: createGst({
      apiUrl: env.GST_API_URL,
      clientId: env.GST_CLIENT_ID,
      clientSecret: env.GST_CLIENT_SECRET,
      publicKey: env.GST_PUBLIC_KEY === "" ? null : env.GST_PUBLIC_KEY,
      timeoutMs,
      onCall,
    }),
    eInvoicesOf(country) {
      const account = env.eInvoiceAccounts.get(country);
      if (account === undefined) throw noEInvoiceAccount(country);
      const { EINVOICE_KEY_HEADER: keyHeader, EINVOICE_CANCEL_KEYS: cancelKeys } = env;
      return createEInvoices({ ...account, keyHeader, cancelKeys, timeoutMs, onCall });
    },
    identityClients: new Map(
      [...env.identityAccounts].map(([id, account]) => [
        id,
        createIdentityClient(id, { ...account, timeoutMs, onCall }),
      ]),
    ),
    entra: createEntra({
      loginUrl: env.MICROSOFT_LOGIN_URL,
      clientId: env.OUTLOOK_CLIENT_ID,
      clientSecret: env.OUTLOOK_CLIENT_SECRET,
      graphUrl: env.GRAPH_URL,
      graphScope: env.GRAPH_SCOPE,
      timeoutMs,
      onCall,
    }),
    dns: createDns({ servers: env.DNS_SERVERS, timeoutMs, onCall }),
    mail: createMailTransport({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM, onCall: countProviderCall }),
    calls,
  };
}
