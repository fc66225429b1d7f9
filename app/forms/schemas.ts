/** The forms' schemas with the specification's messages (docs/specification.md, section 5). They run on the server alone. */

import { z } from "zod";
import { minNewPasswordLength, passwordLength } from "#server/accounts/new-password.ts";
import { memberRoles } from "#server/accounts/roles.ts";
import { notADomain } from "#server/catalogue/families/domain-message.ts";
import { usernamePattern } from "#server/catalogue/families/sign-in.ts";
import { parseMinor } from "#server/catalogue/pricing/money.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { msg, schemaMessage } from "#server/foundation/languages/text.ts";
import { isPlaceholder, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import { emailPattern } from "./email.ts";
import { prefixPattern, prefixRule } from "./tenant-prefix.ts";

export const maxText = 200;

/** A text that must be given. @param label the field's, as the form shows it */
export function required(label: PlainMessageKey) {
  const missing = requiredFieldMessage(label);
  return z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(maxText, schemaMessage("fields.tooLong", { label: msg(label) }));
}

export function requiredFieldMessage(label: PlainMessageKey): string {
  return schemaMessage("fields.required", { label: msg(label) });
}

const quantityRequired = schemaMessage("fields.quantity");
const domainRequired = schemaMessage("fields.domain");

/** Subscription Details. Only the server knows a plan's seat limits. */
export const detailsSchema = z.object({
  term: z.enum(["P1Y", "P1M"], { error: schemaMessage("fields.commitment") }),
  quantity: z
    .string({ error: quantityRequired })
    .trim()
    .regex(/^\d{1,9}$/, quantityRequired)
    .transform(Number)
    .refine((quantity) => quantity > 0, quantityRequired),
});

/** Converts an internationalised domain to the form that registrars store: bücher.example becomes xn--bcher-kva.example. */
function asciiDomain(text: string): string {
  // Any other text could be parsed as a URL whose host is not the text.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return text;
  return URL.canParse(`https://${text}`) ? new URL(`https://${text}`).hostname : text;
}

export const transferToken = z
  .string({ error: schemaMessage("fields.transferToken") })
  .trim()
  .min(1)
  .max(500);

/** Subscription Details for families sold to a domain. The server checks whether the domain is free. */
export const domainDetailsSchema = detailsSchema.extend({
  domain: z
    .string({ error: domainRequired })
    .trim()
    .toLowerCase()
    // The text may have been pasted from the address bar.
    .transform((text) => asciiDomain(text.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "")))
    .pipe(
      z
        .string()
        .min(1, domainRequired)
        .max(253, notADomain)
        .regex(
          /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/,
          notADomain,
        ),
    ),
  /** Asked for when the domain moves to us from another reseller. */
  transferToken: transferToken.optional(),
  /** Ticked by a buyer who gives the token after the payment. */
  transferLater: z.literal("on").optional(),
});

/** The administrator and the domain prefix of a new tenant. */
export const newTenantSchema = z.object({
  username: z
    .string({ error: requiredFieldMessage("forms.username") })
    .trim()
    .regex(usernamePattern, schemaMessage("fields.username")),
  prefix: z.string({ error: domainRequired }).trim().toLowerCase().regex(prefixPattern, prefixRule),
});

const id = /^[0-9a-f-]{36}$/;

/** Subscription Details of an existing customer: one of its addresses, left out when there is only one. */
export const customerDetailsSchema = detailsSchema.extend({
  address: z.string().regex(id, schemaMessage("fields.companyAddress")).optional(),
});

/** The first step of buy more and renew: only the quantity, because the subscription has its term. */
export const changeDetailsSchema = customerDetailsSchema.omit({ term: true });

const whereMissing = schemaMessage("fields.destination");

/** The same with a tenant: an existing one, or a new one with a name. */
export const tenantDetailsSchema = customerDetailsSchema
  .extend({
    destination: z
      .string({ error: whereMissing })
      .refine((chosen) => chosen === "new" || id.test(chosen), whereMissing),
    username: z.string().trim().optional(),
    prefix: z.string().trim().toLowerCase().optional(),
  })
  .superRefine((answers, context) => {
    if (answers.destination !== "new") return;
    for (const { path, message } of newTenantSchema.safeParse(answers).error?.issues ?? []) {
      context.addIssue({ code: "custom", path, message });
    }
  });

