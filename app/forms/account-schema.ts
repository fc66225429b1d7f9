/**
 * The account form of Create Account, for the page and for calls. It includes the server's own rules, checked together with
 * missing or malformed fields, so that a buyer gets every problem in one answer.
 */
import { z } from "zod";
import { countries, countryCodes, type PhoneCode, phoneForms } from "#server/countries/country.ts";
import { inGoodForm, problemsOf, type TaxAddress } from "#server/orders/account-rules.ts";
import { readPhone } from "./phone.ts";
import { addressChoiceSchema, email, flowLoginSchema, required, suggestionSchema } from "./schemas.ts";

/** Every field but gst_code is required. A company with two registration numbers may give either for both. */
export const accountShape = {
  companyName: required("Company Name"),
  email: email("Email field is required.", "Please enter valid email"),
  firstName: required("First Name"),
  lastName: required("Last Name"),
  phoneCode: z.enum(
    phoneForms.map(({ code }) => code),
    { error: "Country Code field is required." },
  ),
  phoneNumber: required("Phone Number"),
  addressLine1: required("Address Line 1"),
  addressLine2: required("Address Line 2"),
  city: required("City"),
  state: required("State"),
  // Whether it is missing, the country's rules say, in its own word.
  pincode: z.string().trim().max(40, "The postcode is too long.").optional(),
  country: z.enum(countryCodes, { error: "Country field is required." }),
  organisationRegistrationNumber: z
    .string()
    .trim()
    .max(40, "The registration number is too long.")
    .optional(),
  gst_code: z.string().trim().max(40, "GST Code is too long.").nullish(),
};

const text = z.string().trim().optional().catch(undefined);

/** The fields that the rules read. Some may be missing or have the wrong type. */
const looked = z.object({
  country: accountShape.country,
  state: text,
  pincode: text,
  organisationRegistrationNumber: text,
  gst_code: text,
  phoneCode: accountShape.phoneCode.optional().catch(undefined),
  phoneNumber: text,
  new_address: z.boolean().optional().catch(undefined),
});

interface Given extends TaxAddress {
  phoneCode?: PhoneCode | undefined;
  phoneNumber: string;
}

/**
 * Adds the rules between an account's fields, reported together with missing fields, and normalises the answers to their
 * stored form. When a saved address applies, the address fields sent beside it are not checked.
 */
export function withAccountRules<Schema extends z.ZodType<Given>>(schema: Schema) {
  return schema
    .superRefine(
      (sent, context) => {
        const { success, data: given } = looked.safeParse(sent);
        if (!success || given.new_address === false) return;
        const problems = problemsOf(given);
        const { phoneNumber = "" } = given;
        if (phoneNumber !== "" && phoneOf({ ...given, phoneNumber }) === null) {
          problems.phoneNumber = "Please enter valid phone number";
        }
        for (const [field, message] of Object.entries(problems)) {
          context.addIssue({ code: "custom", path: [field], message });
        }
      },
      // Run even when another field is invalid.
      { when: () => true },
    )
    .transform((given) => {
      const phone = phoneOf(given);
      return {
        ...inGoodForm(given),
        phoneCode: phone?.code ?? countries[given.country].phone.code,
        phoneNumber: phone?.number ?? given.phoneNumber,
      };
    });
}

function phoneOf({ country, phoneCode, phoneNumber }: Given) {
  return readPhone(phoneNumber, phoneCode ?? countries[country].phone.code, phoneForms);
}

export const accountFormSchema = withAccountRules(
  z.object({ intent: z.literal("account"), ...accountShape }),
);

/** The forms of Create Account. */
export const createAccountSchema = z.discriminatedUnion("intent", [
  accountFormSchema,
  addressChoiceSchema,
  flowLoginSchema,
  suggestionSchema,
]);
