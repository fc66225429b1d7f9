/**
 * Tables for operation: mails, rate limits, audit log, providers' rotating secrets, workers' heartbeats, cron jobs, provider
 * health.
 */
import type { Generated, Selectable } from "kysely";
import type { MailId, OrderId, StaffId, UserId } from "../ids.ts";
import type { MailKind } from "./enums.ts";
import type { Json } from "./orders.ts";

export interface MailsTable {
  id: MailId;
  kind: MailKind;
  /** Deduplicates requests for a mail, so that it is sent only once. */
  dedupe_key: string;
  recipient: string;
  user_id: UserId | null;
  order_id: OrderId | null;
  /** Data for the text, never a token: links are created while sending. */
  data: Json;
  created_at: Generated<Date>;
  sent_at: Date | null;
  /** Time at which the recipient's server permanently refused it, immediately or later. It is not retried. */
  refused_at: Generated<Date | null>;
  /** Whether we refused to send it, because its address is suppressed. */
  withheld: Generated<boolean>;
  last_error: string | null;
}
export type MailRow = Selectable<MailsTable>;

/** An address that its server permanently refused; nothing more is sent there. */
export interface MailSuppressionsTable {
  /** Lower case. */
  email: string;
  /** The server's reply, by its codes. */
  reason: string;
  mail_id: MailId;
  since: Generated<Date>;
}

export interface RateLimitWindowsTable {
  key: string;
  started_at: Date;
  count: number;
}

/** Written only by the previous version, until the next release drops it. */
export interface RateLimitsTable {
  key: string;
  window_start: Date;
  count: number;
}

/** Reserved call slots of a provider. */
export interface CallPacesTable {
  name: string;
  next_at: Date;
}

export interface AuditLogTable {
  id: Generated<number>;
  at: Generated<Date>;
  user_id: UserId | null;
  /** Member of staff who acted in Desk. */
  staff_id: Generated<StaffId | null>;
  action: string;
  subject: string;
  data: Json;
}

export interface ProviderSecretsTable {
  provider: string;
  secret_ciphertext: string;
  /** Account setting at the time of the secret, and the user who gave it. */
  issued_for: Generated<string | null>;
  user_name: Generated<string | null>;
  has_mfa: Generated<boolean | null>;
  obtained_at: Generated<Date | null>;
  last_used_at: Generated<Date | null>;
  updated_at: Generated<Date>;
}

export interface WorkerHeartbeatsTable {
  worker_id: string;
  seen_at: Generated<Date>;
}

export interface ClockJobsTable {
  name: string;
  succeeded_at: Date;
}

/** Time of the last webhook of each kind. */
export interface WebhookPulsesTable {
  /** A payment provider, or the family of a vendor. */
  source: string;
  /** Kind in the source's terms. */
  kind: string;
  last_at: Date;
}

/** Number of rate-limited calls of a provider on a day. */
export interface ProviderLimitsTable {
  provider: string;
  /** Day in UTC, "2026-11-25". */
  day: string;
  count: number;
  last_at: Date;
}

export interface IdempotencyKeysTable {
  /** SHA-256 of the caller, the path and the key. */
  key_hash: string;
  body_hash: string;
  /** Run that holds the key. A run that was presumed dead and returns finds another claim here. */
  claim: string;
  /** Null while it runs. */
  status: number | null;
  /** Encrypted, because a response may contain a session's token. */
  reply_ciphertext: string | null;
  started_at: Date;
  expires_at: Date;
}
export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>;