const baseMissing = schemaMessage("fields.base");

/** Subscription Details of an add-on: the base subscription it goes with. */
export const addOnDetailsSchema = customerDetailsSchema.extend({
  destination: z.string({ error: baseMissing }).regex(id, baseMissing),
});

/** An email address. @param missing message for an empty field; @param wrong message for an invalid address */
export const email = (missing: string, wrong: string) =>
  z.string({ error: missing }).trim().min(1, missing).regex(emailPattern, wrong);

const chooseOne = schemaMessage("fields.chooseOne");

/** The GST dialog: a choice must exist before Proceed. */
export const addressChoiceSchema = z
  .object({
    intent: z.literal("choose-address"),
    choice: z.string({ error: chooseOne }).regex(/^(gst|manual|saved:[0-9a-f-]{36})$/, chooseOne),
    // Allows a space after each character.
    gstin: z.string().trim().max(40, schemaMessage("fields.gstNumberForm")).optional(),
  })
  .refine(({ choice, gstin }) => choice !== "gst" || (gstin ?? "") !== "", {
    path: ["gstin"],
    error: schemaMessage("fields.gstNumber"),
  });

/** The dialog about an address that the vendor would write otherwise. */
export const suggestionSchema = z.object({
  intent: z.literal("use-address"),
  place: z.enum(["typed", "0", "1", "2"], { error: chooseOne }),
});

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

/** A text that must be given, where the form asks as one person asks another. */
function requiredText(missing: string, tooLong: string) {
  return z.string({ error: missing }).trim().min(1, missing).max(maxText, tooLong);
}
const firstNameMissing = schemaMessage("fields.firstName");
export const firstName = requiredText(firstNameMissing, schemaMessage("fields.firstNameTooLong")).refine(
  (text) => !isPlaceholder(text),
  firstNameMissing,
);
/** Empty for a person with one name, who types a sign. */
export const lastName = requiredText(
  schemaMessage("fields.lastName"),
  schemaMessage("fields.lastNameTooLong"),
).overwrite(withoutPlaceholder);

const emailWrong = schemaMessage("fields.emailForm");
export const emailField = email(schemaMessage("fields.email"), emailWrong);
const passwordMissing = schemaMessage("fields.password");
// The server limits the length, because the limit is in bytes.
export const passwordField = z.string({ error: passwordMissing }).min(1, passwordMissing);
/** The return address. Whether it is a path of ours is checked when it is used. */
export const next = z.string().max(500).optional();

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
  // The code is asked for where there are passkeys.
  z.object({
    intent: z.literal("begin"),
    ...secondFactorChange,
    code: z.string().max(40).optional().default(""),
  }),
  z.object({ intent: z.literal("confirm"), ...secondFactorChange }),
  z.object({ intent: z.literal("new-codes"), ...secondFactorChange }),
  z.object({ intent: z.literal("off"), ...secondFactorChange }),
]);

/** What a browser's authenticator has made or signed, as JSON. Empty where no script has filled it in. */
const passkeyAnswer = z
  .string({ error: schemaMessage("passkeys.needsScripts") })
  .min(1, schemaMessage("passkeys.needsScripts"));

export const passkeyOptionsSchema = z.object({ for: z.enum(["make", "sign-in"]) });

export const loginPasskeySchema = z.object({ response: passkeyAnswer.max(20_000), next });

/** An account's passkeys. The code is asked for once there is a second factor. */
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

/** The approval page: mail a link to an administrator, or recheck the domain's DNS record. */
export const approvalSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("ask"), email: emailField }),
  z.object({ intent: z.literal("look-up") }),
]);

/** Ends the session that is named, or all of them. */
export const sessionsSchema = z.object({
  session: z.string().regex(id, schemaMessage("errors.noPage")).optional(),
});

