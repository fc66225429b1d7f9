/** The username of an account that a buyer has at Microsoft: by itself, since the form asks it in the browser too. */

/** A domain of Microsoft's naming: a tenant's own, or one below it, hyphens inside. */
const onMicrosoft = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+onmicrosoft\.com$/;
const wrongEnding = "The username must end with .onmicrosoft.com";

/** Why a username is not one of an existing Microsoft tenant, in the words for that mistake; null when it may be. */
export function existingUsernameProblem(username: string): string | null {
  const [local = "", domain = "", ...others] = username.trim().toLowerCase().split("@");
  if (!username.trim().toLowerCase().endsWith(".onmicrosoft.com")) return wrongEnding;
  if (others.length > 0 || domain === "") return "The username must have exactly one @";
  if (local === "" || /\s/.test(local)) return "Please enter what stands before the @, without spaces";
  if (!onMicrosoft.test(domain)) return "Use letters, digits and hyphens between the @ and .onmicrosoft.com";
  return null;
}
