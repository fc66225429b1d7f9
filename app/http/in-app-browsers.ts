/**
 * Browsers inside other apps, recognised by their User-Agent. They block pop-ups and cannot start a bank's or a UPI app, so a
 * checkout often fails in them. The checkout is still offered, because in some it works.
 */

interface InAppBrowser {
  /** The app's public name; null for a browser that does not reveal it. */
  app: string | null;
  mark: RegExp;
}

/** The first match counts. */
const inAppBrowsers: readonly InAppBrowser[] = [
  { app: "WhatsApp", mark: /\bWhatsApp\// },
  { app: "Instagram", mark: /\bInstagram\b/ },
  { app: "Facebook", mark: /\b(?:FBAN|FBAV|FB_IAB)\b/ },
  { app: "LinkedIn", mark: /\bLinkedInApp\b/ },
  { app: "Gmail", mark: /\bGmail\b/ },
  // Gmail among others: a web view identifies itself on Android, and on iOS omits Safari's part of the User-Agent.
  { app: null, mark: /\bAndroid\b.*; wv\)/ },
  { app: null, mark: /\b(?:iPhone|iPad)\b(?!.*\bSafari\/)/ },
];

/** @returns null for a standalone browser */
export function inAppBrowserOf(headers: Pick<Headers, "get">): Pick<InAppBrowser, "app"> | null {
  const userAgent = headers.get("user-agent") ?? "";
  const found = inAppBrowsers.find(({ mark }) => mark.test(userAgent));
  return found === undefined ? null : { app: found.app };
}
