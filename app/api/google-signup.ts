/** GET /google/signup: whether a domain is free (0), not available (1) or to be transferred (2) (SPEC section 7). */
import { checkGoogleDomain } from "#server/orders/google-domain.ts";
import { googleDetailsSchema } from "../forms/schemas.ts";
import { apiLoader, z } from "../http/api.ts";

const query = z.object({
  tenant: googleDetailsSchema.shape.domain,
  console: z.enum(["IP", "UP"]).optional(),
});

export const loader = apiLoader(query, async (page, { tenant }) => ({
  status: await checkGoogleDomain(page.context, tenant, page.clientAddress),
}));
