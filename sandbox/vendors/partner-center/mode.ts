/** Settings for how the sandbox's Microsoft treats partners. */
import { z } from "zod";

/** Set by `/control/partner`; kept in memory only. */
export interface PartnerMode {
  /** False rejects every second factor, as if the partner's were no longer accepted. */
  readonly mfaCounts: boolean;
  /** The number of versions of its customer agreement that Microsoft has published. The last is in force. */
  readonly agreementVersions: number;
}
export const defaultPartnerMode: PartnerMode = { mfaCounts: true, agreementVersions: 1 };

export const partnerModeSchema = z.object({
  mfaCounts: z.boolean().optional(),
  agreementVersions: z.int().positive().optional(),
  /** The partner of this country changes its user's password: every refresh token is revoked. */
  revoke: z.string().optional(),
});
