/** Why a sign-in at the vendor proved nothing, in words for the person who signed in. */
import type { AdministratorRules } from "#server/families/family.ts";
import { freshSeconds } from "#server/providers/entra.ts";

const minutes = freshSeconds / 60;

/** By the reason that the callback puts into the address. @param domain of the account that the order is for */
export function refusalText(
  why: string | null,
  domain: string,
  rules: AdministratorRules | null,
): string | null {
  const at = rules?.signsInAt ?? "the vendor";
  switch (why) {
    case null:
      return null;
    case "personal":
      return `You signed in with a personal ${at} account. Please sign in with your work account.`;
    case "other-tenant":
      return `You signed in to another organisation. Please sign in with an account of ${domain}.`;
    case "guest":
      return `You are a guest in ${domain}. Please sign in as one of its own administrators.`;
    case "not-administrator":
      return `Your account is not an administrator of ${domain}. Please ask your administrator: ${rules?.rolesInSentence ?? "one"} can confirm the order.`;
    case "stale":
      return `You signed in to ${at} more than ${minutes} minutes ago. Please sign in again.`;
    case "cancelled":
      return "You did not finish signing in. Nothing has changed, and you can try again.";
    case "unavailable":
      return `${at} did not answer. Please try again in a minute.`;
    case "too-often":
      return "Too many attempts. Please try again in 10 minutes.";
    case "over":
      return "Meanwhile the order was changed. Please check below what it needs now.";
    default:
      return `${at} did not tell us enough about this sign-in. Please try again, or contact support.`;
  }
}
