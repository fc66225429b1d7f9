/**
 * Texts of the shared script, as data attributes of the body: the script itself contains none, so that it is the same in every
 * language. Only the server writes them, and a hydrated page keeps them unchanged.
 */
import type { Translate } from "#server/foundation/languages/messages.ts";

export function scriptTexts(text: Translate) {
  if (!import.meta.env.SSR) return {};
  return {
    "data-close": text("shell.close"),
    "data-offline": text("scripts.offline"),
    "data-offline-reason": text("scripts.offlineReason"),
    "data-silent": text("scripts.silent"),
    "data-silent-reason": text("scripts.silentReason"),
    "data-signed-in": text("scripts.signedIn"),
  };
}
