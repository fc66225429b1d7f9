/**
 * Buying more licences and renewing by calls, with shared code for both, as in the two journeys. A post without a payment id
 * begins the payment. A post with one captures that payment, or retries it (docs/specification.md, section 4.6).
 */

import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { queryGstRegister } from "#server/accounts/gst-lookup.ts";
import { changeUnderWay } from "#server/billing/payments/change-under-way.ts";
import { findOrderOfCheckout, findOrderOfPayment } from "#server/billing/payments/find.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { quantityRequired } from "#server/catalogue/pricing/quantity.ts";
import { countries, currencies } from "#server/foundation/countries/registry.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { beginOrder, changeSelection, type Placement, requireBuyer } from "#server/orders/draft.ts";
import { addressesIn } from "#server/orders/existing-customer.ts";
import { findOrder, lockOrder, mayOpenOrder } from "#server/orders/find.ts";
import { requireSoldIn } from "#server/orders/market-availability.ts";
import { priceSelection, type Selection } from "#server/orders/pricing.ts";
import {
  type ChangeKind,
  placeChange,
  seatPrice,
  whyNotChangeableNow,
} from "#server/orders/subscription-change.ts";
import { prorationOf } from "#server/orders/subscriptions/proration.ts";
import { requesterOf } from "../../journey/guard.ts";
import { changeContextOf, recentDraftOf } from "../../journey/subscription-details/purchase-context.ts";
import { requireSameAmounts } from "./amounts.ts";
import type { PostOptions, SignedInContext } from "./endpoint.ts";
import {
  consoleCode,
  countryField,
  cycleField,
  cycleOf,
  familyField,
  flag,
  ignoredText,
  seatsField,
  termField,
} from "./fields.ts";
import {
  amountsIn,
  apiPaymentProvider,
  capturePayment,
  checkoutAnswer,
  finalReply,
  paymentDetails,
  paymentEndpoint,
  paymentReply,
  requireSameOrder,
  retryPayment,
  startPayment,
  termsDescription,
  termsNeeded,
} from "./payment.ts";

const text = z.string();

/** The address that the change is sold to, unless the post names another of the company's addresses. */
const customerAddress = z
  .object({
    add1: text,
    add2: text,
    city: text,
    state: text,
    postal_code: text,
    country: countryField,
    gst_code: text,
    first_name: text,
    last_name: text,
    email: text,
    phone: text,
  })
  .nullable()
  .describe("the company's newest address in its country (sold to); null if it has none");

/** Fields that buy-more data and renew data share. */
export const changeFields = {
  quantity: z.int().describe("current seats"),
  item_name: text,
  item_family: familyField,
  customer_address: customerAddress,
  console: consoleCode,
  billing_cycle: termField.describe("the commitment"),
  actual_billing_cycle: cycleField,
  currency: z.enum(currencies),
};

type Offer = NonNullable<Awaited<ReturnType<typeof changeContextOf>>>;

/** @throws DomainError not_found for another company's subscription; forbidden for a viewer */
async function offerFor(request: SignedInContext, kind: ChangeKind, subscriptionId: string): Promise<Offer> {
  const offer = await changeContextOf(request, kind, subscriptionId);
  if (offer === null) throw notFound("subscription");
  requireBuyer(requesterOf(request));
  return offer;
}

/**
 * The data a client needs to offer a change.
 * @throws as offerFor; DomainError conflict with the reason, while the subscription cannot be changed in this way
 */
export async function changeData(request: SignedInContext, kind: ChangeKind, subscriptionId: string) {
  const offer = await offerFor(request, kind, subscriptionId);
  const { subscription, country, company } = offer;
  const now = new Date();
  const refused = await whyNotChangeableNow(request.context.db, kind, subscription, country, now);
  if (refused !== null) throw new DomainError("conflict", refused);
  const { price } = seatPrice(kind, offer, now);
  const [address] = await addressesIn(request.context.db, company, country);
  const common: z.input<z.ZodObject<typeof changeFields>> = {
    quantity: subscription.quantity,
    item_name: subscription.name,
    item_family: subscription.family,
    customer_address:
      address === undefined
        ? null
        : {
            add1: address.addressLine1,
            add2: address.addressLine2,
            city: address.city,
            state: address.state,
            postal_code: address.pincode,
            country: address.country,
            gst_code: address.gstCode ?? "",
            first_name: address.firstName,
            last_name: address.lastName,
            email: address.email,
            phone: address.phone,
          },
    console: countries[country].console,
    billing_cycle: subscription.term,
    actual_billing_cycle: cycleOf(subscription.billingCycle),
    currency: price.currency,
  };
  return { common, seatPrice: toMajor(price), proration: prorationOf(subscription, now), subscription, now };
}

