/** The answers of Create Account: what the form starts with, and their form as an address. */
import type { Address, AddressFields } from "#db/accounts/customers.ts";
import type { AccountAnswers } from "#db/orders/order.ts";

/** The answers of a buyer who has given none. Phone code, country and tax state have no empty value and are left out. */
export const emptyAccountAnswers: Omit<AccountAnswers, "phoneCode" | "country" | "gst_code"> = {
  companyName: "",
  email: "",
  firstName: "",
  lastName: "",
  phoneNumber: "",
  addressLine1: "",
  addressLine2: "",
  city: "",
  state: "",
  pincode: "",
  organisationRegistrationNumber: "",
};

/** The answers of Create Account that a saved address fills. */
export function answersFromAddress(address: Address): Partial<AccountAnswers> {
  return {
    gst_code: address.gstCode,
    addressLine1: address.addressLine1,
    addressLine2: address.addressLine2,
    city: address.city,
    state: address.state,
    pincode: address.pincode,
    country: address.country,
    organisationRegistrationNumber: address.organisationRegistrationNumber,
    email: address.email,
    firstName: address.firstName,
    lastName: address.lastName,
    phoneNumber: address.phone,
  };
}

/** The place among the answers. */
export function addressOfAnswers(answers: AccountAnswers): AddressFields {
  const { gst_code: gstCode, phoneNumber: phone, companyName: _, phoneCode: __, ...address } = answers;
  return { ...address, gstCode, phone };
}
