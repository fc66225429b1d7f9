/**
 * Carts, their checkout and orders. A cart lives 7 days and buys once: a repeated checkout, even with the same MS-RequestId, gets
 * the reply that the cart is being processed, and later that it was submitted. An order becomes visible a moment after its
 * checkout. The faults `orderErrors` (201 with errors, nothing bought, the cart stays open) and `pendingOrder` (bought, but only
 * the order has the subscription ids) are applied here.
 */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import { isHidden } from "../delays.ts";
import { anyOrigin, guid, type JsonObject, jsonObject, shortId } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Cart, CartLine, PartnerOrder } from "../state-schemas.ts";
import { hasAgreement } from "./agreements.ts";
import {
  type Answer,
  base,
  type Call,
  customerOf,
  PartnerError,
  parse,
  read,
  text,
  write,
  writeOnce,
} from "./calls.ts";
import { countryOfItem, currencyOfItem } from "./catalogue.ts";
import { findSku } from "./products.ts";
import { addSubscription, chargeSeats, day, seatProblem } from "./subscriptions.ts";

const cartLife = 7 * day;

/** Minimum, even without delays: long enough for a repeat to hit it, and shorter than a test's first retry. */
const processingMs = 300;

const line = z.object({
  id: z.int().nonnegative(),
  catalogItemId: text,
  quantity: z.int(),
  billingCycle: text,
  termDuration: text,
  attestationAccepted: z.boolean().optional(),
  provisioningContext: jsonObject.nullish(),
});
const newCart = z.object({
  PartnerOnRecordAttestationAccepted: z.boolean().optional(),
  lineItems: z.array(line.extend({ addonItems: z.array(line).nullish() })).min(1),
});
type NewLine = z.infer<typeof line>;

export function partnerOrderHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.post(
      anyOrigin(`${base}/customers/:customerId/carts`),
      write(sandbox, "cart.create", (call) => createCart(sandbox, call)),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/carts/:cartId`),
      read(sandbox, (call) => ({ status: 200, body: cartBody(cartOf(sandbox, call)) })),
    ),
    http.post(
      anyOrigin(`${base}/customers/:customerId/carts/:cartId/checkout`),
      writeOnce(sandbox, "cart.checkout", (call) => checkout(sandbox, call)),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/orders`),
      read(sandbox, (call) => {
        const { id } = customerOf(sandbox, call);
        const items = Object.values(sandbox.state.partner.orders).filter(
          (order) => order.customerId === id && isVisible(sandbox, order),
        );
        return {
          status: 200,
          body: { totalCount: items.length, items: items.map((order) => orderBody(order)) },
        };
      }),
    ),
    http.get(
      anyOrigin(`${base}/customers/:customerId/orders/:orderId`),
      read(sandbox, (call) => {
        const { id } = customerOf(sandbox, call);
        const order = sandbox.state.partner.orders[call.param("orderId")];
        if (order === undefined || order.customerId !== id || !isVisible(sandbox, order))
          throw new PartnerError(404, 20000, "The order was not found.");
        return { status: 200, body: orderBody(order) };
      }),
    ),
  ];
}

function createCart(sandbox: Sandbox, call: Call): Answer {
  const customer = customerOf(sandbox, call);
  const given = parse(newCart, call.body);
  if (given.PartnerOnRecordAttestationAccepted !== true) {
    throw new PartnerError(400, 900206, "The partner on record attestation must be accepted.");
  }
  if (given.lineItems.some((item) => item.attestationAccepted !== true)) {
    throw new PartnerError(400, 900203, "The attestation of each line item must be accepted.");
  }
  if (!hasAgreement(sandbox, customer.id)) {
    throw new PartnerError(403, 13605, "The customer has not accepted the Microsoft Customer Agreement.");
  }
  const lines = given.lineItems.flatMap((item) => [
    checkedLine(sandbox, customer.id, item, null),
    ...(item.addonItems ?? []).map((addon) => checkedLine(sandbox, customer.id, addon, item.id)),
  ]);
  const cart: Cart = {
    id: guid(),
    customerId: customer.id,
    createdAt: sandbox.now(),
    currency: currencyOfItem(sandbox, lines[0]?.catalogItemId ?? "") ?? "INR",
    lines,
    checkouts: 0,
    orderId: null,
  };
  sandbox.state.partner.carts[cart.id] = cart;
  return { status: 201, body: cartBody(cart) };
}

