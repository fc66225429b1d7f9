/** GET /api/validate-token: whether the token in the Authorization header, or this browser's session, is valid. */
import { apiLoader, optionalSessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether the token, or this browser's session, is valid.",
    tag: "Account",
    access: optionalSessionAccess,
    query: z.unknown(),
    reply: z.object({ valid: z.boolean() }),
  },
  async ({ session }) => ({ valid: session !== null }),
);
