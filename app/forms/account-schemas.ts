/** Schemas of the forms about a person's account: login, password, second factor, passkeys. Server only. */
import { z } from "zod";
import { minNewPasswordLength, passwordLength } from "#server/accounts/new-password.ts";
import { schemaMessage } from "#server/foundation/languages/text.ts";
import { emailPattern } from "./email.ts";
import { emailField, id, maxText, next, passwordField } from "./schemas.ts";

/** The login dialog inside the order flow. */
export const flowLoginSchema = z
  .object({
    intent: z.literal("login"),
    loginEmail: z.string().trim().max(maxText).optional().default(""),
    loginPassword: z.string().max(1024).optional().default(""),
  })
  .superRefine(({ loginEmail, loginPassword }, context) => {
    if (loginEmail === "" || loginPassword === "") {
      context.addIssue({
        code: "custom",
        path: ["loginEmail"],
        message: schemaMessage("fields.login"),
      });
    } else if (!emailPattern.test(loginEmail)) {
      context.addIssue({
        code: "custom",
        path: ["loginEmail"],
        message: schemaMessage("fields.loginEmail"),
      });
    }
  });

const secondCodeMissing = schemaMessage("twoStep.codeMissing");

/** A code of an authenticator app, or a recovery code. The server tells them apart. */
const secondCode = z
  .string({ error: secondCodeMissing })
  .trim()
  .min(1, secondCodeMissing)
  .max(40, secondCodeMissing);

/** The second step of a sign-in. */
export const loginCodeSchema = z.object({ code: secondCode, next });

/** Two-step sign-in: each change asks for a code, and for the password of an account that has one. */
const secondFactorChange = { code: secondCode, currentPassword: z.string().max(1024).optional().default("") };

export const secondFactorSchema = z.discriminatedUnion("intent", [
  // The code is required when the account has passkeys.
  z.object({
    intent: z.literal("begin"),
    ...secondFactorChange,
    code: z.string().max(40).optional().default(""),
  }),
  z.object({ intent: z.literal("confirm"), ...secondFactorChange }),
  z.object({ intent: z.literal("new-codes"), ...secondFactorChange }),
  z.object({ intent: z.literal("off"), ...secondFactorChange }),
]);

/** Response of a browser's authenticator, as JSON. Empty without scripts. */
const passkeyAnswer = z
  .string({ error: schemaMessage("passkeys.needsScripts") })
  .min(1, schemaMessage("passkeys.needsScripts"));

export const passkeyOptionsSchema = z.object({ for: z.enum(["make", "sign-in"]) });

export const loginPasskeySchema = z.object({ response: passkeyAnswer.max(20_000), next });

/** An account's passkeys. Changes require a code once there is a second factor. */
const signInChange = {
  currentPassword: z.string().max(1024).optional().default(""),
  code: z.string().trim().max(40).optional().default(""),
};

export const passkeysSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("add"),
    name: z
      .string({ error: schemaMessage("passkeys.nameMissing") })
      .trim()
      .min(1, schemaMessage("passkeys.nameMissing"))
      .max(60, schemaMessage("passkeys.nameTooLong")),
    response: passkeyAnswer.max(20_000),
    ...signInChange,
  }),
  z.object({
    intent: z.literal("remove"),
    id: z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/),
    ...signInChange,
  }),
]);

export const signInsSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("connect"), ...signInChange }),
  z.object({ intent: z.literal("remove"), key: z.string().min(3).max(800), ...signInChange }),
]);

export const loginSchema = z.object({ email: emailField, password: passwordField, next });

export const forgotPasswordSchema = z.object({ email: emailField });

/** A sign-in at an identity provider with an unverified email: request a code, enter it, or enter the account's password. */
export const identityProofSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("mail-code"), email: emailField }),
  z.object({
    intent: z.literal("code"),
    code: z
      .string({ error: schemaMessage("fields.code") })
      .trim()
      .regex(/^\d{4} ?\d{4}$/, schemaMessage("fields.codeForm")),
  }),
  z.object({ intent: z.literal("password"), password: passwordField }),
]);

/** Ends the named session, or all of them. */
export const sessionsSchema = z.object({
  session: z.string().regex(id, schemaMessage("errors.noPage")).optional(),
});

/** The wanted mails: an unticked box is not posted. */
export const notificationsSchema = z.object({
  renewals: z.literal("on").optional(),
  reminders: z.literal("on").optional(),
});

const newPasswordMissing = schemaMessage("fields.newPassword");

/** A new password, whose rules are checked where it is set. */
export const newPassword = z.string({ error: newPasswordMissing }).min(1, newPasswordMissing);

/** A new password, typed twice. Reports a wrong length together with a mismatch. */
const newPasswordFields = {
  password: newPassword.refine((typed) => typed === "" || passwordLength(typed) >= minNewPasswordLength, {
    error: schemaMessage("fields.passwordLength"),
  }),
  // When empty, it is reported as different, and only once the first password is given.
  confirmPassword: z.string().optional().default(""),
};

const typedTwice = z.object({ ...newPasswordFields, password: newPassword });

const isTypedTwice = (typed: { password: string; confirmPassword: string }) =>
  typed.password === typed.confirmPassword;

const differing = {
  path: ["confirmPassword"],
  error: schemaMessage("fields.passwordsDiffer"),
  // Reported together with other fields' errors, as soon as both passwords can be compared.
  when: ({ value }: { value: unknown }) => typedTwice.safeParse(value).success,
};

/** Setting a password from a mailed link. */
export const setPasswordSchema = z.object(newPasswordFields).refine(isTypedTwice, differing);

const currentPasswordMissing = schemaMessage("fields.currentPassword");

export const changePasswordSchema = z
  .object({
    currentPassword: z.string({ error: currentPasswordMissing }).min(1, currentPasswordMissing),
    ...newPasswordFields,
  })
  .refine(isTypedTwice, differing);

/** My Data: requests an export or a deletion, or cancels the deletion. */
export const myDataSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("export"), whose: z.enum(["own", "company"]) }),
  z.object({
    intent: z.literal("delete"),
    // Required when there is a second factor.
    code: z.string().trim().max(40).optional().default(""),
    currentPassword: z
      .string({ error: schemaMessage("myData.passwordMissing") })
      .min(1, schemaMessage("myData.passwordMissing"))
      .max(1024),
  }),
  z.object({ intent: z.literal("keep") }),
]);
