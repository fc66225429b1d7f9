/** The response headers every page and call carries (DESIGN section 8). */
import type { Env } from "#server/env.ts";

/** @param inline names the document's own inline scripts and styles, as a policy does; null for what is no document */
export function applySecurityHeaders(
  headers: Headers,
  env: Env,
  inline: { scripts: readonly string[]; styles: readonly string[] } | null,
): void {
  const checkoutScript = new URL(env.RAZORPAY_CHECKOUT_SCRIPT_URL).origin;
  const checkout = new URL(env.RAZORPAY_API_URL).origin;
  const script = inline === null ? "'none'" : ["'self'", ...inline.scripts, checkoutScript].join(" ");
  const policy = [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${["'self'", ...(inline?.styles ?? [])].join(" ")}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-src ${[...new Set([checkout, checkoutScript])].join(" ")}`,
    `form-action 'self' ${checkout}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  headers.set("Content-Security-Policy", policy.join("; "));
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  // Reset and resume tokens stand in paths: no other site is told where the buyer came from.
  headers.set("Referrer-Policy", "same-origin");
  headers.set("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  if (env.PUBLIC_URL.startsWith("https:")) {
    headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains");
  }
}
