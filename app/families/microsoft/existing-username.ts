/**
 * Validates the username of a buyer's existing Microsoft account. A separate module, because the form runs it in the browser
 * too.
 */

/** A domain under onmicrosoft.com: a tenant's own or a subdomain of it, with hyphens only inside a label. */
const onMicrosoft = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+onmicrosoft\.com$/;
const wrongEnding = "The username must end with .onmicrosoft.com";

/** Why a text cannot be the username of an existing Microsoft tenant, worded for that mistake, or null when it can. */
export function existingUsernameProblem(username: string): string | null {
  const [local = "", domain = "", ...others] = username.trim().toLowerCase().split("@");
  if (!username.trim().toLowerCase().endsWith(".onmicrosoft.com")) return wrongEnding;
  if (others.length > 0 || domain === "") return "The username must have exactly one @";
  if (local === "" || /\s/.test(local)) return "Please enter the part before the @, without spaces";
  if (!onMicrosoft.test(domain)) return "Use letters, digits and hyphens between the @ and .onmicrosoft.com";
  return null;
}
