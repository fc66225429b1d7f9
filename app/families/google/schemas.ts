/** The schemas of Google Sign-In, with the specification's messages (docs/specification.md, section 5). */
import { z } from "zod";
import { usernamePattern } from "#server/catalogue/families/sign-in.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { transferToken } from "../../forms/schemas.ts";

const googlePasswordRule = schemaMessage("families.googlePassword");

/** Google Sign-In: an administrator with a password. */
export const googleAdministratorSchema = z.object({
  mode: z.literal("google-new"),
  username: z
    .string({ error: schemaMessage("families.usernameRequired") })
    .trim()
    .toLowerCase()
    .regex(usernamePattern, schemaMessage("fields.username")),
  password: z
    .string({ error: googlePasswordRule })
    .max(100, googlePasswordRule)
    .regex(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$/, googlePasswordRule),
});

/** Google Sign-In: the transfer token of a customer who moves to us from another reseller. */
export const googleTransferSchema = z.object({
  mode: z.literal("google-transfer"),
  transferToken,
});

export const googleSignInSchema = z.discriminatedUnion("mode", [
  googleAdministratorSchema,
  googleTransferSchema,
]);
