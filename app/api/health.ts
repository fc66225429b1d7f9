/** Health check for people: this process and its database respond. How the vendors' accounts are is in the metrics. */
import { requireAnswer } from "#server/operations/monitoring/readiness.ts";
import { apiLoader, publicAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether the store and its database answer.",
    tag: "Service",
    access: publicAccess,
    query: z.unknown(),
    reply: z.object({ ok: z.literal(true) }),
  },
  async ({ context }) => {
    await requireAnswer(context);
    return { ok: true as const };
  },
);
