/** POST /reset-mail: asks for a reset link; the answer is the same for any email (SPEC section 7, DESIGN section 8). */
import { askForPasswordReset } from "#server/accounts/password-reset.ts";
import { forgotPasswordSchema } from "../forms/schemas.ts";
import { jsonAction } from "../http/api.ts";

export { postOnly as loader } from "../http/api.ts";

export const action = jsonAction(forgotPasswordSchema, async ({ context, clientAddress }, { email }) => {
  await askForPasswordReset(context.db, email, clientAddress);
  return { ok: true };
});
