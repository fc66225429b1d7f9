/** Takes the consent of a partner's user, without which Microsoft allows no order to be fulfilled in that country. */
import { consentKey, saveConsent } from "#db/catalogue/partner-consents.ts";
import type { Country } from "#db/tables/enums.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { encrypt } from "#server/foundation/security/cipher.ts";
import type { ConsentFlow, ConsentResult } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * @param redirectUri as registered for the app at Microsoft
 * @returns the address at which the partner's user has to sign in
 * @throws ProviderError for a country without an account
 */
export function beginConsent(
  context: Context,
  country: Country,
  redirectUri: string,
): Promise<{ url: string; flow: ConsentFlow }> {
  return context.partnerCenterOf(country).beginConsent(redirectUri);
}

/**
 * Exchanges the code that the user returned with, and stores the refresh token.
 * @throws ProviderError as ConsentCalls.finishConsent
 */
export async function completeConsent(
  { db, env, encryptionKeys, partnerCenterOf }: Context,
  country: Country,
  came: { redirectUri: string; answer: URLSearchParams; flow: ConsentFlow },
  now = new Date(),
): Promise<Omit<ConsentResult, "refreshToken">> {
  const { refreshToken, userName, hasMfa } = await partnerCenterOf(country).finishConsent(
    came.redirectUri,
    came.answer,
    came.flow,
  );
  const tenant = env.partnerAccounts.get(country)?.tenant ?? "";
  const sealedToken = encrypt(encryptionKeys, refreshToken, consentKey(country));
  await db.transaction().execute(async (trx) => {
    await saveConsent(trx, {
      country,
      tenant,
      sealedToken,
      userName,
      hasMfa,
      obtainedAt: now,
      lastUsedAt: now,
    });
    await recordAudit(trx, {
      userId: null,
      action: "partner.consent",
      subject: `partner:${country}`,
      data: { tenant, userName, hasMfa },
    });
  });
  return { userName, hasMfa };
}
