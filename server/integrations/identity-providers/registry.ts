/** The providers where people may sign in. docs/extend/identity-provider.md adds another. */
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { google } from "./google.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { outlook } from "./outlook.ts";

export const identityProviders: Readonly<Record<IdentityProviderId, IdentityProvider>> = { outlook, google };

/** The ids in the order of the buttons. */
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
