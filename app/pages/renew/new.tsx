/** Step 1 of an order that changes a subscription. */
import { z } from "zod";
import { notFound } from "#server/errors.ts";
import { pageLoader } from "../../http/page.ts";

export const loader = pageLoader(z.unknown(), async () => {
  throw notFound("subscription");
});
