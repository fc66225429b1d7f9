/** Refuses writes that another site triggers in the buyer's browser (cross-site request forgery). */
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { requestMetadata } from "#server/foundation/web/request-store.ts";

/**
 * Trusts Sec-Fetch-Site where the browser sends it, else the Origin header. A write with neither does not come from a browser
 * that carries our cookies.
 * @throws DomainError forbidden
 */
export function requireSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = requestMetadata().origin;
  if (site === null && origin === new URL(publicUrl).origin) return;
  throw new DomainError("forbidden", msg("errors.otherSite"), { facts: { outcome: "other-site" } });
}

/**
 * For JSON calls: accepts our own pages, and clients whose cookies no other site can exploit. Such a client sends its session
 * in the Authorization header, which no browser adds by itself, or it is not a browser and sends no cookie at all.
 * @throws DomainError forbidden
 */
export function requireTrustedApiClient(request: Request, publicUrl: string): void {
  const { headers } = request;
  if (headers.has("authorization")) return;
  const fromBrowser =
    headers.has("sec-fetch-site") || requestMetadata().origin !== null || headers.has("cookie");
  if (fromBrowser) requireSameOrigin(request, publicUrl);
}
