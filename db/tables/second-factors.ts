/** The second factor of buyers, and pending sign-ins. */
import type { UserId } from "../ids.ts";

export interface AuthenticatorAppsTable {
  user_id: UserId;
  /** Encrypted secret of the app. */
  totp_ciphertext: string;
  /** Time step of the last accepted code, so that none is accepted twice. */
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

export interface PasskeysTable {
  /** The credential's id, in base64url. */
  id: string;
  user_id: UserId;
  public_key: Buffer;
  /** Number of uses that the device reports; 0 if it does not count. */
  counter: number;
  /** Name that its owner chose. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** A challenge that a browser has not signed yet. */
export interface PasskeyChallengesTable {
  /** SHA-256 of the challenge, hex. */
  hash: string;
  /** User for whom a passkey is created; null for a sign-in. */
  user_id: UserId | null;
  expires_at: Date;
}

/** A sign-in whose password, identity or link was correct, and which waits for the second factor. */
export interface PendingSignInsTable {
  /** SHA-256 of the key in the browser's cookie, hex. */
  key_hash: string;
  user_id: UserId;
  expires_at: Date;
  used_at: Date | null;
}
