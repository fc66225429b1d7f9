/** Counts browsers' reports of violations of our Content-Security-Policy. */
import { cspViolations } from "./process-metrics.ts";

/** Directives of our policies. A browser names some of them by element or attribute: "script-src-elem". */
const directives: ReadonlySet<string> = new Set([
  "script-src",
  "style-src",
  "img-src",
  "font-src",
  "connect-src",
  "manifest-src",
  "frame-src",
  "form-action",
  "frame-ancestors",
  "base-uri",
  "default-src",
]);

/** @param reported the browser's directive, which older browsers send with its sources */
export function countViolation(reported: string): void {
  const [name = ""] = reported.toLowerCase().split(" ", 1);
  const directive = name.replace(/-(?:elem|attr)$/, "");
  cspViolations.inc({ directive: directives.has(directive) ? directive : "other" });
}
