/** The answers of Create Account: the form's initial values, and their conversion to and from an address. */
import type { Address, AddressFields } from "#db/accounts/customers.ts";
import type { AccountAnswers } from "#db/orders/order.ts";

/** The empty form. Phone code, country and tax state have no empty value and are left out. */
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

/** Converts a saved address to answers of Create Account. */
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

/** Converts answers to the fields of an address. */
export function addressOfAnswers(answers: AccountAnswers): AddressFields {
  const { gst_code: gstCode, phoneNumber: phone, companyName: _, phoneCode: __, ...address } = answers;
  return { ...address, gstCode, phone };
}
