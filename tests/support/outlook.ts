/** Signing in with Outlook over HTTP, step by step: out to the sandbox's Outlook, its page, and back to the store's callback. */
import { type Answer, Browserless } from "./browserless.ts";

/** Who is chosen on the sandbox's page: one of its fixed people by id, or somebody typed in. */
export type Chosen =
  | { person: "nina" | "paul" | "demo" | "ravi" }
  | { email: string; name?: string; verified?: boolean };

export interface Way {
  /** Where in the store it begins. */
  start?: string;
  /** Changes the address that the store sends the browser to. */
  tamper?: (url: URL) => void;
  /** Presses Cancel. */
  cancel?: boolean;
}

const begin = "/azure/ad/authentication/";

/** @returns the callback that Outlook sends the browser to, which has not been asked for yet */
export async function throughOutlook(browser: Browserless, chosen: Chosen, way: Way = {}): Promise<URL> {
  const left = await browser.get(way.start ?? begin);
  const authorize = new URL(left.location ?? "", browser.origin);
  way.tamper?.(authorize);
  const form: Record<string, string> =
    "person" in chosen
      ? { person: chosen.person }
      : {
          person: "other",
          email: chosen.email,
          name: chosen.name ?? "",
          verified: chosen.verified ? "yes" : "no",
        };
  return throughSignIn(authorize, "Sign in with Outlook", {
    ...form,
    action: way.cancel ? "cancel" : "sign-in",
  });
}

/**
 * Through a sign-in page of the sandbox's Microsoft, as another browser, which the store never meets.
 * @returns the callback that the browser is sent to, which has not been asked for yet
 */
export async function throughSignIn(
  authorize: URL,
  heading: string,
  form: Record<string, string>,
): Promise<URL> {
  const outside = new Browserless(authorize.origin);
  const page = await outside.get(authorize.href);
  if (page.location === null) throw new Error(`The sign-in answered ${page.status}: ${page.text}`);
  const shown = await outside.get(page.location);
  if (!shown.text.includes(heading)) throw new Error(`No page to choose on: ${shown.text}`);
  const posted = await outside.post(page.location, form);
  const resumed = await outside.get(posted.location ?? "");
  return new URL(resumed.location ?? "");
}

/** The whole way: the store's answer to the callback. */
export async function signInWithOutlook(
  browser: Browserless,
  chosen: Chosen,
  way: Way = {},
): Promise<Answer> {
  const callback = await throughOutlook(browser, chosen, way);
  return browser.get(`${callback.pathname}${callback.search}`);
}
