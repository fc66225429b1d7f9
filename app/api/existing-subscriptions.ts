/** GET /api/existingsubscriptions: a company's subscriptions that an order can add to. */
import { listPlacedSubscriptions } from "#server/orders/subscriptions/lists.ts";
import { companyFor } from "./shared/company.ts";
import { apiLoader, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "A company's active subscriptions and their plans, as an add-on's base.",
    tag: "Customer",
    access: sessionAccess,
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
    const placed = await listPlacedSubscriptions(request.context.db, company.id);
    const names = new Map(placed.map(({ itemId, name }) => [itemId, name]));
    return {
      items: [...names].map(([id, name]) => ({ id, name })),
      subscriptions: placed.map(({ id, itemId, domain, tenantExternalId }) => ({
        id,
        itemid: itemId,
        domain,
        customer_uid: tenantExternalId ?? "",
        customerid: company.id,
      })),
    };
  },
);
