/** GET /api/get/cust: a company by its id, for its members. */
import { listAddresses } from "#server/accounts/customers.ts";
import { companyFor } from "./shared/company.ts";
import { addressField } from "./shared/fields.ts";
import { apiLoader, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "A company and its addresses; without an id, the one of the account.",
    notes: "Of an account without a company `customer` is false and `data` empty.",
    tag: "Customer",
    access: sessionAccess,
    refuses: [404],
    query: z.object({ id: z.string().max(64).optional().describe("the customerId") }),
    reply: z.object({
      customer: z.boolean(),
      data: z.object({
        id: z.string(),
        name: z.string(),
        addresses: z
          .array(addressField.extend({ id: z.string() }))
          .describe("the default first, then the newest"),
      }),
    }),
  },
  async (request, { id = "" }) => {
    const requested = id === "" ? (request.session.customer?.id ?? null) : id;
    if (requested === null) return { customer: false, data: { id: "", name: "", addresses: [] } };
    const company = await companyFor(request, requested);
    const addresses = (await listAddresses(request.context.db, company.id)).map((address) => ({
      id: address.id,
      add1: address.addressLine1,
      add2: address.addressLine2,
      city: address.city,
      state: address.state,
      pincode: address.pincode,
      country: address.country,
      gst_code: address.gstCode ?? "",
      organization_registration_number: address.organisationRegistrationNumber,
      email: address.email,
      first_name: address.firstName,
      last_name: address.lastName,
      phone: address.phone,
    }));
    return { customer: true, data: { id: company.id, name: company.name, addresses } };
  },
);
