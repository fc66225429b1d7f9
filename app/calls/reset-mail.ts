/** POST /reset-mail: requests a reset link. The answer is the same for every email. */
import { askForPasswordReset } from "#server/accounts/password-reset.ts";
import { forgotPasswordSchema } from "../forms/schemas.ts";
import { anybody, jsonAction, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Asks for a reset link by mail; the answer is the same for any email.",
    tag: "Account",
    access: anybody,
    limited: true,
    body: forgotPasswordSchema,
    reply: z.object({ ok: z.literal(true) }),
  },
  async ({ context, clientAddress }, { email }) => {
    await askForPasswordReset(context.db, email, clientAddress);
    return { ok: true as const };
  },
);
