/** GET /check/user: whether an email has an account. Rate limited, so that it cannot be used to enumerate our customers. */
import { findUserByEmail } from "#server/accounts/users.ts";
import { forgotPasswordSchema } from "../forms/account-schemas.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { apiLoader, publicAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "Whether an email has an account.",
    tag: "Account",
    access: publicAccess,
    limit: rateLimits.checkUser,
    query: forgotPasswordSchema,
    reply: z.object({ user: z.boolean() }),
  },
  async ({ context }, { email }) => ({ user: (await findUserByEmail(context.db, email)) !== null }),
);
