/** POST /api/logout: ends the token's session, for clients that store a token. Browsers log out with POST /logout. */
import { revokeSession } from "#server/accounts/sessions.ts";
import { jsonAction, sessionAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Signs out and revokes the token.",
    tag: "Account",
    access: sessionAccess,
    bodyless: true,
    body: z.unknown(),
    reply: z.object({ ok: z.literal(true) }),
  },
  async ({ context, session }) => {
    await revokeSession(context.db, session.sessionId);
    return { ok: true as const };
  },
);
