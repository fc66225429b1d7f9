/**
 * Browsers inside other apps, told by their User-Agent. They block pop-ups and cannot start a bank's or a UPI app, so that a checkout
 * often does not get to its end there; the checkout works in each of them all the same, for those in which it does.
 */

interface InAppBrowser {
  /** As its user knows the app; null for one whose browser does not say its name. */
  app: string | null;
  mark: RegExp;
}

/** The first that fits counts. */
const inAppBrowsers: readonly InAppBrowser[] = [
  { app: "WhatsApp", mark: /\bWhatsApp\// },
  { app: "Instagram", mark: /\bInstagram\b/ },
  { app: "Facebook", mark: /\b(?:FBAN|FBAV|FB_IAB)\b/ },
  { app: "LinkedIn", mark: /\bLinkedInApp\b/ },
  { app: "Gmail", mark: /\bGmail\b/ },
  // Gmail among others: an app's view of a page says on Android that it is one, and on iOS leaves out what Safari says.
  { app: null, mark: /\bAndroid\b.*; wv\)/ },
  { app: null, mark: /\b(?:iPhone|iPad)\b(?!.*\bSafari\/)/ },
];

/** @returns null for a browser of its own */
export function inAppBrowserOf(headers: Pick<Headers, "get">): Pick<InAppBrowser, "app"> | null {
  const userAgent = headers.get("user-agent") ?? "";
  const found = inAppBrowsers.find(({ mark }) => mark.test(userAgent));
  return found === undefined ? null : { app: found.app };
}
