/** `/calendar/{token}.ics`: a company's renewals for calendar programs, which poll it. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { notFound } from "#server/foundation/errors.ts";
import { readFeed } from "#server/orders/renewal-feed.ts";
import { fileLoader, requireParams } from "../api/shared/route.ts";
import { enforceRateLimit, rateLimits } from "../http/rate-limits.ts";

const params = z.object({
  file: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_-]{20,}\.ics$/)
    .transform((file) => file.slice(0, -".ics".length)),
});

export const loader = fileLoader(async (request, given) => {
  const { file: token } = requireParams(params, given);
  await enforceRateLimit(rateLimits.calendar, request);
  const body = await readFeed(request.context, token, new Date());
  if (body === null) throw notFound();
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = { ETag: etag, "Cache-Control": "private, max-age=3600" };
  if (request.raw.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="renewals.ics"',
    },
  });
});
