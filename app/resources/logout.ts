/** POST /logout: revokes the session, clears the cookie and redirects to the login. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { revokeSession } from "#server/accounts/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { emptySchema } from "../forms/schemas.ts";
import { formAction } from "../http/page.ts";
import { clearSession } from "../http/request-context.ts";

export { postOnly as loader } from "../api/shared/route.ts";

export const action = formAction({
  params: z.unknown(),
  pageless: true,
  schema: emptySchema,
  handler: async (request) => {
    if (request.session !== null) await revokeSession(request.context.db, request.session.sessionId);
    await clearSession(request);
    return redirect(paths.login(), 303);
  },
});
