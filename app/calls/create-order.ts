/** POST /create/order: sets who an order is for. With the order creation payload it also begins the order. */

import { EmailTaken } from "#server/accounts/users.ts";
import { postAccount } from "#server/orders/account.ts";
import { orderPath } from "#server/orders/address.ts";
import { findOrder } from "#server/orders/find.ts";
import { hashToken, newToken } from "#server/security/token.ts";
import { withAccountRules } from "../forms/account-schema.ts";
import { limits } from "../http/limits.ts";
import { askerOf } from "../journey/guard.ts";
import { accountFields, addressIdOf, addressSuggested, answersOf } from "./shared/account-form.ts";
import { orderIdField, stageField } from "./shared/fields.ts";
import { figuresFields, figuresOf } from "./shared/figures.ts";
import { familyOf, keeping, orderPayload, payloadNames } from "./shared/order-payload.ts";
import { ownOrder } from "./shared/own-order.ts";
import {
  jsonAction,
  notFound,
  optionallySignedIn,
  parseOr400,
  type RequestContext,
  z,
} from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

export const action = jsonAction(
  {
    summary: "Says who an order is for; without `id` it begins the order from the order creation payload.",
    notes:
      "An email without an account gets one, `token` is its session, and a set-your-password mail goes out. An email with an account is refused: log in and send the token.",
    tag: "Order",
    access: optionallySignedIn,
    refuses: [401, 403, 404, 409, 503],
    limit: limits.beginOrder,
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
      ...figuresFields,
    }),
  },
  async (request, sent) => {
    const asker = askerOf(request);
    const account = {
      asker,
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
        ? await postAccount(request.context, { ...account, orderId: (await ownOrder(request, sent.id)).id })
        : await beginFor(request, account, parseOr400(orderPayload, sent));
    if (result.outcome === "exists") throw new EmailTaken();
    if (result.outcome === "unsure") throw addressSuggested(result.suggestions);
    const order = await findOrder(request.context.db, result.orderId);
    if (order === null) throw notFound("order");
    return {
      id: order.id,
      customerId: order.customerId ?? "",
      token: result.session?.token ?? "",
      stage: order.stage,
      url: orderPath(order),
      ...figuresOf(order),
    };
  },
);

type Account = Omit<Parameters<typeof postAccount>[1], "orderId" | "family" | "begin">;

async function beginFor(request: RequestContext, account: Account, payload: z.output<typeof orderPayload>) {
  // The visitor's order moves to the account in the same transaction, so its draft key is never needed again.
  const { asker } = account;
  const holder =
    asker.userId === null && asker.draftKey === null ? { ...asker, draftKey: hashToken(newToken()) } : asker;
  const begin = await keeping(request, payload, holder);
  const family = await familyOf(request, payload);
  return postAccount(request.context, { ...account, asker: holder, orderId: null, family, begin });
}
