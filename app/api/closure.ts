/** GET /closure: the result of an order, with the credentials for the buyer who placed it. */

import { showCredentials } from "#server/accounts/credentials/credentials.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { countryField, familyField, orderIdField } from "./shared/fields.ts";
import { ownOrder } from "./shared/own-order.ts";
import { apiLoader, notFound, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary:
      "The result of a fulfilled order: username and password, shown only to the person who ordered, for 7 days after they first see them.",
    notes: "Returns 409 until fulfilled: poll GET /get/stage until `stage` is stage4.",
    tag: "Order",
    access: sessionAccess,
    refuses: [404, 409],
    query: z.object({
      id: z.string().max(64).describe("the order's ID"),
      item_family: familyField.optional(),
    }),
    reply: z.object({
      country: countryField,
      is_existing_customer: z.boolean(),
      existing_customer_email: z
        .string()
        .describe("the buyer's own account that it was added to; else empty"),
      username: z.string(),
      password: z.string().describe("empty once dismissed or expired, and for other members of the company"),
      id: orderIdField,
      item_family: familyField,
      name: z.string(),
      quantity: z.int(),
    }),
  },
  async (request, { id, item_family: family }) => {
    const order = await ownOrder(request, id);
    if ((family ?? order.family) !== order.family) throw notFound("order");
    if (order.stage !== "stage4") throw new DomainError("conflict", "This order is not ready yet.");
    const { db } = request.context;
    const isOwner = request.session.userId === order.userId;
    const credentials =
      isOwner && request.view === null ? await showCredentials(request.context, db, order.id) : null;
    const own = order.signIn?.mode === "existing" ? order.signIn.username : "";
    return {
      country: order.country,
      is_existing_customer: order.kind !== "NEW" || own !== "",
      existing_customer_email: own,
      username: credentials?.username ?? own,
      password: credentials?.password ?? "",
      id: order.id,
      item_family: order.family,
      name: order.line.name,
      quantity: order.line.quantity,
    };
  },
);
