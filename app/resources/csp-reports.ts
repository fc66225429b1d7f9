/**
 * POST /csp-reports: browsers report blocked resources of a page's Content-Security-Policy. Only the directive is counted,
 * because the rest names pages that a visitor opened.
 */
import { z } from "zod";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { countViolation } from "#server/integrations/metrics/csp-violations.ts";
import { parseOr400, rawAction } from "../api/shared/route.ts";
import { enforceRateLimit, rateLimits } from "../http/rate-limits.ts";

export { postOnly as loader } from "../api/shared/route.ts";

const longestReport = 16 * 1024;
const mostReports = 20;

const directive = z.string().max(2_000);
/** `report-uri`: one report. */
const single = z
  .object({
    "csp-report": z.object({
      "effective-directive": directive.optional(),
      "violated-directive": directive.optional(),
    }),
  })
  .transform(({ "csp-report": report }) => [
    report["effective-directive"] ?? report["violated-directive"] ?? "",
  ]);
/** `report-to`: several reports, including other types. */
const several = z
  .array(
    z.object({ type: z.string(), body: z.object({ effectiveDirective: directive.optional() }).nullish() }),
  )
  .max(mostReports)
  .transform((reports) =>
    reports.flatMap(({ type, body }) => (type === "csp-violation" ? [body?.effectiveDirective ?? ""] : [])),
  );

export const action = rawAction(async (request, body) => {
  await enforceRateLimit(rateLimits.cspReport, request);
  if (!/^application\/(csp-report|reports\+json)(;|$)/i.test(request.raw.headers.get("content-type") ?? ""))
    throw new DomainError("unsupported_media_type", "Please send a report of a browser.");
  if (body.length > longestReport) throw new DomainError("too_large", msg("errors.tooLarge"));
  for (const blocked of parseOr400(z.union([single, several]), readJson(body))) countViolation(blocked);
  return new Response(null, { status: 204 });
});

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new DomainError("bad_request", "The request body isn't valid JSON.");
  }
}
