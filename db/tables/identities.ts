/** External identities, and identities whose email must be proven before they may sign in. */
import type { Generated, Selectable } from "kysely";
import type { IdentityProofId, UserId } from "../ids.ts";
import type { IdentityProofKind, IdentityProviderId } from "./enums.ts";

export interface IdentitiesTable {
  provider: IdentityProviderId;
  /** The provider's `iss` and `sub`. Together they are the only identifier that never passes to another person. */
  issuer: string;
  subject: string;
  user_id: UserId;
  /** Email that the provider reported when it was linked; only for display. */
  email: string | null;
  /** Proof that linked this identity to the account. */
  proof: IdentityProofKind;
  created_at: Generated<Date>;
}

export interface IdentityProofsTable {
  id: IdentityProofId;
  /** SHA-256 of the key in the browser's cookie, hex. */
  key_hash: string;
  provider: IdentityProviderId;
  issuer: string;
  subject: string;
  first_name: string;
  last_name: string;
  /** Address to prove, or null until the visitor has entered one. */
  email: string | null;
  /** Only the latest code is valid. The codes themselves are not stored. */
  codes_sent: Generated<number>;
  code_expires_at: Date | null;
  /** Path to return to after signing in. */
  return_path: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}
export type IdentityProofRow = Selectable<IdentityProofsTable>;
