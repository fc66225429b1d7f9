/** The forms' schemas with the specification's messages (docs/specification.md, section 5). Server only. */

import { z } from "zod";
import { notADomain } from "#server/catalogue/families/domain-message.ts";
import { usernamePattern } from "#server/catalogue/families/sign-in.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { msg, schemaMessage } from "#server/foundation/languages/text.ts";
import { isPlaceholder, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import { emailPattern } from "./email.ts";
import { prefixPattern, prefixRule } from "./tenant-prefix.ts";

export const maxText = 200;

/** A required text. @param label the field's label in the form */
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
  /** Set when the domain moves to us from another reseller. */
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

export const id = /^[0-9a-f-]{36}$/;

/** Subscription Details of an existing customer: one of its addresses, left out when there is only one. */
export const customerDetailsSchema = detailsSchema.extend({
  address: z.string().regex(id, schemaMessage("fields.companyAddress")).optional(),
});

/** The first step of buy more and renew: only the quantity, because the subscription has its term. */
export const changeDetailsSchema = customerDetailsSchema.omit({ term: true });

const whereMissing = schemaMessage("fields.destination");

/** Customer details with a tenant: an existing one, or a new one with a name. */
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

/** A required text with a message phrased as a question. */
function requiredText(missing: string, tooLong: string) {
  return z.string({ error: missing }).trim().min(1, missing).max(maxText, tooLong);
}

const firstNameMissing = schemaMessage("fields.firstName");

export const firstName = requiredText(firstNameMissing, schemaMessage("fields.firstNameTooLong")).refine(
  (text) => !isPlaceholder(text),
  firstNameMissing,
);

/** Empty for a person with one name, who types a placeholder sign. */
export const lastName = requiredText(
  schemaMessage("fields.lastName"),
  schemaMessage("fields.lastNameTooLong"),
).overwrite(withoutPlaceholder);

export const emailWrong = schemaMessage("fields.emailForm");

export const emailField = email(schemaMessage("fields.email"), emailWrong);

export const passwordMissing = schemaMessage("fields.password");

// The server limits the length, because the limit is in bytes.
export const passwordField = z.string({ error: passwordMissing }).min(1, passwordMissing);

/** The return address. Whether it is a path of ours is checked when it is used. */
export const next = z.string().max(500).optional();

/** A form that names the order it is about. */
export const orderOnlySchema = z.object({ order: z.string().regex(id) });

export const cartSchema = orderOnlySchema.extend({ intent: z.enum(["remove", "restore"]) });

export const emptySchema = z.object({});
