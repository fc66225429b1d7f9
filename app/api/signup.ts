/** POST /api/signup: creates an account with a password. */
import { signUp, userCreated } from "#server/accounts/sign-up.ts";
import { english } from "#server/foundation/languages/text.ts";
import { signUpSchema } from "../forms/sign-up-schema.ts";
import { encoded } from "../http/encoded-text.ts";
import { jsonAction, publicAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

const { firstName, lastName, phoneNumber, email, password } = signUpSchema.shape;

export const action = jsonAction(
  {
    summary: "Creates an account with a password.",
    tag: "Account",
    access: publicAccess,
    refuses: [409],
    limited: true,
    body: z.object({
      firstname: firstName,
      lastname: lastName,
      phonenumber: phoneNumber,
      encodedEmail: encoded(email).describe("base64 of the UTF-8 text"),
      encodedPassword: encoded(password).describe("base64 of the UTF-8 text"),
    }),
    reply: z.object({ message: z.string() }),
  },
  async ({ context, clientAddress, language }, sent) => {
    const account = {
      firstName: sent.firstname,
      lastName: sent.lastname,
      phone: sent.phonenumber,
      email: sent.encodedEmail,
      password: sent.encodedPassword,
      language,
    };
    await signUp(context.db, account, clientAddress);
    return { message: english(userCreated) };
  },
);
