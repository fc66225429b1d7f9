/** POST /account/mailed-code: emails the signed-in user a code, for an account that has no password. */
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { mailCode } from "#server/accounts/mailed-code.ts";
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
    const email = await mailCode(request.context.db, requireOwnAccount(request).userId);
    const message = request.text("account.codeEmailed", { email });
    return redirectWith(request, safeReturnPath(request.url.searchParams.get("next"), paths.account()), {
      type: "success",
      message,
    });
  },
});
