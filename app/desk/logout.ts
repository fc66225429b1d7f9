/** POST /desk/logout: ends the desk's session and clears its cookie. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { endDeskSession } from "#server/desk/sessions.ts";
import * as paths from "#server/paths.ts";
import { emptySchema } from "../forms/schemas.ts";
import { clearDeskSession, deskSessionOf, entranceAction } from "./door.ts";

export { postOnly as loader } from "../calls/shared/route.ts";

export const action = entranceAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (request) => {
    const session = await deskSessionOf(request);
    if (session !== null) await endDeskSession(request.context.db, session.sessionId, new Date());
    await clearDeskSession(request);
    return redirect(paths.deskLogin(), 303);
  },
});
