/** Contract of an identity provider. All use OpenID Connect, with the same client. */
import type { OpenIdProvider } from "../openid.ts";
import type { Claims } from "./claims.ts";

export interface IdentityProvider {
  /** Name on its button, our pages and our mails, in every language. */
  name: string;
  /** Name under which its calls are counted and logged. */
  system: OpenIdProvider;
  /** Default issuer, unless the setting names another. https. */
  issuer: string;
  /** Names of its settings. Without a client id and a secret it is not offered. */
  settings: { issuer: string; clientId: string; clientSecret: string };
  /** Space-separated. */
  scope: string;
  /** Whether the claims prove that the person who signs in has the mailbox. */
  vouchesFor(claims: Claims): boolean;
  /** Our addresses: the start of a sign-in, the callback, and the proof of an email. */
  paths: {
    /** @param connect connects it with the signed-in account */
    signIn(next?: string, connect?: "yes"): string;
    callback(): string;
    proof(): string;
  };
}
