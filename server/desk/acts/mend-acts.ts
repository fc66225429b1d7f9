/** Acts that change what a paid order is carried out with, as long as its vendor has not been told, and that bring it to its end by hand. */
import { z } from "zod";
import { parseId, type TenantId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { phoneForms } from "#server/countries/country.ts";
import { wrongField } from "#server/errors.ts";
import { markDone, whyNotMarkedDone } from "#server/fulfilment/mark-done.ts";
import {
  changeAddress,
  changeContact,
  changeTenantName,
  changeUsername,
  moveToTenant,
  otherTenants,
  prefixOf,
  usernameOf,
  whyNotChanged,
  whyNotMoved,
} from "#server/fulfilment/mend.ts";
import { actingRoles } from "../roles.ts";
import { type ActField, act } from "./act.ts";
import { orderSubject } from "./subjects.ts";

/** They decide who gets what was paid for. */
const ofAccess = { subject: orderSubject, roles: actingRoles, needsStepUp: true } as const;

const given = (what: string, most = 200) =>
  z.string(`Enter ${what}.`).trim().min(1, `Enter ${what}.`).max(most, `At most ${most} characters.`);

const accountOf = ({ account }: Order) => account ?? null;
const text = (name: string, label: string, value: string | undefined, hint?: string): ActField => ({
  name,
  label,
  kind: "text",
  value: value ?? "",
  ...(hint !== undefined && { hint }),
});

export const changeAddressAct = act({
  label: "Change the address",
  explains:
    "Changes where the buyer's company is, as the vendor will be told. State, country and GSTIN stay: the invoice was issued with them. Then try the order again.",
  ...ofAccess,
  asks: z.object({
    addressLine1: given("the first line of the address"),
    addressLine2: given("the second line of the address"),
    city: given("the city"),
    pincode: given("the postcode", 40),
    organisationRegistrationNumber: given("the registration number", 40),
  }),
  fields(order) {
    const account = accountOf(order);
    return [
      text("addressLine1", "Address, first line", account?.addressLine1),
      text("addressLine2", "Address, second line", account?.addressLine2),
      text("city", "City", account?.city),
      text("pincode", "Postcode", account?.pincode),
      text(
        "organisationRegistrationNumber",
        "Registration number of the company",
        account?.organisationRegistrationNumber,
      ),
    ];
  },
  hindrance: (order, { db }) => whyNotChanged(db, order, "address"),
  async perform(context, { id }, value, performer) {
    await changeAddress(context, id, value, performer);
    return { said: "The address is changed. Try the order again." };
  },
});

export const changeContactAct = act({
  label: "Change the contact",
  explains:
    "Changes whom the vendor is told of, and where the mails of this order go from now on. The account in the store stays whose it is. Then try the order again.",
  ...ofAccess,
  asks: z.object({
    firstName: given("the first name"),
    lastName: given("the last name"),
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
      text("lastName", "Last name", account?.lastName),
      { ...text("email", "Email", account?.email), kind: "email" },
      {
        ...text("phoneCode", "Country's code", account?.phoneCode),
        kind: "choice",
        options: phoneForms.map(({ code }) => ({ value: code, label: code })),
      },
      text("phoneNumber", "Phone number", account?.phoneNumber, "Digits, without the country's code."),
    ];
  },
  hindrance: (order, { db }) => whyNotChanged(db, order, "contact"),
  async perform(context, { id }, value, performer) {
    const { digits } = phoneForms.find(({ code }) => code === value.phoneCode) ?? { digits: 0 };
    if (!new RegExp(`^[1-9]\\d{${Math.max(0, digits - 1)}}$`).test(value.phoneNumber))
      throw wrongField(
        "phoneNumber",
        `Enter the ${digits} digits of the number, without the country's code.`,
      );
    await changeContact(context, id, value, performer);
    return { said: "The contact is changed." };
  },
});

export const changeTenantNameAct = act({
  label: "Take another account name",
  explains:
    "Changes the name of the account that the vendor will make for this order. Agree on it with the buyer, who signs in with it. Then try the order again.",
  ...ofAccess,
  asks: z.object({ prefix: given("the name", 40).toLowerCase() }),
  fields: (order) => [
    text(
      "prefix",
      "Account name",
      prefixOf(order) ?? undefined,
      "Small letters and digits, at most 27, without its ending.",
    ),
  ],
  hindrance: (order, { db }) => whyNotChanged(db, order, "tenantName"),
  async perform(context, { id }, { prefix }, performer) {
    await changeTenantName(context, id, prefix, performer);
    return { said: "The account's name is changed. Try the order again." };
  },
});

export const changeUsernameAct = act({
  label: "Change the sign-in",
  explains:
    "Changes the name of the user that will be made for the buyer in the new account. A password that the buyer has chosen stays. Then try the order again.",
  ...ofAccess,
  asks: z.object({ username: given("the username", 63) }),
  fields: (order) => [
    text("username", "Username", usernameOf(order) ?? undefined, "The part before the @ sign."),
  ],
  hindrance: (order, { db }) => whyNotChanged(db, order, "username"),
  async perform(context, { id }, { username }, performer) {
    await changeUsername(context, id, username, performer);
    return { said: "The sign-in is changed. Try the order again." };
  },
});

export const moveOrderAct = act({
  label: "Move to another account",
  explains:
    "Has the order go into another account of the same company, which has proven that the account is its own. The order goes on at once.",
  ...ofAccess,
  asks: z.object({
    tenant: z.string("Choose an account.").min(1, "Choose an account.").max(40),
    proof: given("what shows that the buyer wants it there"),
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
    text("proof", "Proof", undefined, "Where the buyer asked for it: a mail, a ticket."),
  ],
  hindrance: (order, { db }) => whyNotMoved(db, order),
  async perform(context, { id }, { tenant, proof }, performer) {
    const tenantId = parseId<TenantId>(tenant);
    if (tenantId === null) throw wrongField("tenant", "Choose an account.");
    await moveToTenant(context, id, { tenantId, proof }, performer);
    return { said: "The order is on its way into the other account." };
  },
});

export const markDoneAct = act({
  label: "Mark as done",
  explains:
    "For an order that was carried out by hand in the vendor's own console. The vendor is asked for the subscription that you name; it must be active, of this product and with as many licences. The buyer gets the usual mail.",
  ...ofAccess,
  reason: { label: "What was done", hint: "Stays in the audit log." },
  asks: z.object({ reference: given("the vendor's id of the subscription") }),
  fields: () => [
    text("reference", "Subscription", undefined, "The vendor's id of what was bought, changed or renewed."),
  ],
  hindrance: whyNotMarkedDone,
  async perform(context, { id }, { reference }, performer) {
    const seen = await markDone(context, id, reference, performer);
    return { said: `The order is done. The vendor shows ${seen}.` };
  },
});
