/** POST /api/login: the token and who holds it (SPEC sections 3 and 7). Sets no cookie: its caller keeps the token. */
import { logIn } from "#server/accounts/login.ts";
import { loginSchema } from "../forms/schemas.ts";
import { jsonAction, z } from "../http/api.ts";
import { encoded } from "../http/encoded-text.ts";
import { userFields } from "../http/user-fields.ts";

export { postOnly as loader } from "../http/api.ts";

const body = z.object({
  encodedEmail: encoded(loginSchema.shape.email),
  encodedPassword: encoded(loginSchema.shape.password),
});

export const action = jsonAction(body, async (page, { encodedEmail, encodedPassword }) => {
  const { db, env } = page.context;
  const login = { email: encodedEmail, password: encodedPassword };
  const { token, user } = await logIn(db, env.SESSION_SECRET, login, page.clientAddress);
  return { token, user: userFields(user) };
});
