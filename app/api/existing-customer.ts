/** GET /api/existigcustomer (the product's spelling): the accounts a company has at its providers. */
import type { Tenant } from "#db/accounts/tenants.ts";
import { familyIds } from "#server/catalogue/families/registry.ts";
import { listTenants } from "#server/orders/existing-customer.ts";
import { companyFor } from "./shared/company.ts";
import { familyField } from "./shared/fields.ts";
import { apiLoader, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "The accounts at its vendors to which a company can add subscriptions.",
    tag: "Customer",
    access: sessionAccess,
    refuses: [404],
    query: z.object({ customerid: z.string().max(64) }),
    reply: z.object({
      cust_uid: z.array(
        z.object({
          uid: z.string().describe("the provider's ID"),
          name: z.string(),
          tenant: z.string().describe("its domain"),
          id: z.string(),
          item_family: familyField,
        }),
      ),
    }),
  },
  async (request, { customerid }) => {
    const company = await companyFor(request, customerid);
    const { db } = request.context;
    const tenants: Tenant[] = [];
    for (const family of familyIds) tenants.push(...(await listTenants(db, company.id, family)));
    return {
      cust_uid: tenants.map(({ id, externalId: uid, name, domain, family }) => ({
        uid,
        name,
        tenant: domain,
        id,
        item_family: family,
      })),
    };
  },
);
