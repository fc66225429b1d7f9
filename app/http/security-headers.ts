/** The response headers of every page and call. */

import type { CheckoutSources } from "#server/billing/payments/provider.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import type { Env } from "#server/platform/env.ts";

/** The parts of the policy that depend on the document. */
interface Document {
  /** Its inline scripts as policy sources: by nonce or hash. */
  scripts: readonly string[];
  styles: readonly string[];
  /** The payment provider's checkout may open in it, or a form may navigate to the checkout. */
  pays: boolean;
}

/** @param document null for a response that is not a document */
export function applySecurityHeaders(headers: Headers, env: Env, document: Document | null): void {
  headers.set("Content-Security-Policy", policyOf(env, document));
  if (document !== null) headers.set("Reporting-Endpoints", `${endpoint}="${paths.cspReports()}"`);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  // Paths can contain reset and resume tokens, so other sites must not see the referrer.
  headers.set("Referrer-Policy", "same-origin");
  if (!headers.has("Cross-Origin-Opener-Policy"))
    headers.set("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  if (env.PUBLIC_URL.startsWith("https:")) {
    headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains");
  }
}

const endpoint = "csp";
const reporting: [name: string, sources: readonly string[]][] = [
  ["report-uri", [paths.cspReports()]],
  ["report-to", [endpoint]],
];

function policyOf(env: Env, document: Document | null): string {
  const { scripts, styles, pays } = document ?? { scripts: [], styles: [], pays: false };
  const checkouts = pays ? Object.values(paymentProviders).map((of) => of.checkoutSources(env)) : [];
  const checkout = (what: keyof CheckoutSources) => [...new Set(checkouts.flatMap((of) => of[what]))];
  const frames = checkout("frames");
  const directives: [name: string, sources: readonly string[]][] = [
    ["default-src", ["'none'"]],
    ["script-src", document === null ? ["'none'"] : ["'self'", ...scripts, ...checkout("scripts")]],
    // checkout.js writes a style element and style attributes around its frame. 'unsafe-inline' has no effect next to a hash.
    ["style-src", pays ? ["'self'", "'unsafe-inline'"] : ["'self'", ...styles]],
    ["img-src", ["'self'", "data:", ...checkout("images")]],
    ["font-src", ["'self'"]],
    ["connect-src", ["'self'", ...checkout("connections")]],
    ["manifest-src", ["'self'"]],
    ["frame-src", frames.length === 0 ? ["'none'"] : frames],
    ["form-action", ["'self'", ...checkout("forms")]],
    ["frame-ancestors", ["'none'"]],
    ["base-uri", ["'none'"]],
    // Browsers that support the second ignore the first.
    ...(document === null ? [] : reporting),
  ];
  return directives.map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}
