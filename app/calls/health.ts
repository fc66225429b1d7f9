/** Health check for load balancers: this process and its database respond. */
import { anybody, apiLoader, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether the store and its database answer.",
    tag: "Service",
    access: anybody,
    query: z.unknown(),
    reply: z.object({ ok: z.literal(true) }),
  },
  async ({ context }) => {
    await context.ping();
    return { ok: true as const };
  },
);