const { razorpay_payment_id, razorpay_order_id, razorpay_signature } = checkoutAnswer.shape;

const changeBody = z.object({
  subscription_id: z.string().max(64).nullish().describe("as in the address"),
  terms: flag.nullish().describe(termsDescription),
  payment_details: paymentDetails
    .extend({
      id: razorpay_payment_id.nullish().describe("the payment; omit to start one"),
      razorpay_order_id: razorpay_order_id.nullish().describe("with id: from the checkout"),
      razorpay_signature: razorpay_signature.nullish().describe("with id: from the checkout"),
      quantity: seatsField.nullish().describe("how many seats to add, or in the new term; required to start"),
      total_amount: paymentDetails.shape.total_amount.describe(
        "the grand total the buyer saw; required to start; checked, never used",
      ),
      address_id: ignoredText.describe("one of the company's addresses, by ID; the default if omitted"),
      order_type: z.enum(["ADD", "RENEW"]).nullish(),
    })
    .describe("figures are compared when the payment starts, and never used"),
});
type Sent = z.output<typeof changeBody>;

/** The description shared by the two posts. */
export const changeEndpoint = {
  ...paymentEndpoint,
  alsoGet: true,
  notes:
    "First without payment_details.id, with the quantity and the total, which accepts the terms: the reply has razorpay_order_id, amount and currency to open the checkout with, and `status` false. Then with id, razorpay_order_id and razorpay_signature of the checkout's answer: `status` is true once the payment is checked and captured. The same again tries again, under another Idempotency-Key; its id is enough too: the store then asks the payment provider. While one is paid but not fulfilled (GET /api/subscription/{id}), you can't start another.",
  fieldNames: {
    quantity: "payment_details.quantity",
    address: "payment_details.address_id",
    total: "payment_details.amount",
    totalCost: "payment_details.total_amount",
    taxRate: "payment_details.tax_rate",
    tax_amount: "payment_details.tax_amount",
  },
  body: changeBody,
  reply: paymentReply,
} satisfies Partial<PostOptions> & { body: z.ZodType; reply: z.ZodType };

/**
 * Begins, captures or retries a payment, depending on the post.
 * @throws DomainError on the field it concerns; as offerFor, placeChange, beginPayment and receiveReturn
 */
export async function postChange(
  request: SignedInContext,
  kind: ChangeKind,
  subscriptionId: string,
  sent: Sent,
) {
  const offer = await offerFor(request, kind, subscriptionId);
  requireSameSubject(offer, sent);
  const { id } = sent.payment_details;
  return id == null ? beginChange(request, offer, sent) : settleChange(request, offer, id, sent);
}

function requireSameSubject({ kind, subscription, country }: Offer, sent: Sent): void {
  if (sent.subscription_id != null && sent.subscription_id !== subscription.id) {
    throw wrongField("subscription_id", "This subscription doesn't match the one in the URL.");
  }
  requireSameOrder({ kind, family: subscription.family, country }, sent.payment_details);
}

const paidAlready: Record<ChangeKind, string> = {
  ADD: "More licenses are paid for but not added yet. Continue with that payment by its ID, or wait until it's complete.",
  RENEW:
    "A renewal is paid for but not completed yet. Continue with that payment by its ID, or wait until it's complete.",
};

async function beginChange(
  request: SignedInContext,
  offer: Offer,
  { terms, payment_details: details }: Sent,
) {
  const { kind, subscription } = offer;
  const { quantity, total_amount: total } = details;
  if (terms === false) throw wrongField("terms", termsNeeded);
  if (quantity == null) throw wrongField("payment_details.quantity", quantityRequired);
  if (total == null) {
    throw wrongField("payment_details.total_amount", "Send the total that was shown.");
  }
  const underWay = await changeUnderWay(request.context, subscription.id, kind);
  if (underWay.state === "paid") throw new DomainError("conflict", paidAlready[kind]);
  const order = await placeOrGoOn(request, offer, quantity, details);
  return startPayment(request, order, Math.round(total * 100));
}

