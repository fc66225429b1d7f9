/** POST /desk/view/end: ends the impersonation of this Desk session and redirects to the company. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { endImpersonations } from "#server/desk/impersonation.ts";
import * as paths from "#server/foundation/paths.ts";
import { emptySchema } from "../forms/schemas.ts";
import { impersonationCookie } from "../http/cookies.ts";
import { signedOutAction, staffSessionOf } from "./route-builders.ts";

export { postOnly as loader } from "../api/shared/route.ts";

export const action = signedOutAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (request) => {
    const { context, responseHeaders } = request;
    responseHeaders.append("Set-Cookie", await impersonationCookie(context.env).serialize("", { maxAge: 0 }));
    const session = await staffSessionOf(request);
    // The impersonation ended with the Desk session.
    if (session === null) return redirect(paths.deskLogin(), 303);
    const last = await context.db
      .transaction()
      .execute((trx) => endImpersonations(trx, session.sessionId, new Date()));
    return redirect(last === null ? paths.deskCustomers() : paths.deskCustomer(last), 303);
  },
});
