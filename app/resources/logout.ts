/** POST /logout: revokes the session, forgets the cookie, leads to the login. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { revokeSession } from "#server/accounts/sessions.ts";
import { emptySchema } from "../forms/schemas.ts";
import { clearSession, formAction } from "../http/page.ts";
import { paths } from "../paths.ts";

export { postOnly as loader } from "../calls/shared/route.ts";

export const action = formAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (page) => {
    if (page.session !== null) await revokeSession(page.context.db, page.session.sessionId);
    await clearSession(page);
    return redirect(paths.login(), 303);
  },
});
