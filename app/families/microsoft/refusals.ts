/** Why a sign-in at Microsoft was no proof, in words for the person who made it. */
import { freshSeconds } from "#server/providers/entra.ts";

const minutes = freshSeconds / 60;

/** By what the callback puts into the address. @param domain of the account that the order is for */
export function refusalText(why: string | null, domain: string): string | null {
  switch (why) {
    case null:
      return null;
    case "personal":
      return "You signed in with a personal Microsoft account. Please sign in with your work account.";
    case "other-tenant":
      return `You signed in to another organisation. Please sign in with an account of ${domain}.`;
    case "guest":
      return `You are a guest in ${domain}. Please sign in as one of its own administrators.`;
    case "not-administrator":
      return `Your account is not an administrator of ${domain}. Please ask your administrator: a Global Administrator or a Billing Administrator can confirm the order.`;
    case "stale":
      return `You signed in to Microsoft more than ${minutes} minutes ago. Please sign in again.`;
    case "cancelled":
      return "You did not finish signing in. Nothing has changed, and you can try again.";
    case "unavailable":
      return "Microsoft did not answer. Please try again in a minute.";
    case "too-often":
      return "Too many attempts. Please try again in 10 minutes.";
    case "over":
      return "Meanwhile the order was changed. Please check below what it needs now.";
    default:
      return "Microsoft did not tell us enough about this sign-in. Please try again, or contact support.";
  }
}
