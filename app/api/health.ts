/** Says that this process and its database answer; for load balancers. */
import { sql } from "kysely";
import { apiLoader, z } from "../http/api.ts";

export const loader = apiLoader(z.unknown(), async ({ context }) => {
  await sql`select 1`.execute(context.db);
  return { ok: true };
});
