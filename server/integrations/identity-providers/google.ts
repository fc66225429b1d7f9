/** Sign-in with a Google account: Gmail, a Workspace domain, or an account with an address elsewhere. */
import * as paths from "#server/foundation/paths.ts";
import type { IdentityProvider } from "./identity-provider.ts";

const id = "google";

export const google: IdentityProvider = {
  name: "Google",
  system: "google-sign-in",
  issuer: "https://accounts.google.com",
  settings: {
    issuer: "GOOGLE_SIGN_IN_ISSUER",
    clientId: "GOOGLE_SIGN_IN_CLIENT_ID",
    clientSecret: "GOOGLE_SIGN_IN_CLIENT_SECRET",
  },
  scope: "openid email profile",
  /**
   * Google is authoritative for its own mailboxes and for those of a Workspace domain, which `hd` names. Any other address was
   * verified once, and may have passed to another person since (docs/decisions/accounts.md#identity-providers).
   */
  vouchesFor: ({ email, email_verified: verified, hd }) =>
    verified === true && (/@gmail\.com$/i.test(email ?? "") || (typeof hd === "string" && hd !== "")),
  paths: {
    signIn: (next, connect) => paths.signInAt(id, next, connect),
    callback: () => paths.signInCallback(id),
    proof: () => paths.signInProof(id),
  },
};
