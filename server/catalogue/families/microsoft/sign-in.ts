/** The Microsoft sign-in step: a new tenant under a free name, or an existing one whose administrator has to accept us first. */
import type { Country } from "#db/tables/enums.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { limitDomainLookUps } from "../domain-look-ups.ts";
import type { SignInRules } from "../family.ts";
import { notThisOrders } from "../sign-in.ts";
import { requireFreePrefix, suggestFreePrefixes } from "./domain.ts";

export const signIn: SignInRules = {
  async check(context, { country, account }, { answers }, clientAddress) {
    if (answers.mode === "new") {
      const { prefix } = answers;
      await requireFreePrefix(context, prefix, country, clientAddress).catch(async (error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== "bad_request") throw error;
        const offers = await suggestFreePrefixes(
          context,
          account?.companyName ?? "",
          country,
          clientAddress,
        ).catch(() => []);
        throw new DomainError(error.code, error.descriptor, {
          ...(error.fields !== undefined && { fields: error.fields }),
          offers: offers.slice(0, 3),
        });
      });
      return null;
    }
    if (answers.mode !== "existing") throw notThisOrders();
    await limitDomainLookUps(context.db, clientAddress);
    const { username } = answers;
    return { username, ...(await findTenant(context, country, username.split("@")[1] ?? "")) };
  },
};

async function findTenant(
  context: Context,
  country: Country,
  domain: string,
): Promise<{ tenantId: string; link: string }> {
  const refuse = (code: "bad_request" | "provider_unavailable", message: MessageDescriptor) =>
    new DomainError(code, message, { fields: { existingUsername: message } });
  try {
    const partnerCenter = context.partnerCenterOf(country);
    const tenantId = await partnerCenter.tenantIdOfDomain(domain);
    if (tenantId === null) {
      throw refuse("bad_request", msg("families.unknownDomain"));
    }
    return { tenantId, link: await partnerCenter.relationshipRequestUrl() };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a tenant could not be looked up");
    throw refuse("provider_unavailable", msg("signIn.domainNotChecked"));
  }
}
