/**
 * The account form of Create Account, for the page and for calls. Its rules are the server's own, asked together with what is
 * missing or malformed, so that a buyer hears everything in one answer.
 */
import { z } from "zod";
import { countries, countryCodes, type PhoneCode, phoneForms } from "#server/countries/country.ts";
import { inGoodForm, problemsOf, type TaxAddress } from "#server/orders/account-rules.ts";
import { readPhone } from "./phone.ts";
import { addressChoiceSchema, email, flowLoginSchema, required } from "./schemas.ts";

/** Every field but gst_code is required; of the two numbers of a company one may stand for both. */
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
  pincode: required("Pincode"),
  country: z.enum(countryCodes, { error: "Country field is required." }),
  organisationRegistrationNumber: z
    .string()
    .trim()
    .max(40, "Organisation Registration Number (GST or PAN) is too long.")
    .optional(),
  gst_code: z.string().trim().max(40, "GST Code is too long.").nullish(),
};

const text = z.string().trim().optional().catch(undefined);

/** What the rules look at, of answers of which some may be missing or of any kind. */
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
 * Adds the rules that hold between the fields of an account, told together with what is missing, and puts its answers in the form in
 * which they are kept. Where a saved address counts instead of what is sent beside it, nothing is asked of that.
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
      // Also when something else is wrong.
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

/** The three forms of Create Account. */
export const createAccountSchema = z.discriminatedUnion("intent", [
  accountFormSchema,
  addressChoiceSchema,
  flowLoginSchema,
]);
