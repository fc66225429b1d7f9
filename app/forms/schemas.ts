/**
 * The forms' schemas with the specification's messages (docs/specification.md, section 5). They also run in the browser, so
 * they take only words and rules from the server.
 */
import { z } from "zod";
import { notADomain } from "#server/families/domain-words.ts";
import { quantityRequired } from "#server/pricing/quantity.ts";
import { emailPattern } from "./email.ts";
import { prefixPattern, prefixRule } from "./tenant-prefix.ts";

export const maxText = 200;

export const required = (label: string) =>
  z
    .string({ error: `${label} field is required.` })
    .trim()
    .min(1, `${label} field is required.`)
    .max(maxText, `${label} is too long.`);

/** Subscription Details. Only the server knows a plan's seat limits. */
export const detailsSchema = z.object({
  term: z.enum(["P1Y", "P1M"], { error: "Please choose a commitment" }),
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

export const transferToken = z.string({ error: "Please enter the transfer token" }).trim().min(1).max(500);

/** Subscription Details for families sold to a domain. The server checks whether the domain is free. */
export const domainDetailsSchema = detailsSchema.extend({
  domain: z
    .string({ error: "Domain is required" })
    .trim()
    .toLowerCase()
    // The text may have been pasted from the address bar.
    .transform((text) => asciiDomain(text.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "")))
    .pipe(
      z
        .string()
        .min(1, "Domain is required")
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

export const usernamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** The administrator and the domain prefix of a new tenant. */
export const newTenantSchema = z.object({
  username: z
    .string({ error: "Username field is required." })
    .trim()
    .regex(
      usernamePattern,
      "Use letters, digits, dots, hyphens and underscores, beginning with a letter or digit",
    ),
  prefix: z.string({ error: "Domain is required" }).trim().toLowerCase().regex(prefixPattern, prefixRule),
});

const id = /^[0-9a-f-]{36}$/;

/** Subscription Details of an existing customer: one of its addresses, left out when there is only one. */
export const customerDetailsSchema = detailsSchema.extend({
  address: z.string().regex(id, "Please choose one of your company's addresses.").optional(),
});

/** The first step of buy more and renew: only the quantity, because the subscription has its term. */
export const changeDetailsSchema = customerDetailsSchema.omit({ term: true });

const whereMissing = "Please choose where to add the subscription.";

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

const baseMissing = "Please choose the subscription it goes with.";

/** Subscription Details of an add-on: the base subscription it goes with. */
export const addOnDetailsSchema = customerDetailsSchema.extend({
  destination: z.string({ error: baseMissing }).regex(id, baseMissing),
});

/** An email address. @param missing message for an empty field; @param wrong message for an invalid address */
export const email = (missing: string, wrong: string) =>
  z.string({ error: missing }).trim().min(1, missing).regex(emailPattern, wrong);

/** The GST dialog: a choice must exist before Proceed. */
export const addressChoiceSchema = z
  .object({
    intent: z.literal("choose-address"),
    choice: z
      .string({ error: "Please choose one" })
      .regex(/^(gst|manual|saved:[0-9a-f-]{36})$/, "Please choose one"),
    // Allows a space after each character.
    gstin: z.string().trim().max(40, "Please enter a valid GST number").optional(),
  })
  .refine(({ choice, gstin }) => choice !== "gst" || (gstin ?? "") !== "", {
    path: ["gstin"],
    error: "Please enter a GST number",
  });

/** The dialog about an address that the vendor would write otherwise. */
export const suggestionSchema = z.object({
  intent: z.literal("use-address"),
  place: z.enum(["typed", "0", "1", "2"], { error: "Please choose one" }),
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
        message: "Username or password must not be empty",
      });
    } else if (!emailPattern.test(loginEmail)) {
      context.addIssue({
        code: "custom",
        path: ["loginEmail"],
        message: "Username must be a valid Email address (e.g., you@company.com)",
      });
    }
  });

export const asked = (what: string) => {
  const message = `Please enter your ${what}`;
  return z.string({ error: message }).trim().min(1, message).max(maxText, `Your ${what} is too long`);
};

export const emailField = email("Please enter your email", "Please enter a valid email");
// The server limits the length, because the limit is in bytes.
export const passwordField = z
  .string({ error: "Please enter your password" })
  .min(1, "Please enter your password");
/** The return address. Whether it is a path of ours is checked when it is used. */
export const next = z.string().max(500).optional();

export const loginSchema = z.object({ email: emailField, password: passwordField, next });

export const forgotPasswordSchema = z.object({ email: emailField });

/** An Outlook sign-in with an unverified email: request a code, enter it, or enter the account's password. */
export const outlookProofSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("mail-code"), email: emailField }),
  z.object({
    intent: z.literal("code"),
    code: z
      .string({ error: "Please enter the code" })
      .trim()
      .regex(/^\d{4} ?\d{4}$/, "The code has 8 digits"),
  }),
  z.object({ intent: z.literal("password"), password: passwordField }),
]);

/** The approval page: mail a link to an administrator, or recheck the domain's DNS record. */
export const approvalSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("ask"), email: emailField }),
  z.object({ intent: z.literal("look-up") }),
]);

const passwordsDiffer = "Password do not match!";
/** A new password, typed twice. The server checks its length. */
const newPasswordFields = {
  password: z.string({ error: "Please enter a new password." }).min(1, "Please enter a new password."),
  // When empty, it is reported as different, and only once the first password is given.
  confirmPassword: z.string().optional().default(""),
};
const isTypedTwice = (typed: { password: string; confirmPassword: string }) =>
  typed.password === typed.confirmPassword;
const differing = {
  path: ["confirmPassword"],
  error: passwordsDiffer,
  // Reported together with other fields' errors, as soon as both passwords can be compared.
  when: ({ value }: { value: unknown }) => z.object(newPasswordFields).safeParse(value).success,
};

/** Setting a password from a mailed link. */
export const setPasswordSchema = z.object(newPasswordFields).refine(isTypedTwice, differing);

export const changePasswordSchema = z
  .object({
    currentPassword: z
      .string({ error: "Please enter your current password." })
      .min(1, "Please enter your current password."),
    ...newPasswordFields,
  })
  .refine(isTypedTwice, differing);

const memberRole = z.enum(["owner", "buyer", "viewer"], { error: "Please choose a role" });

/** An owner's actions on the company's members. */
export const membersSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("invite"),
    email: email("Please enter an email", "Please enter a valid email"),
    role: memberRole,
  }),
  z.object({ intent: z.literal("withdraw"), invite: z.string().regex(id) }),
  z.object({ intent: z.literal("change-role"), member: z.string().regex(id), role: memberRole }),
  z.object({ intent: z.literal("remove"), member: z.string().regex(id) }),
]);

const newMemberSchema = z.object({
  intent: z.literal("new"),
  firstName: z.string({ error: "Please enter your first name" }).trim().min(1).max(maxText),
  lastName: z.string({ error: "Please enter your last name" }).trim().min(1).max(maxText),
  password: z
    .string({ error: "Please enter your password" })
    .min(8, "Password must be at least 8 characters long.")
    .max(1024),
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

export const cartSchema = orderOnlySchema.extend({ intent: z.enum(["remove", "restore"]) });

export const emptySchema = z.object({});
