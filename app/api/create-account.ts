/** POST /createacount (the product's spelling): submits the account form of an order under way. */
import { EmailTaken } from "#server/accounts/users.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { submitAccount } from "#server/orders/account.ts";
import { findOrder } from "#server/orders/find.ts";
import { withAccountRules } from "../forms/account-schema.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { requesterOf } from "../journey/guard.ts";
import { accountFields, addressIdOf, addressSuggested, answersOf } from "./shared/account-form.ts";
import { orderIdField, stageField } from "./shared/fields.ts";
import { ownOrder } from "./shared/own-order.ts";
import { jsonAction, notFound, sessionAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Sets who an order is for, as a signed-in user.",
    notes:
      "Can be resent until the order is paid, and corrects the account or company the order created. An email that belongs to another account is rejected.",
    tag: "Order",
    access: sessionAccess,
    refuses: [403, 404, 409],
    limit: rateLimits.beginOrder,
    idempotent: true,
    body: withAccountRules(z.object({ ...accountFields, id: z.string().max(64).describe("the order's ID") })),
    reply: z.object({
      message: z.literal("account created"),
      id: orderIdField,
      customerId: z.string(),
      stage: stageField,
    }),
  },
  async (request, sent) => {
    if (
      sent.customerId != null &&
      sent.customerId !== "" &&
      sent.customerId !== request.session.customer?.id
    ) {
      throw notFound("company");
    }
    const { id, country } = await ownOrder(request, sent.id);
    if (sent.country !== country) throw wrongField("country", "This order is for a different country.");
    const result = await submitAccount(request.context, {
      orderId: id,
      requester: requesterOf(request),
      user: request.session,
      answers: answersOf(sent),
      addressId: addressIdOf(sent),
      keepAddress: sent.keep_address === true,
      clientAddress: request.clientAddress,
    });
    if (result.outcome === "exists") throw new EmailTaken();
    if (result.outcome === "suggestions") throw addressSuggested(result.suggestions);
    const order = await findOrder(request.context.db, id);
    if (order === null) throw notFound("order");
    return {
      message: "account created" as const,
      id,
      customerId: order.customerId ?? "",
      stage: order.stage,
    };
  },
);
