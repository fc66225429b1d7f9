/** Outside identities (Outlook), and those that wait for a proof of their email before they may sign in. */
import type { Generated, Selectable } from "kysely";
import type { IdentityProofId, UserId } from "../ids.ts";
import type { IdentityProofKind } from "./enums.ts";

export interface IdentitiesTable {
  /** The provider's `iss` and `sub`: together the only name of an identity that never passes to somebody else. */
  issuer: string;
  subject: string;
  user_id: UserId;
  /** What opened the account to this identity. */
  proof: IdentityProofKind;
  created_at: Generated<Date>;
}

export interface IdentityProofsTable {
  id: IdentityProofId;
  /** SHA-256 of the key in the browser's cookie, hex. */
  key_hash: string;
  issuer: string;
  subject: string;
  first_name: string;
  last_name: string;
  /** The address to be proven; null until somebody has named one. */
  email: string | null;
  /** Only the code mailed last is good. The codes themselves are stored nowhere. */
  codes_sent: Generated<number>;
  code_expires_at: Date | null;
  /** Where the visitor was going. */
  return_path: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}
export type IdentityProofRow = Selectable<IdentityProofsTable>;
