/**
 * GET /api/subscription/{id}: a subscription, and whether a paid change (more licences or a renewal) is not fulfilled yet
 * (docs/specification.md, section 4.6).
 */
import { type ChangeUnderWay, changeUnderWay } from "#server/billing/payments/change-under-way.ts";
import { listPaymentsOf } from "#server/billing/payments/find.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { getSubscriptionOf } from "#server/orders/subscriptions/subscription.ts";
import { rateLimits } from "../http/rate-limits.ts";
import { orderIdParams } from "../params.ts";
import type { SignedInContext } from "./shared/endpoint.ts";
import { familyField, major } from "./shared/fields.ts";
import { apiLoader, requireParams, sessionAccess, z } from "./shared/route.ts";

export { getOnly as action } from "./shared/route.ts";

const status = z
  .enum(["none", "pending", "completed"])
  .describe(
    "completed: paid, not fulfilled yet; pending: order started, not paid; none: nothing in progress",
  );
const details = z
  .object({
    id: z.string().describe("the ID of the payment to continue; empty if none"),
    order_id: z.string(),
    amount: major.describe("before tax"),
    tax_amount: major,
    total_amount: major.describe("what is paid: whole rupees, or dollars and cents"),
    quantity: z.int(),
  })
  .nullable()
  .describe("for the order in progress; null if none");
const text = z.string();
const shipping = z
  .array(z.object({ add1: text, add2: text, city: text, state: text, country: text, postal_code: text }))
  .describe("who the order in progress is sold to; empty if none");

export const loader = apiLoader(
  {
    summary: "A subscription, with any license or renewal orders in progress.",
    notes:
      "Started payments are checked with the payment provider first. While a status is completed, post the payment's ID to /add/user/{subscriptionId} or /renew-subscription/{id} to go on; nothing is paid twice.",
    tag: "Subscription",
    access: sessionAccess,
    refuses: [404],
    limit: rateLimits.subscription,
    query: z.object({}),
    reply: z.object({
      item_name: text,
      item_family: familyField,
      add_payment_status: status,
      renew_payment_status: status,
      add_payment_details: details,
      renew_payment_details: details,
      add_shipping_address: shipping,
      renew_shipping_address: shipping,
    }),
  },
  async (request, _query, params) => {
    const { context, session } = request;
    const { id } = requireParams(orderIdParams, params);
    const subscription = await getSubscriptionOf(context.db, session.customer?.id ?? null, id);
    const add = await changeUnderWay(context, subscription.id, "ADD");
    const renew = await changeUnderWay(context, subscription.id, "RENEW");
    return {
      item_name: subscription.name,
      item_family: subscription.family,
      add_payment_status: statusOf[add.state],
      renew_payment_status: statusOf[renew.state],
      add_payment_details: await detailsOf(request, add),
      renew_payment_details: await detailsOf(request, renew),
      add_shipping_address: shippingOf(add),
      renew_shipping_address: shippingOf(renew),
    };
  },
);

const statusOf = { none: "none", unpaid: "pending", paid: "completed" } as const;

async function detailsOf(
  { context }: SignedInContext,
  underWay: ChangeUnderWay,
): Promise<z.input<typeof details>> {
  if (underWay.state === "none") return null;
  const { id, subtotal, tax, total, line } = underWay.order;
  const payments = underWay.state === "paid" ? await listPaymentsOf(context.db, id) : [];
  const paid =
    payments.find(({ status: state }) => state === "captured") ??
    payments.findLast(({ status: state }) => state === "returned" || state === "mismatch");
  return {
    id: paid?.providerPaymentId ?? "",
    order_id: id,
    amount: toMajor(subtotal),
    tax_amount: toMajor(tax),
    total_amount: toMajor(total),
    quantity: line.quantity,
  };
}

function shippingOf(underWay: ChangeUnderWay): z.input<typeof shipping> {
  if (underWay.state === "none" || underWay.order.account === null) return [];
  const { addressLine1, addressLine2, city, state, country, pincode } = underWay.order.account;
  return [{ add1: addressLine1, add2: addressLine2, city, state, country, postal_code: pincode }];
}
