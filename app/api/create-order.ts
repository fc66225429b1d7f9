/** POST /create/order: sets the buyer of an order. With the order creation payload it also begins the order. */

import { EmailTaken } from "#server/accounts/users.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { submitAccount } from "#server/orders/account.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { withAccountRules } from "../forms/account-schema.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { requesterOf } from "../journey/guard.ts";
import { accountFields, addressIdOf, addressSuggested, answersOf } from "./shared/account-form.ts";
import { amountFields, amountsOf } from "./shared/amounts.ts";
import { orderIdField, stageField } from "./shared/fields.ts";
import { familyOf, orderPayload, orderWriter, payloadNames } from "./shared/order-payload.ts";
import { ownOrder } from "./shared/own-order.ts";
import {
  jsonAction,
  notFound,
  optionalSessionAccess,
  parseOr400,
  type RequestContext,
  z,
} from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Sets who an order is for. Without `id`, starts the order from the order creation payload.",
    notes:
      "An email without an account gets one, `token` is its session, and it is emailed a link to set a password. An email that already has an account is rejected: sign in and send the token.",
    tag: "Order",
    access: optionalSessionAccess,
    refuses: [401, 403, 404, 409, 503],
    limit: rateLimits.beginOrder,
    limited: true,
    idempotent: true,
    fieldNames: payloadNames,
    body: withAccountRules(z.object({ ...orderPayload.partial().shape, ...accountFields })),
    reply: z.object({
      id: orderIdField,
      customerId: z.string(),
      token: z.string().describe("for the Authorization header; empty when the caller had one"),
      stage: stageField,
      url: z.string().describe("the order's own page"),
      ...amountFields,
    }),
  },
  async (request, sent) => {
    const requester = requesterOf(request);
    const account = {
      requester,
      user: request.session,
      answers: answersOf(sent),
      addressId: addressIdOf(sent),
      keepAddress: sent.keep_address === true,
      clientAddress: request.clientAddress,
    };
    if (
      sent.customerId != null &&
      sent.customerId !== "" &&
      sent.customerId !== request.session?.customer?.id
    ) {
      throw notFound("company");
    }
    const result =
      sent.id != null && sent.id !== ""
        ? await submitAccount(request.context, { ...account, orderId: (await ownOrder(request, sent.id)).id })
        : await beginFor(request, account, parseOr400(orderPayload, sent));
    if (result.outcome === "exists") throw new EmailTaken();
    if (result.outcome === "suggestions") throw addressSuggested(result.suggestions);
    const order = await findOrder(request.context.db, result.orderId);
    if (order === null) throw notFound("order");
    return {
      id: order.id,
      customerId: order.customerId ?? "",
      token: result.session?.token ?? "",
      stage: order.stage,
      url: orderPath(order),
      ...amountsOf(order),
    };
  },
);

type Account = Omit<Parameters<typeof submitAccount>[1], "orderId" | "family" | "begin">;

async function beginFor(request: RequestContext, account: Account, payload: z.output<typeof orderPayload>) {
  // The visitor's order moves to the account in the same transaction, so its draft key is never needed again.
  const { requester } = account;
  const holder =
    requester.userId === null && requester.draftKey === null
      ? { ...requester, draftKey: hashToken(newToken()) }
      : requester;
  const begin = await orderWriter(request, payload, holder);
  const family = await familyOf(request, payload);
  return submitAccount(request.context, { ...account, requester: holder, orderId: null, family, begin });
}
