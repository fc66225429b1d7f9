/**
 * The Microsoft sign-in step: a new tenant under a free name, or an existing one whose administrator has to accept us
 * first.
 */
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { ProviderError } from "#server/providers/errors.ts";
import type { SignInRules } from "../family.ts";
import { notThisOrders } from "../sign-in.ts";
import { domainMessages, limitDomainLookUps, requireFreePrefix } from "./domain.ts";

export const signIn: SignInRules = {
  async check(context, _order, { answers }, clientAddress) {
    if (answers.mode === "new") {
      await requireFreePrefix(context, answers.prefix, clientAddress);
      return null;
    }
    if (answers.mode !== "existing") throw notThisOrders();
    await limitDomainLookUps(context.db, clientAddress);
    const { username } = answers;
    return { username, ...(await findTenant(context, username.split("@")[1] ?? "")) };
  },
};

async function findTenant(context: Context, domain: string): Promise<{ tenantId: string; link: string }> {
  const refuse = (code: "bad_request" | "provider_unavailable", message: string) =>
    new DomainError(code, message, { fields: { existingUsername: message } });
  try {
    const tenantId = await context.partnerCenter.tenantIdOfDomain(domain);
    if (tenantId === null) {
      throw refuse("bad_request", "Microsoft does not know this domain. Please check the username.");
    }
    return { tenantId, link: await context.partnerCenter.relationshipRequestUrl() };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a tenant could not be looked up");
    throw refuse("provider_unavailable", domainMessages.failed);
  }
}
