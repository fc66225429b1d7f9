/** Actions that change a paid order as long as its vendor has not been called, and actions that complete it manually. */

import { z } from "zod";
import { parseId, type TenantId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { phoneForms } from "#server/foundation/countries/registry.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { isPlaceholder, typedLastName, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import {
  amendAddress,
  amendContact,
  amendTenantName,
  amendUsername,
  moveToTenant,
  prefixOf,
  usernameOf,
  whyNotChanged,
  whyNotMoved,
} from "#server/fulfilment/amend-order.ts";
import { otherTenants } from "#server/fulfilment/enter-tenant.ts";
import { markFulfilled, whyNotMarkedDone } from "#server/fulfilment/mark-fulfilled.ts";
import { editorRoles } from "../roles.ts";
import { type ActionField, defineAction } from "./action.ts";
import { orderSubject } from "./subjects.ts";

/** These actions decide who gets the purchase, so they need a step-up. */
const ofAccess = { subject: orderSubject, roles: editorRoles, needsStepUp: true } as const;

const given = (what: string, most = 200) =>
  z.string(`Enter ${what}.`).trim().min(1, `Enter ${what}.`).max(most, `Use ${most} characters or fewer.`);

/** Text for a vendor, which must not be a placeholder. */
const real = (what: string) => given(what).refine((text) => !isPlaceholder(text), `Enter ${what}.`);

const accountOf = ({ account }: Order) => account ?? null;
const text = (name: string, label: string, value: string | undefined, hint?: string): ActionField => ({
  name,
  label,
  kind: "text",
  value: value ?? "",
  ...(hint !== undefined && { hint }),
});

export const amendAddressAction = defineAction({
  label: "Change the address",
  explains:
    "Changes the company address sent to the vendor. State, country and GSTIN can't change because the invoice was issued with them. Try the order again afterwards.",
  ...ofAccess,
  asks: z.object({
    addressLine1: real("the first line of the address"),
    addressLine2: real("the second line of the address, or the city"),
    city: given("the city"),
    pincode: given("the postcode", 40),
    organisationRegistrationNumber: given("the registration number", 40),
  }),
  fields(order) {
    const account = accountOf(order);
    return [
      text("addressLine1", "Address line 1", account?.addressLine1),
      text("addressLine2", "Address line 2", account?.addressLine2),
      text("city", "City", account?.city),
      text("pincode", "Postcode", account?.pincode),
      text(
        "organisationRegistrationNumber",
        "Company registration number",
        account?.organisationRegistrationNumber,
      ),
    ];
  },
  whyNot: (order, { db }) => whyNotChanged(db, order, "address"),
  async perform(context, { id }, value, actor) {
    await amendAddress(context, id, value, actor);
    return { said: "Address changed. Now try the order again." };
  },
});

export const amendContactAction = defineAction({
  label: "Change the contact",
  explains:
    "Changes the contact sent to the vendor and the address for emails about this order. The store account doesn't change. Try the order again afterwards.",
  ...ofAccess,
  asks: z.object({
    firstName: real("the first name"),
    lastName: given("the last name").overwrite(withoutPlaceholder),
    email: z.email("Enter an email address.").max(254),
    phoneCode: z.enum(
      phoneForms.map(({ code }) => code),
      "Choose the country's code.",
    ),
    phoneNumber: given("the phone number", 20),
  }),
  fields(order) {
    const account = accountOf(order);
    return [
      text("firstName", "First name", account?.firstName),
      text("lastName", "Last name", account === null ? "" : typedLastName(account)),
      { ...text("email", "Email", account?.email), kind: "email" },
      {
        ...text("phoneCode", "Country's code", account?.phoneCode),
        kind: "choice",
        options: phoneForms.map(({ code }) => ({ value: code, label: code })),
      },
      text("phoneNumber", "Phone number", account?.phoneNumber, "Digits only, without the country code."),
    ];
  },
  whyNot: (order, { db }) => whyNotChanged(db, order, "contact"),
  async perform(context, { id }, value, actor) {
    const { digits } = phoneForms.find(({ code }) => code === value.phoneCode) ?? { digits: 0 };
    if (!new RegExp(`^[1-9]\\d{${Math.max(0, digits - 1)}}$`).test(value.phoneNumber))
      throw wrongField(
        "phoneNumber",
        `Enter the ${digits} digits of the number, without the country's code.`,
      );
    await amendContact(context, id, value, actor);
    return { said: "Contact changed." };
  },
});

