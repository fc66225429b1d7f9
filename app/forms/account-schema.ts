/**
 * The account form of Create Account, for the page and for calls. It includes the server's own rules, checked together with
 * missing or malformed fields, so that a buyer gets every problem in one answer.
 */

import { z } from "zod";
import type { PhoneCode } from "#server/foundation/countries/country.ts";
import {
  countries,
  countryCodes,
  localisedCountryText,
  phoneForms,
} from "#server/foundation/countries/registry.ts";
import { msg, schemaMessage, serializeMessage } from "#server/foundation/languages/text.ts";
import { isPlaceholder, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import {
  isWithoutRegistration,
  normaliseTaxAddress,
  problemsOf,
  type TaxAddress,
} from "#server/orders/account-rules.ts";
import { flowLoginSchema } from "./account-schemas.ts";
import { readPhone } from "./phone.ts";
import {
  addressChoiceSchema,
  email,
  maxText,
  required,
  requiredFieldMessage,
  suggestionSchema,
} from "./schemas.ts";

/** A required text that is not just a placeholder. */
const real = (label: Parameters<typeof required>[0]) =>
  required(label).refine((text) => !isPlaceholder(text), requiredFieldMessage(label));

/** Every field but gst_code is required. A company with two registration numbers may give either for both. */
export const accountShape = {
  companyName: real("createAccount.companyName"),
  email: email(requiredFieldMessage("createAccount.email"), schemaMessage("fields.validEmail")),
  firstName: real("createAccount.firstName"),
  // A person with one name may type a placeholder sign, which is not stored.
  lastName: required("createAccount.lastName").overwrite(withoutPlaceholder),
  phoneCode: z.enum(
    phoneForms.map(({ code }) => code),
    { error: requiredFieldMessage("createAccount.countryCode") },
  ),
  phoneNumber: required("createAccount.phoneNumber"),
  addressLine1: real("createAccount.addressLine1"),
  addressLine2: required("createAccount.addressLine2"),
  city: real("createAccount.city"),
  state: required("createAccount.state"),
  // The country's rules report a missing code, by its local name.
  pincode: z.string().trim().max(40).optional(),
  country: z.enum(countryCodes, { error: requiredFieldMessage("createAccount.country") }),
  organisationRegistrationNumber: z
    .string()
    .trim()
    .max(40, schemaMessage("fields.registrationTooLong"))
    .optional(),
  gst_code: z
    .string()
    .trim()
    .max(40, schemaMessage("fields.tooLong", { label: msg("createAccount.gstCode") }))
    .nullish(),
};

/** The form's checkboxes for empty fields: the field may then be empty, and is stored empty. */
const ticked = z.literal("on").optional();
const ticks = { noAddressLine2: ticked, noLastName: ticked, noRegistration: ticked };

function optionalText(label: Parameters<typeof required>[0]) {
  const tooLong = schemaMessage("fields.tooLong", { label: msg(label) });
  return z.string().trim().max(maxText, tooLong).optional().default("");
}

/** Replaces the fields that a checkbox may leave empty: whether they are required depends on it. */
const tickableFields = {
  lastName: optionalText("createAccount.lastName"),
  addressLine2: optionalText("createAccount.addressLine2"),
  ...ticks,
};

const text = z.string().trim().optional().catch(undefined);

/** The fields that the rules read. Some may be missing or have the wrong type. */
const looked = z.object({
  country: accountShape.country,
  companyName: text,
  city: text,
  state: text,
  pincode: text,
  organisationRegistrationNumber: text,
  gst_code: text,
  phoneCode: accountShape.phoneCode.optional().catch(undefined),
  phoneNumber: text,
  new_address: z.boolean().optional().catch(undefined),
  noRegistration: ticks.noRegistration.catch(undefined),
});

interface Given extends TaxAddress {
  lastName: string;
  addressLine2: string;
  noAddressLine2?: "on" | undefined;
  noLastName?: "on" | undefined;
  noRegistration?: "on" | undefined;
  phoneCode?: PhoneCode | undefined;
  phoneNumber: string;
}

/** Runs a rule even when another field is invalid. */
const always = { when: () => true };

/** Removes the checkboxes, which are not stored. */
const untick = { noAddressLine2: undefined, noLastName: undefined, noRegistration: undefined };

/**
 * Adds the rules between an account's fields, reported together with missing fields, and normalises the answers to their stored
 * form. When a saved address applies, the address fields in the same post are not checked.
 */
export function withAccountRules<Schema extends z.ZodType<Given>>(schema: Schema) {
  return schema
    .superRefine((sent, context) => {
      const { success, data: given } = looked.safeParse(sent);
      if (!success || given.new_address === false) return;
      const problems = problemsOf(given);
      if (given.noRegistration === undefined && isWithoutRegistration(given)) {
        const label = localisedCountryText(given.country, "registrationLabel");
        problems.organisationRegistrationNumber = msg("fields.required", { label });
      }
      const { phoneNumber = "" } = given;
      if (phoneNumber !== "" && phoneOf({ ...given, phoneNumber }) === null) {
        problems.phoneNumber = msg("fields.phone");
      }
      for (const [field, message] of Object.entries(problems)) {
        context.addIssue({ code: "custom", path: [field], message: serializeMessage(message) });
      }
    }, always)
    .transform((given) => {
      const phone = phoneOf(given);
      const { addressLine2, lastName, noAddressLine2, noLastName, noRegistration } = given;
      return {
        ...normaliseTaxAddress({
          ...given,
          ...(noRegistration !== undefined && { organisationRegistrationNumber: "" }),
        }),
        addressLine2: noAddressLine2 === undefined ? withoutPlaceholder(addressLine2) : "",
        lastName: noLastName === undefined ? withoutPlaceholder(lastName) : "",
        ...untick,
        phoneCode: phone?.code ?? countries[given.country].phone.code,
        phoneNumber: phone?.number ?? given.phoneNumber,
      };
    });
}

function phoneOf({ country, phoneCode, phoneNumber }: Pick<Given, "country" | "phoneCode" | "phoneNumber">) {
  return readPhone(phoneNumber, phoneCode ?? countries[country].phone.code, phoneForms);
}

/** Rule of the form only: a field may be empty only if its checkbox is ticked. */
function requireUnticked(
  sent: Partial<Pick<Given, "lastName" | "addressLine2" | "noLastName" | "noAddressLine2">>,
  context: z.RefinementCtx,
): void {
  const need = (field: "lastName" | "addressLine2", tick: "on" | undefined) => {
    if ((sent[field] ?? "") !== "" || tick !== undefined) return;
    context.addIssue({
      code: "custom",
      path: [field],
      message: requiredFieldMessage(`createAccount.${field}`),
    });
  };
  need("addressLine2", sent.noAddressLine2);
  need("lastName", sent.noLastName);
}

export const accountFormSchema = withAccountRules(
  z
    .object({ intent: z.literal("account"), ...accountShape, ...tickableFields })
    .superRefine(requireUnticked, always),
);

const { companyName: _, ...placeShape } = accountShape;
/** One of a company's places: the same form without the company's name. */
export const billingAddressFormSchema = withAccountRules(
  z.object({ ...placeShape, ...tickableFields }).superRefine(requireUnticked, always),
);

/** The forms of Create Account. */
export const createAccountSchema = z.discriminatedUnion("intent", [
  accountFormSchema,
  addressChoiceSchema,
  flowLoginSchema,
  suggestionSchema,
]);
