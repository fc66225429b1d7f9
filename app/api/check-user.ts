/** GET /check/user: whether an email has an account (SPEC section 7). Limited, so that it cannot list our customers. */
import { findUserByEmail } from "#server/accounts/users.ts";
import { anybody, apiLoader, z } from "../http/api.ts";

export { getOnly as action } from "../http/api.ts";

export const loader = apiLoader(
  {
    summary: "Whether an email has an account.",
    tag: "Account",
    access: anybody,
    limit: { name: "check-user", limit: 60, windowSeconds: 600 },
    query: z.object({ email: z.email().max(200) }),
    reply: z.object({ user: z.boolean() }),
  },
  async ({ context }, { email }) => ({ user: (await findUserByEmail(context.db, email)) !== null }),
);
