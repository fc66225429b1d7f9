/** GET /api/validate-token: whether the token of the Authorization header, or this browser's session, is good (SPEC section 7). */
import { apiLoader, z } from "../http/api.ts";

export { getOnly as action } from "../http/api.ts";

export const loader = apiLoader(z.unknown(), async ({ session }) => ({ valid: session !== null }));
