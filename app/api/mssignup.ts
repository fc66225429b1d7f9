/** GET /mssignup: whether a Microsoft domain prefix is free (SPEC section 7). */
import { isPrefixAvailable } from "#server/orders/microsoft-domain.ts";
import { apiLoader, z } from "../http/api.ts";

const query = z.object({
  tenant: z.string().regex(/^[a-z0-9]{1,27}$/),
  console: z.enum(["IP", "UP"]).optional(),
});

export const loader = apiLoader(query, async (page, { tenant }) => ({
  valid: await isPrefixAvailable(page.context, tenant, page.clientAddress),
}));
