/** The sign-up form, for the page and for calls. Server only, because it needs the countries. */
import { z } from "zod";
import { countries, phoneForms, standardCountry } from "#server/countries/country.ts";
import { readPhone } from "./phone.ts";
import { asked, emailField, next, passwordField } from "./schemas.ts";

/** Sign-up: no rule on the password's length (docs/decisions/passwords.md). */
export const signUpSchema = z.object({
  firstName: asked("first name"),
  lastName: asked("last name"),
  email: emailField,
  password: passwordField,
  phoneNumber: z
    .string({ error: "Please enter your phone number" })
    // The same normalisation that the page's script applies while typing.
    .transform(
      (text) =>
        readPhone(text, countries[standardCountry].phone.code, phoneForms)?.number ?? text.replace(/\D/g, ""),
    )
    .pipe(
      z
        .string({ error: "Please enter your phone number" })
        .min(1, "Please enter your phone number")
        .regex(/^\d{10}$/, "Phone number must be 10 digits long"),
    ),
  next,
});
