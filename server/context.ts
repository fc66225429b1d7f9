/**
 * What a running process holds: its settings, database, log and provider clients. Built once in each process's entry point.
 */
import type pg from "pg";
import { createDb, createPool } from "#db/client.ts";
import { readProviderSecret, storeProviderSecret } from "#db/provider-secrets.ts";
import type { Db } from "#db/tables/index.ts";
import type { Env } from "./env.ts";
import { createLog, type Log } from "./log.ts";
import { createDns, type Dns } from "./providers/dns.ts";
import { createEntra, type Entra } from "./providers/entra.ts";
import { createGoogle, type Google } from "./providers/google.ts";
import { createGst, type Gst } from "./providers/gst.ts";
import { createOutlook, type Outlook } from "./providers/outlook.ts";
import { createPartnerCenter, type PartnerCenter } from "./providers/partner-center.ts";
import { createRazorpay, type Razorpay } from "./providers/razorpay.ts";
import { createMailTransport, type MailTransport } from "./providers/smtp.ts";
import { decrypt, type EncryptionKeys, encrypt } from "./security/cipher.ts";

export interface Context {
  env: Env;
  log: Log;
  pool: pg.Pool;
  db: Db;
  /** Resolves when the database answers. It has a connection of its own, so a busy pool does not delay it. */
  ping(): Promise<void>;
  /** Encrypts credentials and provider secrets at rest. */
  encryptionKeys: EncryptionKeys;
  partnerCenter: PartnerCenter;
  google: Google;
  razorpay: Razorpay;
  gst: Gst;
  outlook: Outlook;
  entra: Entra;
  dns: Dns;
  mail: MailTransport;
}

/** Short enough for a load balancer's health check. */
const pingMs = 2_000;

/**
 * @param name the process's name in its log lines
 * @param options.answersRequests limits statements and waits, because no client waits for an answer forever
 */
export function createContext(
  env: Env,
  name: string,
  { answersRequests = false }: { answersRequests?: boolean } = {},
): Context {
  const log = createLog(env.LOG_LEVEL, name);
  const onLost = (error: Error) => log.warn({ reason: error.message }, "a database connection was lost");
  const pool = createPool(env.DATABASE_URL, env.DATABASE_POOL_SIZE, onLost, {
    idleInTransactionMs: env.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
    ...(answersRequests && {
      statementMs: env.DATABASE_STATEMENT_TIMEOUT_MS,
      lockMs: env.DATABASE_LOCK_TIMEOUT_MS,
      acquireMs: env.DATABASE_ACQUIRE_TIMEOUT_MS,
    }),
  });
  const pingPool = createPool(env.DATABASE_URL, 1, onLost, { statementMs: pingMs, acquireMs: pingMs });
  const db = createDb(pool);
  const encryptionKeys = env.ENCRYPTION_KEYS;
  const timeoutMs = env.PROVIDER_TIMEOUT_MS;
  const onCall = (call: object) => log.info({ call }, "provider call");

  return {
    env,
    log,
    pool,
    db,
    async ping() {
      await pingPool.query("select 1");
    },
    encryptionKeys,
    partnerCenter: createPartnerCenter({
      apiUrl: env.PARTNER_CENTER_URL,
      loginUrl: env.MICROSOFT_LOGIN_URL,
      partnerTenant: env.PARTNER_TENANT,
      clientId: env.PARTNER_CLIENT_ID,
      clientSecret: env.PARTNER_CLIENT_SECRET,
      adminRoleName: env.PARTNER_ADMIN_ROLE,
      timeoutMs,
      tokens: {
        async readRefreshToken() {
          const ciphertext = await readProviderSecret(db, "partner-center");
          return ciphertext === null ? null : decrypt(encryptionKeys, ciphertext, "partner-center");
        },
        storeRefreshToken: (token) =>
          storeProviderSecret(db, "partner-center", encrypt(encryptionKeys, token, "partner-center")),
      },
      onCall,
    }),
    google: createGoogle({
      channelUrl: env.GOOGLE_CHANNEL_URL,
      directoryUrl: env.GOOGLE_DIRECTORY_URL,
      tokenUrl: env.GOOGLE_TOKEN_URL,
      accountId: env.GOOGLE_ACCOUNT_ID,
      serviceAccountEmail: env.GOOGLE_SERVICE_ACCOUNT_EMAIL,
      privateKey: env.GOOGLE_PRIVATE_KEY,
      resellerAdmin: env.GOOGLE_RESELLER_ADMIN,
      timeoutMs,
      onCall,
    }),
    razorpay: createRazorpay({
      keyId: env.RAZORPAY_KEY_ID,
      keySecret: env.RAZORPAY_KEY_SECRET,
      webhookSecret: env.RAZORPAY_WEBHOOK_SECRET,
      apiUrl: env.RAZORPAY_API_URL,
      timeoutMs,
      onCall,
    }),
    gst: createGst({
      apiUrl: env.GST_API_URL,
      clientId: env.GST_CLIENT_ID,
      clientSecret: env.GST_CLIENT_SECRET,
      timeoutMs,
      onCall,
    }),
    outlook: createOutlook({
      issuer: env.OUTLOOK_ISSUER,
      clientId: env.OUTLOOK_CLIENT_ID,
      clientSecret: env.OUTLOOK_CLIENT_SECRET,
      timeoutMs,
      onCall,
    }),
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
    mail: createMailTransport({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM }),
  };
}
