/** The second factor of buyers, and sign-ins that still wait for it. */
import type { UserId } from "../ids.ts";

export interface AuthenticatorAppsTable {
  user_id: UserId;
  /** The secret of the app, encrypted. */
  totp_ciphertext: string;
  /** The time step of the last code taken, so that none is taken twice. */
  totp_step: number;
  added_at: Date;
}

/** An app whose first code has not been shown yet. */
export interface AuthenticatorSetUpsTable {
  user_id: UserId;
  totp_ciphertext: string;
  expires_at: Date;
}

export interface RecoveryCodesTable {
  user_id: UserId;
  /** SHA-256 of the code, hex. */
  hash: string;
  used_at: Date | null;
}

/** A sign-in whose password, identity or link was right, and which waits for the second factor. */
export interface PendingSignInsTable {
  /** SHA-256 of the key in the browser's cookie, hex. */
  key_hash: string;
  user_id: UserId;
  expires_at: Date;
  used_at: Date | null;
}
