/**
 * Where people may sign in with an account they have elsewhere: the contract of an identity provider, and the registry. All speak
 * OpenID Connect, with one client. docs/extend/identity-provider.md adds another.
 */
import type { IdentityProviderId } from "#db/tables/enums.ts";
import type { OpenIdProvider } from "../providers/openid.ts";
import type { Claims } from "./client.ts";
import { google } from "./google.ts";
import { outlook } from "./outlook.ts";

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

export const identityProviders: Readonly<Record<IdentityProviderId, IdentityProvider>> = { outlook, google };

/** In the order of the buttons. */
export const identityProviderIds = Object.keys(identityProviders).filter(isIdentityProvider);

/** Something made once for each provider. */
export function perIdentityProvider<Made>(
  make: (id: IdentityProviderId) => Made,
): Readonly<Record<IdentityProviderId, Made>> {
  return { outlook: make("outlook"), google: make("google") };
}

export function isIdentityProvider(id: string): id is IdentityProviderId {
  return Object.hasOwn(identityProviders, id);
}

/** The provider whose id was stored with something: Outlook, where none was, since there was no other then. */
export function storedIdentityProvider(id: string): IdentityProviderId {
  return isIdentityProvider(id) ? id : "outlook";
}

/** The provider that has this address of ours; null for an address of none. @param pathname with or without a slash at its end */
export function identityProviderAt(
  pathname: string,
  place: keyof IdentityProvider["paths"],
): IdentityProviderId | null {
  const bare = (path: string) => path.replace(/\/$/, "");
  const at = (id: IdentityProviderId) => bare(identityProviders[id].paths[place]());
  return identityProviderIds.find((id) => at(id) === bare(pathname)) ?? null;
}
