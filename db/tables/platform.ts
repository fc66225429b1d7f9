/** What the product needs to run: mail to send, rate limits, audit, providers' rotating secrets, workers' heartbeats. */
import type { Generated, Selectable } from "kysely";
import type { MailId, OrderId, UserId } from "../ids.ts";
import type { MailKind } from "./enums.ts";
import type { Json } from "./orders.ts";

export interface MailsTable {
  id: MailId;
  kind: MailKind;
  /** Makes a mail that must go out once go out once, whoever asks for it. */
  dedupe_key: string;
  recipient: string;
  user_id: UserId | null;
  order_id: OrderId | null;
  /** Facts for the text; never a token: links are minted while sending. */
  data: Json;
  created_at: Generated<Date>;
  sent_at: Date | null;
  /** When the recipient's server refused it for good: it is not tried again. */
  refused_at: Generated<Date | null>;
  last_error: string | null;
}
export type MailRow = Selectable<MailsTable>;

export interface RateLimitsTable {
  key: string;
  window_start: Date;
  count: number;
}

export interface AuditLogTable {
  id: Generated<number>;
  at: Generated<Date>;
  user_id: UserId | null;
  action: string;
  subject: string;
  data: Json;
}

export interface ProviderSecretsTable {
  provider: string;
  secret_ciphertext: string;
  updated_at: Generated<Date>;
}

export interface WorkerHeartbeatsTable {
  worker_id: string;
  seen_at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  /** SHA-256 of who asks, the path and the key. */
  key_hash: string;
  body_hash: string;
  /** The run that works on it: one that was taken for dead and comes back finds another's here. */
  claim: string;
  /** Null while it runs. */
  status: number | null;
  /** A reply may hold a session's token, so it is kept encrypted. */
  reply_ciphertext: string | null;
  started_at: Date;
  expires_at: Date;
}
export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>;
