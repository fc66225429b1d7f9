/** GET /check/user: whether an email has an account (SPEC section 7). Limited, so that it cannot list our customers. */
import { findUserByEmail } from "#server/accounts/users.ts";
import { networkOf } from "#server/security/network.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import { apiLoader, z } from "../http/api.ts";

export const loader = apiLoader(z.object({ email: z.email().max(200) }), async (page, { email }) => {
  const { db } = page.context;
  await consumeRateLimit(db, {
    name: "check-user",
    key: networkOf(page.clientAddress),
    limit: 60,
    windowSeconds: 600,
  });
  return { user: (await findUserByEmail(db, email)) !== null };
});
