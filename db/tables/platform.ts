/** Tables for operation: mail to send, rate limits, audit, providers' rotating secrets, workers' heartbeats, cron jobs, signs of providers. */
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
  /** Facts for the text, never a token: links are created while sending. */
  data: Json;
  created_at: Generated<Date>;
  sent_at: Date | null;
  /** When the recipient's server refused it for good: at once, or after it was sent. It is not retried. */
  refused_at: Generated<Date | null>;
  /** Whether it was refused by us, because its address is suppressed. */
  withheld: Generated<boolean>;
  last_error: string | null;
}
export type MailRow = Selectable<MailsTable>;

/** An address that its server refused for good: nothing more is sent there. */
export interface MailSuppressionsTable {
  /** In lower case. */
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

/** Written by the version before this one only, until the release after it drops it. */
export interface RateLimitsTable {
  key: string;
  window_start: Date;
  count: number;
}

/** How far a provider's calls are booked ahead. */
export interface CallPacesTable {
  name: string;
  next_at: Date;
}

export interface AuditLogTable {
  id: Generated<number>;
  at: Generated<Date>;
  user_id: UserId | null;
  /** Who acted at the desk. */
  staff_id: Generated<StaffId | null>;
  action: string;
  subject: string;
  data: Json;
}

export interface ProviderSecretsTable {
  provider: string;
  secret_ciphertext: string;
  /** What the account was set to when the secret was given to it, and by whom. */
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

/** When each kind of webhook last came. */
export interface WebhookPulsesTable {
  /** A payment provider, or the family of a vendor. */
  source: string;
  /** In the source's words. */
  kind: string;
  last_at: Date;
}

/** How often on a day a provider answered that we ask too often. */
export interface ProviderLimitsTable {
  provider: string;
  /** By the clock of the world, "2026-11-25". */
  day: string;
  count: number;
  last_at: Date;
}

export interface IdempotencyKeysTable {
  /** SHA-256 of the caller, the path and the key. */
  key_hash: string;
  body_hash: string;
  /** The run that holds the key. A run presumed dead that comes back finds another claim here. */
  claim: string;
  /** Null while it runs. */
  status: number | null;
  /** Encrypted, because a reply may contain a session's token. */
  reply_ciphertext: string | null;
  started_at: Date;
  expires_at: Date;
}
export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>;