export const amendTenantNameAction = defineAction({
  label: "Change account name",
  explains:
    "Changes the name of the account the vendor will create for this order. Agree it with the buyer, because the buyer signs in with it. Try the order again afterwards.",
  ...ofAccess,
  asks: z.object({ prefix: given("the name", 40).toLowerCase() }),
  fields: (order) => [
    text(
      "prefix",
      "Account name",
      prefixOf(order) ?? undefined,
      "Up to 27 lower-case letters and digits, without the suffix.",
    ),
  ],
  whyNot: (order, { db }) => whyNotChanged(db, order, "tenantName"),
  async perform(context, { id }, { prefix }, actor) {
    await amendTenantName(context, id, prefix, actor);
    return { said: "The account's name is changed. Try the order again." };
  },
});

export const amendUsernameAction = defineAction({
  label: "Change username",
  explains:
    "Changes the username created for the buyer in the new account. A password they've chosen stays the same. Try the order again afterwards.",
  ...ofAccess,
  asks: z.object({ username: given("the username", 63) }),
  fields: (order) => [
    text("username", "Username", usernameOf(order) ?? undefined, "The part before the @ sign."),
  ],
  whyNot: (order, { db }) => whyNotChanged(db, order, "username"),
  async perform(context, { id }, { username }, actor) {
    await amendUsername(context, id, username, actor);
    return { said: "The sign-in is changed. Try the order again." };
  },
});

export const moveToTenantAction = defineAction({
  label: "Move to another account",
  explains:
    "Moves the order to another verified account of the same company. The order continues immediately.",
  ...ofAccess,
  asks: z.object({
    tenant: z.string("Choose an account.").min(1, "Choose an account.").max(40),
    proof: given("proof that the buyer asked for this"),
  }),
  fields: async (order, { db }) => [
    {
      name: "tenant",
      label: "Account",
      kind: "choice",
      options: (await otherTenants(db, order)).map(({ id, domain, externalId }) => ({
        value: id,
        label: `${domain} (${externalId})`,
      })),
    },
    text("proof", "Proof", undefined, "Where the buyer asked for this, such as an email or ticket."),
  ],
  whyNot: (order, { db }) => whyNotMoved(db, order),
  async perform(context, { id }, { tenant, proof }, actor) {
    const tenantId = parseId<TenantId>(tenant);
    if (tenantId === null) throw wrongField("tenant", "Choose an account.");
    await moveToTenant(context, id, { tenantId, proof }, actor);
    return { said: "Order moved to the other account and restarted." };
  },
});

export const markFulfilledAction = defineAction({
  label: "Mark as done",
  explains:
    "For an order fulfilled manually in the vendor's console. We check with the vendor that the subscription you enter is active, for this product and with the same number of licenses. The buyer gets the usual email.",
  ...ofAccess,
  reason: { label: "What was done", hint: "Kept in the audit log." },
  asks: z.object({ reference: given("the vendor's ID of the subscription") }),
  fields: () => [text("reference", "Subscription", undefined, "The vendor's subscription ID.")],
  whyNot: whyNotMarkedDone,
  async perform(context, { id }, { reference }, actor) {
    const seen = await markFulfilled(context, id, reference, actor);
    return { said: `Order marked as done. The vendor shows ${seen}.` };
  },
});
