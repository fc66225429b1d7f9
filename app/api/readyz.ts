/**
 * Readiness, for load balancers: whether this process accepts requests. Does not depend on providers
 * (server/operations/monitoring/readiness.ts).
 */
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { webReadiness } from "../http/monitoring.ts";
import { apiLoader, publicAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether requests may be sent to this process.",
    tag: "Service",
    access: publicAccess,
    query: z.unknown(),
    reply: z.object({ ready: z.literal(true) }),
  },
  async () => {
    if ((await webReadiness().check()) !== null) throw new DomainError("busy", msg("errors.busy"));
    return { ready: true as const };
  },
);
