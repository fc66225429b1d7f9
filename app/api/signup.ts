/** POST /api/signup: makes an account with a password (SPEC sections 3 and 7). */
import { signUp, userCreated } from "#server/accounts/sign-up.ts";
import { signUpSchema } from "../forms/schemas.ts";
import { jsonAction, z } from "../http/api.ts";
import { encoded } from "../http/encoded-text.ts";

export { postOnly as loader } from "../http/api.ts";

const { firstName, lastName, phoneNumber, email, password } = signUpSchema.shape;
const body = z.object({
  firstname: firstName,
  lastname: lastName,
  phonenumber: phoneNumber,
  encodedEmail: encoded(email),
  encodedPassword: encoded(password),
});

export const action = jsonAction(body, async ({ context, clientAddress }, sent) => {
  const account = {
    firstName: sent.firstname,
    lastName: sent.lastname,
    phone: sent.phonenumber,
    email: sent.encodedEmail,
    password: sent.encodedPassword,
  };
  await signUp(context.db, account, clientAddress);
  return { message: userCreated };
});
