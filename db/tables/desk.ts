/** The people who run the store, how they sign in, and what they have taken on. */
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
  /** Null until it was chosen by a set-up link. */
  password_hash: string | null;
  /** The secret of the authenticator app, encrypted; null without a second factor. */
  totp_ciphertext: string | null;
  /** The time step of the last code that was taken: it and those before it are refused. */
  totp_step: number | null;
  created_at: Generated<Date>;
  /** The row stays, because the audit log names it. */
  removed_at: Date | null;
}

export interface StaffSessionsTable {
  id: StaffSessionId;
  staff_id: StaffId;
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  /** The browser, as it calls itself. */
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
  /** The secret that the link's page shows for the authenticator app, encrypted. */
  totp_ciphertext: string;
  expires_at: Date;
  used_at: Date | null;
}

/** A look at the store as one of a company's people. It ends with the session of the desk that opened it. */
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
  /** Time at which staff dismissed an item that never ends by itself, such as a refused mail. */
  done_at: Date | null;
}
