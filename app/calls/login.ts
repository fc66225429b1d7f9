/** POST /api/login: returns the token and its user. Sets no cookie, because the caller keeps the token. */
import { noteDevice } from "#server/accounts/devices.ts";
import { logIn } from "#server/accounts/login.ts";
import { loginSchema } from "../forms/schemas.ts";
import { clientAndPlaceOf } from "../http/device.ts";
import { encoded } from "../http/encoded-text.ts";
import { userFields } from "../http/user-fields.ts";
import { anybody, jsonAction, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary:
      "Logs in: the token for the Authorization header, and who holds it. An account with two-step sign-in is refused with 403.",
    tag: "Account",
    access: anybody,
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
    await noteDevice(db, user.sessionId, clientAndPlaceOf(request));
    return { token, user: userFields(user) };
  },
);
