/** An administrator confirms an order over HTTP: signs in to the tenant at the sandbox's Microsoft, and accepts us as partner. */
import type { HttpBrowser, TestResponse } from "./http-browser.ts";
import { throughSignIn } from "./identity-providers.ts";

/** People who can sign in to a tenant at the sandbox (sandbox/vendors/entra/people.ts). */
export type TenantPersonId =
  | "administrator"
  | "billing"
  | "user"
  | "guest"
  | "personal"
  | "forger"
  | "silent"
  | "silent-user"
  | "stale";

/** Headers of a browser that comes from one of our pages. */
const fromHere = { "Sec-Fetch-Site": "same-origin" };

/** The URL to which an order's approval page redirects. @param page its path, `/orders/…/approval` or `/approve/…` */
export async function goToMicrosoft(browser: HttpBrowser, page: string): Promise<URL> {
  const left = await browser.get(`${page}?sign=in`, fromHere);
  if (left.location === null || !URL.canParse(left.location))
    throw new Error(`The approval page answered ${left.status} ${left.location}: ${left.text}`);
  return new URL(left.location);
}

/** @returns the callback to which Microsoft redirects, not requested yet */
export async function signInAtMicrosoft(
  browser: HttpBrowser,
  page: string,
  person: TenantPersonId = "administrator",
): Promise<URL> {
  const authorize = await goToMicrosoft(browser, page);
  return throughSignIn(authorize, "Sign in to Microsoft", { person, action: "sign-in" });
}

/** The complete sign-in, repeated for a tenant whose tokens name no roles. @returns the store's response to the last callback */
export async function signInAsAdministrator(
  browser: HttpBrowser,
  page: string,
  person: TenantPersonId = "administrator",
): Promise<TestResponse> {
  const callback = await signInAtMicrosoft(browser, page, person);
  const answer = await browser.get(`${callback.pathname}${callback.search}`);
  if (answer.location === null || !URL.canParse(answer.location)) return answer;
  const again = await throughSignIn(new URL(answer.location), "Sign in to Microsoft", {
    person,
    action: "sign-in",
  });
  return browser.get(`${again.pathname}${again.search}`);
}

export const approvalPage = ({ id }: { id: string }): string => `/orders/${id}/approval`;
