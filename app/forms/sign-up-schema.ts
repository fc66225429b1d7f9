/** The sign-up form, for the page and for calls. Server only, because it needs the countries. */
import { z } from "zod";
import { countries, phoneForms, standardCountry } from "#server/foundation/countries/registry.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { readPhone } from "./phone.ts";
import { emailField, firstName, lastName, next, passwordField } from "./schemas.ts";

const phoneMissing = schemaMessage("access.phoneMissing");

/** Sign-up: no rule on the password's length (docs/decisions/accounts.md#passwords). */
export const signUpSchema = z.object({
  firstName,
  lastName,
  email: emailField,
  password: passwordField,
  phoneNumber: z
    .string({ error: phoneMissing })
    // The same normalisation that the page's script applies while typing.
    .transform(
      (text) =>
        readPhone(text, countries[standardCountry].phone.code, phoneForms)?.number ?? text.replace(/\D/g, ""),
    )
    .pipe(
      z
        .string({ error: phoneMissing })
        .min(1, phoneMissing)
        .regex(/^\d{10}$/, schemaMessage("access.phoneWrong")),
    ),
  next,
});
