/** POST /api/login: returns the token and its user. Sets no cookie, because the caller keeps the token. */
import { logIn } from "#server/accounts/login.ts";
import { loginSchema } from "../forms/account-schemas.ts";
import { clientAndLocationOf } from "../http/device.ts";
import { encoded } from "../http/encoded-text.ts";
import { noteSession } from "../http/request-context.ts";
import { userFields } from "../http/user-fields.ts";
import { jsonAction, publicAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary:
      "Signs in and returns the Authorization token and the user. Returns 403 for accounts with two-step sign-in.",
    tag: "Account",
    access: publicAccess,
    refuses: [401, 403],
    limited: true,
    body: z.object({
      encodedEmail: encoded(loginSchema.shape.email).describe("base64 of the UTF-8 text"),
      encodedPassword: encoded(loginSchema.shape.password).describe("base64 of the UTF-8 text"),
    }),
    reply: z.object({
      token: z.string(),
      user: z.object({
        id: z.string(),
        email: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        customerId: z.string().describe("empty before the first order"),
        phone: z.string(),
        role: z.string(),
      }),
    }),
  },
  async (request, { encodedEmail, encodedPassword }) => {
    const { db, env } = request.context;
    const login = { email: encodedEmail, password: encodedPassword };
    const { token, user } = await logIn(db, env.SESSION_SECRETS, login, request.clientAddress);
    await noteSession(request, user, clientAndLocationOf(request));
    return { token, user: userFields(user) };
  },
);
