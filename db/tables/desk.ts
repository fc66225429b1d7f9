/** Staff, their sign-in, and their claims of work items. */
import type { Generated } from "kysely";
import type { CustomerId, StaffId, StaffSessionId, StoreViewId, UserId } from "../ids.ts";
import type { StaffRole } from "./enums.ts";

export interface StaffRolesTable {
  id: StaffRole;
}

export interface StaffTable {
  id: StaffId;
  /** Lower case. */
  email: string;
  role: StaffRole;
  /** Null until it is set through a set-up link. */
  password_hash: string | null;
  /** Encrypted secret of the authenticator app; null without a second factor. */
  totp_ciphertext: string | null;
  /** Time step of the last accepted code: it and all earlier ones are refused. */
  totp_step: number | null;
  created_at: Generated<Date>;
  /** The row stays, because the audit log refers to it. */
  removed_at: Date | null;
}

export interface StaffSessionsTable {
  id: StaffSessionId;
  staff_id: StaffId;
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  /** User-Agent of the browser. */
  client: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  /** Time of the last second factor; null before the first one, while the session opens nothing yet. */
  verified_at: Date | null;
  ended_at: Date | null;
}

export interface StaffRecoveryCodesTable {
  staff_id: StaffId;
  /** SHA-256 of the code, hex. */
  hash: string;
  used_at: Date | null;
}

export interface StaffLinksTable {
  /** SHA-256 of the link's token, hex. */
  hash: string;
  staff_id: StaffId;
  /** Encrypted secret that the link's page shows for the authenticator app. */
  totp_ciphertext: string;
  expires_at: Date;
  used_at: Date | null;
}

/** Impersonation of one of a company's users. It ends with the Desk session that opened it. */
export interface StoreViewsTable {
  id: StoreViewId;
  staff_session_id: StaffSessionId;
  customer_id: CustomerId;
  user_id: UserId;
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}

/** Claims and dismissals of work items. An untouched item has no row. */
export interface WaitingItemsTable {
  kind: string;
  /** Key of the item within its kind, as db/desk/work-queue.ts makes it. */
  key: string;
  taken_by: StaffId | null;
  taken_at: Date | null;
  /** Time at which staff dismissed an item that never ends automatically, such as a refused mail. */
  done_at: Date | null;
}