/** Which mails are wanted: a box that is not ticked is not posted. */
export const notificationsSchema = z.object({
  renewals: z.literal("on").optional(),
  reminders: z.literal("on").optional(),
});

const newPasswordMissing = schemaMessage("fields.newPassword");
/** A new password, whose rules are checked where it is set. */
export const newPassword = z.string({ error: newPasswordMissing }).min(1, newPasswordMissing);
/** A new password, typed twice: how long it is, is said together with how the two differ. */
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

const memberRole = z.enum(memberRoles, { error: schemaMessage("fields.role") });

/** An amount as typed, thousands separated or not, in minor units; null for an empty field. */
const amountOrNone = z
  .string()
  .optional()
  .transform((typed, context) => {
    const text = (typed ?? "").replace(/[,\s]/g, "");
    if (text === "") return null;
    const minor = parseMinor(text);
    if (minor === null) context.addIssue({ code: "custom", message: schemaMessage("rules.anAmount") });
    return minor;
  });

/** An owner's actions on the company's members, and its rules for orders. */
export const membersSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("invite"),
    email: email(schemaMessage("fields.anEmail"), emailWrong),
    role: memberRole,
  }),
  z.object({ intent: z.literal("withdraw"), invite: z.string().regex(id) }),
  z.object({ intent: z.literal("change-role"), member: z.string().regex(id), role: memberRole }),
  z.object({ intent: z.literal("remove"), member: z.string().regex(id) }),
  z.object({ intent: z.literal("require-second-factor") }),
  z.object({ intent: z.literal("leave-second-factor") }),
  z.object({
    intent: z.literal("rules"),
    approvalAbove: amountOrNone,
    includesOwners: z.literal("on").optional(),
  }),
  z.object({
    intent: z.literal("limits"),
    member: z.string().regex(id),
    perOrder: amountOrNone,
    perMonth: amountOrNone,
  }),
]);

const newMemberSchema = z.object({
  intent: z.literal("new"),
  firstName,
  lastName,
  password: z.string({ error: passwordMissing }).min(8, schemaMessage("fields.passwordLength")).max(1024),
});

/**
 * Answers an invitation with a new account, or with the signed-in one whatever else is posted. Joining replaces the session,
 * so the second press of a double-click arrives without one. It must not be read as a new account with its fields missing.
 */
export function inviteAnswerSchema(by: "new" | "accept") {
  return by === "new"
    ? z.discriminatedUnion("intent", [newMemberSchema, z.object({ intent: z.literal("accept") })])
    : z.object({ intent: z.literal("accept").catch("accept") });
}

/** A form that names the order it is about. */
export const orderOnlySchema = z.object({ order: z.string().regex(id) });

/** Giving licences back: first how many, then what was shown of it. */
export const cancellationSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("count"), seats: detailsSchema.shape.quantity }),
  z.object({
    intent: z.literal("confirm"),
    id: z.string().regex(id),
    give: z.string().regex(/^(all|[1-9]\d{0,8})$/),
    /** What comes back, as it was shown, in minor units. */
    total: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  }),
]);

/** The calendar of a company's renewals. */
export const renewalFeedSchema = z.object({
  intent: z.enum(["make", "end"]),
  amounts: z.literal("on").optional(),
});

export const renewalChoiceSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["keep", "stop", "undo"]) }),
  z.object({ intent: z.literal("fewer"), seats: detailsSchema.shape.quantity }),
]);

export const cartSchema = orderOnlySchema.extend({ intent: z.enum(["remove", "restore"]) });

/** My Data: an export, a deletion, or taking it back. */
export const myDataSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("export"), whose: z.enum(["own", "company"]) }),
  z.object({
    intent: z.literal("delete"),
    // Asked for where there is a second factor.
    code: z.string().trim().max(40).optional().default(""),
    currentPassword: z
      .string({ error: schemaMessage("myData.passwordMissing") })
      .min(1, schemaMessage("myData.passwordMissing"))
      .max(1024),
  }),
  z.object({ intent: z.literal("keep") }),
]);

export const emptySchema = z.object({});
