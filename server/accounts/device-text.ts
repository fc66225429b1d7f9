/** Formats a device and a place for the page of sessions and the mail about a new sign-in. */
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";

/** Formats "Chrome on Windows". Empty texts and nulls are unknown. */
export function deviceText(
  text: Translate,
  { browser, system }: { browser: string | null; system: string | null },
): string {
  if (browser && system) return text("account.device", { browser, system });
  return browser || system || text("account.deviceUnknown");
}

/** Formats "India, network 203.0.113.x". @param place.country two capital letters */
export function locationText(
  text: Translate,
  language: LanguageId,
  { network, country }: { network: string | null; country: string | null },
): string {
  if (!network) return text("account.placeUnknown");
  if (!country) return text("account.network", { network });
  const name = new Intl.DisplayNames([language], { type: "region", fallback: "code" }).of(country) ?? country;
  return text("account.placeOf", { country: name, network });
}
