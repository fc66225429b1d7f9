/** The address that a visitor returns to after signing in: how it is built, and which ones are accepted. */
import * as paths from "#server/foundation/paths.ts";

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
  // As a browser resolves it: "/.//evil" is "//evil", which code that takes it apart would redirect to another host.
  if (new URL(text, "http://store").pathname.startsWith("//")) return fallback;
  return mayBringToken(text) ? fallback : text;
}

/**
 * The request's own address as a redirect target, or as the place to return to. Falls back to the path without its query, or to
 * the home page, where the rest is unsafe or too long. Every redirect to the requested address uses this
 * (tests/unit/architecture/redirects.test.ts).
 */
export function ownAddress({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  return safeReturnPath(`${pathname}${search}`, safeReturnPath(pathname, paths.home()));
}

/** Decodes until nothing changes, because each redirect through a login removes one layer. */
function mayBringToken(text: string): boolean {
  if (text.toLowerCase().includes(tokenInAddress)) return true;
  const decoded = text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded !== text && mayBringToken(decoded);
}

/** Files whose page has a different path. */
const elsewhere: readonly (readonly [file: string, page: string])[] = [
  [`${paths.myData()}/`, paths.myData()],
  [paths.deskWorkQueueCsv(), paths.desk()],
  [`${paths.deskGstr1()}/`, paths.deskGstr1()],
];

/**
 * The page that offers the file at an address (with its query), or the address itself if it is not a file. A browser that is
 * redirected to a download stays where it is, so a user who has just signed in would still see the login.
 */
export function pageOfDownload(address: string): string {
  const known = elsewhere.find(([file]) => address.startsWith(file));
  return known === undefined ? address.replace(/[./](csv|pdf|zip)(?=\?|$)/, "") : known[1];
}
