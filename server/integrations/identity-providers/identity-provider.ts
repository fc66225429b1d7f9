/** The contract of a provider where people may sign in. All speak OpenID Connect, with one client. */
import type { OpenIdProvider } from "../openid.ts";
import type { Claims } from "./claims.ts";

export interface IdentityProvider {
  /** As its button, our pages and our mails call it, in every language. */
  name: string;
  /** As its calls are counted and logged. */
  system: OpenIdProvider;
  /** Its issuer, unless the setting names another. https. */
  issuer: string;
  /** The names of its settings. Without a client id and a secret it is not offered. */
  settings: { issuer: string; clientId: string; clientSecret: string };
  /** Space-separated. */
  scope: string;
  /** Whether the provider's word is enough to believe that whoever signs in has the mailbox. */
  vouchesFor(claims: Claims): boolean;
  /** Our addresses: where a sign-in begins, where the provider sends the browser back to, and where an email is proven. */
  paths: {
    /** @param connect to connect it with the account that is signed in */
    signIn(next?: string, connect?: "yes"): string;
    callback(): string;
    proof(): string;
  };
}