function checkedLine(
  sandbox: Sandbox,
  customerId: string,
  item: NewLine,
  parentLine: number | null,
): CartLine {
  return {
    id: item.id,
    catalogItemId: item.catalogItemId,
    quantity: item.quantity,
    billingCycle: item.billingCycle.toLowerCase(),
    termDuration: item.termDuration,
    parentSubscriptionId: null,
    parentLine,
    provisioningContext: item.provisioningContext ?? {},
    error: lineProblem(sandbox, customerId, item),
  };
}

/** An invalid line is reported inside the cart, which is created anyway. */
function lineProblem(sandbox: Sandbox, customerId: string, item: NewLine): CartLine["error"] {
  const problem = (errorCode: string, errorDescription: string) => ({ errorCode, errorDescription });
  const context = Object.keys(item.provisioningContext ?? {}).map((key) => key.toLowerCase());
  if (context.includes("parentsubscriptionid"))
    return problem("800029", "The add-on isn't related to the specified parent subscription");
  if (currencyOfItem(sandbox, item.catalogItemId) === undefined) {
    return problem("CatalogItemIdIsNotValid", `The catalog item ${item.catalogItemId} is not available.`);
  }
  if (countryOfItem(item.catalogItemId) !== sandbox.state.partner.customers[customerId]?.country)
    return problem("800070", "Offer isn't available in the specified country/region.");
  const seats = seatProblem(sandbox, { offerId: item.catalogItemId, customerId }, item.quantity);
  if (seats !== undefined) return problem(seats.code, seats.description);
  if (!["monthly", "annual"].includes(item.billingCycle.toLowerCase())) {
    return problem("BillingCycleIsNotValid", `The billing cycle ${item.billingCycle} is not supported.`);
  }
  if (
    !["P1M", "P1Y"].includes(item.termDuration) ||
    (item.termDuration === "P1M" && item.billingCycle.toLowerCase() === "annual")
  ) {
    return problem(
      "TermDurationIsNotValid",
      `The term ${item.termDuration} is not supported with this billing cycle.`,
    );
  }
  const { bases = [] } = findSku(sandbox, item.catalogItemId, countryOfItem(item.catalogItemId)) ?? {};
  if (bases.length > 0 && !hasOneOf(sandbox, customerId, bases))
    return problem("800086", "Customer tenant doesn't have required tags for the offer");
  return null;
}

/** Whether the tenant already has one of these running, regardless of its buyer. */
function hasOneOf(sandbox: Sandbox, customerId: string, offers: readonly string[]): boolean {
  return Object.values(sandbox.state.partner.subscriptions).some(
    (each) =>
      each.customerId === customerId &&
      each.status === "active" &&
      offers.some((offer) => each.offerId.startsWith(`${offer}:`)),
  );
}

function checkout(sandbox: Sandbox, call: Call): Answer {
  const cart = cartOf(sandbox, call);
  cart.checkouts += 1;
  const bought = cart.orderId === null ? undefined : sandbox.state.partner.orders[cart.orderId];
  if (bought !== undefined) {
    throw isVisible(sandbox, bought)
      ? new PartnerError(400, 800065, "Cannot check out an already submitted cart.")
      : new PartnerError(409, 800064, "The cart is being processed by another request.");
  }
  if (sandbox.now() > cart.createdAt + cartLife) throw new PartnerError(404, 20006, "The cart has expired.");
  if (cart.lines.some((each) => each.error !== null))
    throw new PartnerError(400, 2000, "The cart has line items with errors.");
  if (sandbox.faults.takeAnswer(call.request, "orderErrors")) {
    const failed = {
      orderGroupId: "0",
      code: 800002,
      description: "The order could not be placed (asked for by a test).",
    };
    const body = { orders: [], orderErrors: [failed], attributes: { objectType: "CartCheckoutResult" } };
    return { status: 201, body };
  }
  const order = placeOrder(sandbox, cart);
  cart.orderId = order.id;
  const pending = sandbox.faults.takeAnswer(call.request, "pendingOrder");
  const body = {
    orders: [orderBody(order, pending)],
    orderErrors: [],
    attributes: { objectType: "CartCheckoutResult" },
  };
  return { status: 201, body };
}

