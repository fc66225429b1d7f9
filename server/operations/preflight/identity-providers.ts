/** Checks the sign-ins that are offered in addition to the password, and that their providers respond. */
import { createIdentityClient } from "#server/integrations/identity-providers/client.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { type Check, type Finding, ok, unknownOnError } from "./check.ts";

export const identityProvidersCheck: Check = {
  id: "sign-ins",
  name: "Sign-ins",
  look: async ({ context: { env } }) => {
    const found = await Promise.all(
      identityProviderIds.map(async (id): Promise<Finding[]> => {
        const { name, settings, paths } = identityProviders[id];
        const account = env.identityAccounts.get(id);
        if (account === undefined)
          return [
            ok(`${name} sign-in is off: ${settings.clientId} and ${settings.clientSecret} are not set.`),
          ];
        const callback = `${env.PUBLIC_URL}${paths.callback()}`;
        return unknownOnError(name, async () => {
          await createIdentityClient(id, { ...account, timeoutMs: env.PROVIDER_TIMEOUT_MS }).begin(callback);
          return [ok(`${name} sign-in is on. Register ${callback} as its redirect URL.`)];
        });
      }),
    );
    return found.flat();
  },
};
