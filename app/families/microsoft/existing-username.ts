/**
 * Validates the username of a buyer's existing Microsoft account. A separate module, because the form runs it in the browser
 * too.
 */
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";

/** A domain under onmicrosoft.com: a tenant's own or a subdomain of it, with hyphens only inside a label. */
const onMicrosoft = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+onmicrosoft\.com$/;

/** Why a text cannot be the username of an existing Microsoft tenant, worded for that mistake, or null when it can. */
export function existingUsernameProblem(username: string): PlainMessageKey | null {
  const [local = "", domain = "", ...others] = username.trim().toLowerCase().split("@");
  if (!username.trim().toLowerCase().endsWith(".onmicrosoft.com")) return "families.usernameEnding";
  if (others.length > 0 || domain === "") return "families.usernameOneAt";
  if (local === "" || /\s/.test(local)) return "families.usernameBeforeAt";
  if (!onMicrosoft.test(domain)) return "families.usernameAfterAt";
  return null;
}