function isVisible(sandbox: Sandbox, order: PartnerOrder): boolean {
  const { customerId, createdAt } = order;
  return sandbox.now() - createdAt > processingMs && !isHidden(sandbox, "order", customerId, createdAt);
}

function placeOrder(sandbox: Sandbox, cart: Cart): PartnerOrder {
  const order: PartnerOrder = {
    id: shortId("").toLowerCase().slice(0, 12),
    customerId: cart.customerId,
    cartId: cart.id,
    billingCycle: cart.lines[0]?.billingCycle ?? "monthly",
    currency: cart.currency,
    createdAt: sandbox.now(),
    lines: [],
  };
  const bought = new Map<number, string>();
  // Bases precede their add-ons in the list, so a parent bought in the same cart is known by then.
  for (const [index, item] of cart.lines.entries()) {
    const parent =
      item.parentLine === null ? item.parentSubscriptionId : (bought.get(item.parentLine) ?? null);
    const subscription = addSubscription(sandbox, {
      customerId: cart.customerId,
      orderId: order.id,
      offerId: item.catalogItemId,
      parentSubscriptionId: parent,
      quantity: item.quantity,
      billingCycle: item.billingCycle,
      termDuration: item.termDuration,
    });
    const { id, quantity: seats, startsAt } = subscription;
    chargeSeats(sandbox, subscription, { kind: "term", seats, startsAt });
    if (item.parentLine === null) bought.set(item.id, id);
    order.lines.push({
      lineItemNumber: index,
      offerId: item.catalogItemId,
      subscriptionId: id,
      parentSubscriptionId: parent,
      quantity: item.quantity,
      termDuration: item.termDuration,
    });
  }
  sandbox.state.partner.orders[order.id] = order;
  sandbox.count("order.place");
  return order;
}

function cartOf(sandbox: Sandbox, call: Call): Cart {
  const { id } = customerOf(sandbox, call);
  const cart = sandbox.state.partner.carts[call.param("cartId").toLowerCase()];
  if (cart === undefined || cart.customerId !== id)
    throw new PartnerError(404, 20006, "The cart was not found.");
  return cart;
}

function cartBody(cart: Cart): JsonObject {
  const lines = cart.lines.filter((each) => each.parentLine === null);
  return {
    id: cart.id,
    creationTimestamp: new Date(cart.createdAt).toISOString(),
    lastModifiedTimestamp: new Date(cart.createdAt).toISOString(),
    expirationTimestamp: new Date(cart.createdAt + cartLife).toISOString(),
    status: cart.orderId === null ? "Active" : "Ordered",
    lineItems: lines.map((each) => ({
      ...lineBody(cart, each),
      addonItems: cart.lines
        .filter((addon) => addon.parentLine === each.id)
        .map((addon) => lineBody(cart, addon)),
    })),
    attributes: { objectType: "Cart" },
  };
}

function lineBody(
  cart: Cart,
  { parentLine: _ours, parentSubscriptionId: _parent, error, ...item }: CartLine,
): JsonObject {
  return {
    ...item,
    currencyCode: cart.currency,
    orderGroup: "0",
    ...(error === null ? {} : { error }),
  };
}

/** @param pending leaves the subscription ids out, as for an order that is still being provisioned */
function orderBody(order: PartnerOrder, pending = false): JsonObject {
  return {
    id: order.id,
    referenceCustomerId: order.customerId,
    billingCycle: order.billingCycle,
    currencyCode: order.currency,
    currencySymbol: order.currency === "USD" ? "$" : "₹",
    lineItems: order.lines.map(({ subscriptionId, parentSubscriptionId, ...item }) => ({
      ...item,
      ...(pending ? {} : { subscriptionId }),
      ...(parentSubscriptionId === null ? {} : { parentSubscriptionId }),
      transactionType: "New",
    })),
    creationDate: new Date(order.createdAt).toISOString(),
    status: pending ? "pending" : "completed",
    transactionType: "UserPurchase",
    attributes: { objectType: "Order" },
  };
}
