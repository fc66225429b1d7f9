/** The identity providers. docs/extend/identity-provider.md explains how to add another. */
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { google } from "./google.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { outlook } from "./outlook.ts";

export const identityProviders: Readonly<Record<IdentityProviderId, IdentityProvider>> = { outlook, google };

/** Ids in the order of the buttons. */
export const identityProviderIds = Object.keys(identityProviders).filter(isIdentityProvider);

/** Creates a value once for each provider. */
export function perIdentityProvider<Made>(
  make: (id: IdentityProviderId) => Made,
): Readonly<Record<IdentityProviderId, Made>> {
  return { outlook: make("outlook"), google: make("google") };
}

export function isIdentityProvider(id: string): id is IdentityProviderId {
  return Object.hasOwn(identityProviders, id);
}

/** Returns the provider of a stored id: Outlook if none was stored, since it was the only provider then. */
export function storedIdentityProvider(id: string): IdentityProviderId {
  return isIdentityProvider(id) ? id : "outlook";
}

/** Returns the provider that uses one of our addresses; null for any other. @param pathname with or without a trailing slash */
export function identityProviderAt(
  pathname: string,
  place: keyof IdentityProvider["paths"],
): IdentityProviderId | null {
  const bare = (path: string) => path.replace(/\/$/, "");
  const at = (id: IdentityProviderId) => bare(identityProviders[id].paths[place]());
  return identityProviderIds.find((id) => at(id) === bare(pathname)) ?? null;
}
