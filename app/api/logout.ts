/** POST /logout: revokes the session, forgets the cookie, leads to the login. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { revokeSession } from "#server/accounts/sessions.ts";
import { emptySchema } from "../forms/schemas.ts";
import { sessionCookie } from "../http/cookies.ts";
import { formAction } from "../http/page.ts";
import { paths } from "../paths.ts";

export { postOnly as loader } from "../http/api.ts";

export const action = formAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async ({ context, session, headers }) => {
    if (session !== null) await revokeSession(context.db, session.sessionId);
    headers.append("Set-Cookie", await sessionCookie(context.env).serialize("", { maxAge: 0 }));
    return redirect(paths.login(), 303);
  },
});
