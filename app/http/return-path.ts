/** Validates the address a visitor returns to after signing in. */

/** The parameter of `/` that carries a session token. */
export const tokenInAddress = "jwt-token";

/**
 * A path on this site to return to after signing in. Anything that could leave the site is refused.
 * Guards against //evil, /\\evil, javascript: and control characters, which browsers normalise in surprising ways. A path
 * that carries a session token is refused too, in any encoding and at any nesting depth, so that a link cannot replace the
 * session just started.
 */
export function safeReturnPath(text: string | null | undefined, fallback = "/"): string {
  if (text === null || text === undefined || text.length > 500) return fallback;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes("\\")) return fallback;
  return mayBringToken(text) ? fallback : text;
}

/** Decodes until nothing changes, because each redirect through a login removes one layer. */
function mayBringToken(text: string): boolean {
  if (text.toLowerCase().includes(tokenInAddress)) return true;
  const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded !== text && mayBringToken(decoded);
}
