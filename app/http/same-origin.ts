/** Refuses writes that another site made the buyer's browser send (cross-site request forgery). */
import { DomainError } from "#server/errors.ts";
import { requestFacts } from "#server/web/request-store.ts";

/**
 * The browser's own word (Sec-Fetch-Site) where it gives one, else the Origin header. A write with neither comes from no
 * browser that carries our cookies.
 * @throws DomainError forbidden
 */
export function requireSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = requestFacts().origin;
  if (site === null && origin !== null) {
    const store = new URL(publicUrl);
    const ours = [store.origin, `${store.protocol}//${request.headers.get("host")}`];
    if (ours.includes(origin)) return;
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
  const fromBrowser =
    headers.has("sec-fetch-site") || requestFacts().origin !== null || headers.has("cookie");
  if (fromBrowser) requireSameOrigin(request, publicUrl);
}
