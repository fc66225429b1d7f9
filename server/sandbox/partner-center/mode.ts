/** How Microsoft behaves to partners. */
import { z } from "zod";

/** How Microsoft behaves to partners, as `/control/partner` sets it. Kept in memory only. */
export interface PartnerMode {
  /** False denies every second factor, as if the partner's had stopped to count. */
  readonly mfaCounts: boolean;
  /** How many versions of its customer agreement Microsoft has published. The last is in force. */
  readonly agreementVersions: number;
}
export const defaultPartnerMode: PartnerMode = { mfaCounts: true, agreementVersions: 1 };

export const partnerModeSchema = z.object({
  mfaCounts: z.boolean().optional(),
  agreementVersions: z.int().positive().optional(),
  /** The partner of this country changes its user's password: every refresh token is revoked. */
  revoke: z.string().optional(),
});
