/** POST /reset-mail: requests a reset link. The answer is the same for every email. */
import { requestPasswordReset } from "#server/accounts/password-reset.ts";
import { forgotPasswordSchema } from "../forms/account-schemas.ts";
import { jsonAction, publicAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Requests a reset link by email. The response is the same for any email.",
    tag: "Account",
    access: publicAccess,
    limited: true,
    body: forgotPasswordSchema,
    reply: z.object({ ok: z.literal(true) }),
  },
  async ({ context, clientAddress }, { email }) => {
    await requestPasswordReset(context.db, email, clientAddress);
    return { ok: true as const };
  },
);
