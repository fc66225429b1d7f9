/** GET /api/existingsubscriptions: what a company has, to add to. */
import { listPlacedRows } from "#db/tenants.ts";
import { companyFor } from "./shared/company.ts";
import { apiLoader, signedIn, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "A company's active subscriptions and their plans, as an add-on's base.",
    tag: "Customer",
    access: signedIn,
    refuses: [404],
    query: z.object({ customerId: z.string().max(64) }),
    reply: z.object({
      items: z.array(z.object({ id: z.string(), name: z.string() })),
      subscriptions: z.array(
        z.object({
          id: z.string(),
          itemid: z.string(),
          domain: z.string(),
          customer_uid: z.string().describe("the account at the provider; empty where there is none"),
          customerid: z.string(),
        }),
      ),
    }),
  },
  async (request, { customerId }) => {
    const company = await companyFor(request, customerId);
    const rows = await listPlacedRows(request.context.db, company.id);
    const names = new Map(rows.map((row) => [row.item_id, row.item_name]));
    return {
      items: [...names].map(([id, name]) => ({ id, name })),
      subscriptions: rows.map((row) => ({
        id: row.id,
        itemid: row.item_id,
        domain: row.domain,
        customer_uid: row.tenant_external_id ?? "",
        customerid: company.id,
      })),
    };
  },
);
