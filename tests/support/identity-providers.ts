/**
 * Signs in at an identity provider over HTTP, step by step: to the sandbox's provider, its page, and back to the store's
 * callback.
 */
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { HttpBrowser, type TestResponse } from "./http-browser.ts";

/** Choice on the sandbox's page: one of its fixed people by id, or a typed email. */
export type ChosenAccount =
  | { person: "nina" | "paul" | "demo" | "ravi" | "gita" | "wasim" | "una" | "lata" }
  /** `once`: only at Google, an address that is neither Gmail's nor of a Workspace domain. */
  | { email: string; name?: string; verified?: boolean | "once" };

export interface SignInFlow {
  /** Path in the store at which it begins. */
  start?: string;
  /** Changes the URL to which the store sends the browser. */
  tamper?: (url: URL) => void;
  /** Presses Cancel. */
  cancel?: boolean;
}

/** @returns the callback to which the provider redirects, not requested yet */
export async function throughProvider(
  provider: IdentityProviderId,
  browser: HttpBrowser,
  chosen: ChosenAccount,
  way: SignInFlow = {},
): Promise<URL> {
  const { name, paths } = identityProviders[provider];
  const left = await browser.get(way.start ?? paths.signIn());
  const authorize = new URL(left.location ?? "", browser.origin);
  way.tamper?.(authorize);
  const form: Record<string, string> =
    "person" in chosen
      ? { person: chosen.person }
      : {
          person: "other",
          email: chosen.email,
          name: chosen.name ?? "",
          verified: chosen.verified === "once" ? "once" : chosen.verified ? "yes" : "no",
        };
  return throughSignIn(authorize, `Sign in with ${name}`, {
    ...form,
    action: way.cancel ? "cancel" : "sign-in",
  });
}

/**
 * Passes a sign-in page of the sandbox as a separate browser, which never contacts the store.
 * @returns the callback to which it redirects, not requested yet
 */
export async function throughSignIn(
  authorize: URL,
  heading: string,
  form: Record<string, string>,
): Promise<URL> {
  const outside = new HttpBrowser(authorize.origin);
  const page = await outside.get(authorize.href);
  if (page.location === null) throw new Error(`The sign-in answered ${page.status}: ${page.text}`);
  const shown = await outside.get(page.location);
  if (!shown.text.includes(heading)) throw new Error(`No page to choose on: ${shown.text}`);
  const posted = await outside.post(page.location, form);
  const resumed = await outside.get(posted.location ?? "");
  return new URL(resumed.location ?? "");
}

/** The complete sign-in: the store's response to the callback. */
export async function signInWith(
  provider: IdentityProviderId,
  browser: HttpBrowser,
  chosen: ChosenAccount,
  way: SignInFlow = {},
): Promise<TestResponse> {
  const callback = await throughProvider(provider, browser, chosen, way);
  return browser.get(`${callback.pathname}${callback.search}`);
}
