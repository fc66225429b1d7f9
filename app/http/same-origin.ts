/** Refuses writes that another site made the buyer's browser send (cross-site request forgery). */
import { DomainError } from "#server/errors.ts";

/**
 * The Origin header arrives as X-Origin: server/web/preload.mjs moves it, since Remix would answer a foreign one with an
 * empty 500 before any route is asked.
 *
 * The browser's own word (Sec-Fetch-Site) where it gives one, else the Origin header. A write with neither comes from no
 * browser that carries our cookies.
 * @throws DomainError forbidden
 */
export function requireSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = request.headers.get("x-origin");
  if (site === null && origin !== null) {
    const ours = [new URL(publicUrl).host, request.headers.get("host")];
    if (URL.canParse(origin) && ours.includes(new URL(origin).host)) return;
  }
  throw new DomainError(
    "forbidden",
    "This form was sent from another site. Please open the page here and try again.",
  );
}

/**
 * For JSON calls: our own pages, or a client whose cookies no foreign page could use. That is one that names its session in
 * the Authorization header, which no browser adds by itself, or that is no browser and sends no cookie at all.
 * @throws DomainError forbidden
 */
export function requireOwnCaller(request: Request, publicUrl: string): void {
  const { headers } = request;
  if (headers.has("authorization")) return;
  const fromBrowser = headers.has("sec-fetch-site") || headers.has("x-origin") || headers.has("cookie");
  if (fromBrowser) requireSameOrigin(request, publicUrl);
}
