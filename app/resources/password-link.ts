/** POST /account/password-link: mails the signed-in user a link with which they choose a password and confirm their email. */
import { z } from "zod";
import { mailPasswordLink } from "#server/accounts/password-link.ts";
import { emptySchema } from "../forms/schemas.ts";
import { formAction, redirectWith, requireSession } from "../http/page.ts";
import { paths } from "../paths.ts";

export { postOnly as loader } from "../calls/shared/route.ts";

export const action = formAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (page) => {
    const email = await mailPasswordLink(page.context.db, requireSession(page).userId);
    const message = `We have mailed a link to ${email}. If no mail comes, look in your spam folder.`;
    return redirectWith(page, paths.account(), { type: "success", message });
  },
});