/** Places the order, or returns the one just begun, so that its open payment intent is reused. */
async function placeOrGoOn(
  request: SignedInContext,
  offer: Offer,
  quantity: number,
  details: Sent["payment_details"],
): Promise<Order> {
  const { db, env } = request.context;
  const now = new Date();
  requireSoldIn(env, offer.item.family, offer.country);
  const addressId = details.address_id ?? null;
  const placed = await placeChange(db, { ...offer, quantity, addressId, now });
  const { item, country } = offer;
  await queryGstRegister(request.context, placed.placement.account, request.clientAddress);
  const { sellers } = env;
  const posted = { item, country, ...placed, requester: requesterOf(request), sellers, now };
  const begun = await recentDraftOf(request, offer);
  return db.transaction().execute(async (trx) => {
    if (begun !== null && !isSame(await lockOrder(trx, begun.id), offer, placed)) {
      await changeSelection(trx, { ...posted, orderId: begun.id });
    }
    const id = begun === null ? await beginOrder(trx, posted) : begun.id;
    const order = await lockOrder(trx, id);
    // Thrown inside the transaction: an order whose figures differ from the posted ones is rolled back.
    requireSameAmounts(order, amountsIn(details));
    return order;
  });
}

/** Whether an existing order matches what would be placed now, at the same price. */
function isSame(
  order: Order,
  { item, country }: Offer,
  { selection, placement }: { selection: Selection; placement: Placement },
): boolean {
  const { line, details, account, subtotal } = order;
  return isDeepStrictEqual(
    [line.quantity, details.proration, details.renewal, account, subtotal],
    [
      selection.quantity,
      selection.proration,
      selection.renewal,
      placement.account,
      priceSelection(item, country, selection).subtotal,
    ],
  );
}

/** Asks the provider when the payment is not known yet and only its id was sent, as in the specification's payload. */
async function findOrderPaidBy(
  request: SignedInContext,
  { kind, subscription }: Offer,
  providerPaymentId: string,
  providerOrderId: string | null,
): Promise<OrderId | null> {
  const { db } = request.context;
  const payment = { provider: apiPaymentProvider, providerPaymentId };
  const known = await findOrderOfPayment(db, payment);
  if (known !== null || providerOrderId !== null) return known;
  // Looks up payments for the change at the provider.
  await changeUnderWay(request.context, subscription.id, kind);
  return findOrderOfPayment(db, payment);
}

async function settleChange(request: SignedInContext, offer: Offer, paymentId: string, sent: Sent) {
  const { razorpay_order_id: providerOrderId, razorpay_signature: signature } = sent.payment_details;
  const { db } = request.context;
  const paidOrder = await findOrderPaidBy(request, offer, paymentId, providerOrderId ?? null);
  const begun =
    paidOrder === null && providerOrderId != null
      ? await findOrderOfCheckout(db, { provider: apiPaymentProvider, providerOrderId })
      : null;
  const orderId = paidOrder ?? begun;
  const order = orderId === null ? null : await findOrder(db, orderId);
  const isKnown = order !== null && isOfOffer(request, order, offer);
  const reply = isKnown ? await finalReply(request, order) : null;
  if (reply !== null) return reply;
  if (providerOrderId != null && signature != null) {
    if (!isKnown) throw notFound("payment");
    return capturePayment(request, order, {
      razorpay_payment_id: paymentId,
      razorpay_order_id: providerOrderId,
      razorpay_signature: signature,
    });
  }
  if (isKnown && paidOrder !== null) return retryPayment(request, order);
  const missing = providerOrderId == null ? "razorpay_order_id" : "razorpay_signature";
  throw wrongField(
    `payment_details.${missing}`,
    "Send the checkout's response: we don't know this payment yet.",
  );
}

function isOfOffer(request: SignedInContext, order: Order, { kind, subscription }: Offer): boolean {
  return (
    order.kind === kind &&
    order.subscriptionId === subscription.id &&
    mayOpenOrder(order, requesterOf(request))
  );
}
