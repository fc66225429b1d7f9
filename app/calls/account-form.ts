/** The account form of the calls (SPEC section 3): the page's own fields, and what the specification sends beside them. */
import { z } from "zod";
import { type AddressId, parseId } from "#db/ids.ts";
import type { AccountAnswers } from "#server/orders/order.ts";
import { accountFormSchema } from "../forms/schemas.ts";
import { flag, note } from "./fields.ts";

const { intent: _intent, phoneCode, gst_code: _gst, ...fields } = accountFormSchema.shape;

export const accountFields = {
  ...fields,
  phoneCode: phoneCode.optional().describe("left out: +91 for India, +1 for the USA"),
  gst_code: z
    .string()
    .trim()
    .max(20)
    .nullish()
    .transform((text) => (text == null || text === "" ? null : text)),
  new_address: flag.optional().describe("false: the saved address named by address_id counts"),
  address_id: z.string().max(64).optional().describe("one of the company's saved addresses"),
  isCustomer: flag.optional(),
  customerId: note.describe("the company of the account; another's is not found"),
};
const accountBody = z.object(accountFields);

export function answersOf(sent: z.output<typeof accountBody>): AccountAnswers {
  return {
    companyName: sent.companyName,
    email: sent.email,
    firstName: sent.firstName,
    lastName: sent.lastName,
    phoneCode: sent.phoneCode ?? (sent.country === "IN" ? "+91" : "+1"),
    phoneNumber: sent.phoneNumber,
    addressLine1: sent.addressLine1,
    addressLine2: sent.addressLine2,
    city: sent.city,
    state: sent.state,
    pincode: sent.pincode,
    country: sent.country,
    organisationRegistrationNumber: sent.organisationRegistrationNumber,
    gst_code: sent.gst_code,
  };
}

export function addressIdOf(sent: z.output<typeof accountBody>): AddressId | null {
  return sent.new_address === false ? parseId<AddressId>(sent.address_id) : null;
}
