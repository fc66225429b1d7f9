/** Liveness, for supervisors: reports that this process answers, regardless of its dependencies. */
import { apiLoader, publicAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether this process answers.",
    tag: "Service",
    access: publicAccess,
    query: z.unknown(),
    reply: z.object({ live: z.literal(true) }),
  },
  async () => ({ live: true as const }),
);
