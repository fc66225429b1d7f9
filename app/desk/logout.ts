/** POST /desk/logout: ends the Desk session and clears its cookie. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { endStaffSession } from "#server/desk/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { emptySchema } from "../forms/schemas.ts";
import { clearStaffSession, signedOutAction, staffSessionOf } from "./route-builders.ts";

export { postOnly as loader } from "../api/shared/route.ts";

export const action = signedOutAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (request) => {
    const session = await staffSessionOf(request);
    if (session !== null) await endStaffSession(request.context.db, session.sessionId, new Date());
    await clearStaffSession(request);
    return redirect(paths.deskLogin(), 303);
  },
});
