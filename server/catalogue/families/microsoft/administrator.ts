/** Approval of an order into an existing Microsoft tenant: its administrator signs in there, and accepts us as its partner. */
import { maxSignInAgeSeconds } from "#server/integrations/entra.ts";
import type { AdministratorRules } from "../family.ts";

export const administrator: AdministratorRules = {
  signsInAt: "Microsoft",
  rolesInSentence: "approval.entraRoles",
  // Names and emails are not checked: an administrator of any tenant can set an account's to anything.
  judge(person, input) {
    if (person.isPersonal) return { refused: "personal" };
    if (person.tenantId !== input.tenantId) return { refused: "other-tenant" };
    if (person.membership === "guest") return { refused: "guest" };
    if (person.membership === "unknown" || person.roles === null) return { refused: "not-told" };
    const age = input.now.getTime() - person.authenticatedAt.getTime();
    if (age > maxSignInAgeSeconds * 1_000) return { refused: "stale" };
    const role = input.roles.find((accepted) => person.roles?.includes(accepted));
    return role === undefined ? { refused: "not-administrator" } : { role };
  },
  async hasAccepted(context, { externalId, country }) {
    return (await context.partnerCenterOf(country).getRelationship(externalId)) === "reseller";
  },
};
