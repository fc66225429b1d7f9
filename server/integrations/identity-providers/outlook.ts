/** Sign-in at Microsoft (Entra ID) with any work or personal account. */
import * as paths from "#server/foundation/paths.ts";
import { personalTenant } from "../openid.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export const outlook: IdentityProvider = {
  name: "Outlook",
  system: "outlook",
  // Behind "common", each Microsoft tenant is a separate issuer.
  issuer: "https://login.microsoftonline.com/common/v2.0",
  settings: {
    issuer: "OUTLOOK_ISSUER",
    clientId: "OUTLOOK_CLIENT_ID",
    clientSecret: "OUTLOOK_CLIENT_SECRET",
  },
  scope: "openid profile email",
  /**
   * Any tenant's administrator can enter any address as a user's email (nOAuth), so only these two cases count as proof:
   * Microsoft itself verifies the emails of personal accounts, and `xms_edov` ("email domain owner verified") means that the
   * tenant has proven that it owns the address's domain.
   */
  vouchesFor: ({ tid, xms_edov: verified }) =>
    tid === personalTenant || verified === true || verified === 1 || verified === "true" || verified === "1",
  paths: { signIn: paths.outlookSignIn, callback: paths.outlookCallback, proof: paths.outlookProof },
};
