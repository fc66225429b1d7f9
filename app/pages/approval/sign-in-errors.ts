/** Messages for a sign-in at the vendor that proved nothing, for the person who signed in. */
import type { AdministratorRules } from "#server/catalogue/families/family.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { maxSignInAgeSeconds } from "#server/integrations/entra.ts";

const minutes = maxSignInAgeSeconds / 60;

/** Message for the reason in the callback's URL. @param domain of the account that the order is for */
export function signInErrorText(
  why: string | null,
  domain: string,
  rules: AdministratorRules,
  text: Translate,
): string | null {
  const place = rules.signsInAt;
  switch (why) {
    case null:
      return null;
    case "personal":
      return text("approval.personal", { place });
    case "other-tenant":
      return text("approval.otherTenant", { domain });
    case "guest":
      return text("approval.guest", { domain });
    case "not-administrator":
      return text("approval.notAdministrator", { domain, roles: text(rules.rolesInSentence) });
    case "stale":
      return text("approval.stale", { place, minutes });
    case "cancelled":
      return text("approval.cancelled");
    case "unavailable":
      return text("approval.unavailable", { place });
    case "too-often":
      return text("approval.tooOften");
    case "over":
      return text("approval.orderChanged");
    default:
      return text("approval.notTold", { place });
  }
}
