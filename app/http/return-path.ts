/** Where a visitor returns to after signing in, as an address said it. */

/** The parameter of `/` that brings a session. */
export const tokenInAddress = "jwt-token";

/**
 * A path of ours to return to after signing in; anything that could leave the site is refused.
 * Guards against //evil, /\\evil, javascript: and control characters, which browsers fold in surprising ways. A path that brings a
 * session of its own is refused too, in whatever encoding and however deep: who has just signed in stays who they are.
 */
export function safeReturnPath(text: string | null | undefined, fallback = "/"): string {
  if (text === null || text === undefined || text.length > 500) return fallback;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes("\\")) return fallback;
  return mayBringToken(text) ? fallback : text;
}

/** Decoded until nothing is left to decode: each way through a login takes off one layer. */
function mayBringToken(text: string): boolean {
  if (text.toLowerCase().includes(tokenInAddress)) return true;
  const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded !== text && mayBringToken(decoded);
}
