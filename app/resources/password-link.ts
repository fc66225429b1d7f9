/** POST /account/password-link: mails the signed-in user a link for choosing a password and confirming their email. */
import { z } from "zod";
import { mailPasswordLink } from "#server/accounts/password-link.ts";
import * as paths from "#server/foundation/paths.ts";
import { emptySchema } from "../forms/schemas.ts";
import { formAction } from "../http/page.ts";
import { redirectWith, requireOwnAccount } from "../http/request-context.ts";

export { postOnly as loader } from "../api/shared/route.ts";

export const action = formAction({
  params: z.unknown(),
  pageless: true,
  schema: emptySchema,
  handler: async (request) => {
    const email = await mailPasswordLink(request.context.db, requireOwnAccount(request).userId);
    const message = request.text("account.linkEmailed", { email });
    return redirectWith(request, paths.account(), { type: "success", message });
  },
});
