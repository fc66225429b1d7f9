/** Buying from Microsoft: the cart, its checkout, and the resulting order. */
import { z } from "zod";
import { unexpectedAnswer, withKind } from "../errors.ts";
import { errorOf, parseResponse, pathOf, refusedInReply } from "../http.ts";
import type { Api } from "./api.ts";
import type { BillingCycle, TermDuration } from "./catalogue.ts";

export interface CartLine {
  catalogItemId: string;
  quantity: number;
  billingCycle: BillingCycle;
  termDuration: TermDuration;
}

export interface Cart {
  cartId: string;
  /** Time by Microsoft's clock, as for its orders. */
  createdAt: Date;
  /** Time from which it can no longer be checked out. */
  expiresAt: Date;
}

export interface PartnerOrder {
  id: string;
  createdAt: Date;
  lineItems: {
    offerId: string;
    /** Null until Microsoft has provisioned it: poll with getOrder. */
    subscriptionId: string | null;
    quantity: number;
    termDuration: string | undefined;
  }[];
}

export interface OrderingCalls {
  createCart(tenantId: string, lines: readonly CartLine[], requestId: string): Promise<Cart>;
  checkoutCart(tenantId: string, cartId: string, requestId: string): Promise<Checkout>;
  listOrders(tenantId: string): Promise<PartnerOrder[]>;
  getOrder(tenantId: string, orderId: string): Promise<PartnerOrder>;
}

/** "submitted": an earlier checkout of the cart has succeeded, and its order is among the customer's. */
export type Checkout = { outcome: "ordered"; order: PartnerOrder } | { outcome: "submitted" };

const errorCode = z.union([z.string(), z.number().transform(String)]).nullish();

/** Microsoft writes UTC, sometimes without the time zone. */
const timestamp = z.string().transform((text, context) => {
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  if (!Number.isNaN(time.getTime())) return time;
  context.addIssue({ code: "custom", message: "is no date" });
  return z.NEVER;
});

const cartReply = z.object({
  id: z.string().min(1),
  creationTimestamp: timestamp,
  expirationTimestamp: timestamp,
  lineItems: z
    .array(
      z.object({
        // Spelled differently from every other error of this API.
        error: z.object({ errorCode, errorDescription: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

const order = z
  .object({
    id: z.string().min(1),
    creationDate: timestamp,
    lineItems: z.array(
      z.object({
        offerId: z.string(),
        subscriptionId: z.string().nullish(),
        quantity: z.number().int(),
        termDuration: z.string().nullish(),
      }),
    ),
  })
  .transform(
    (wire): PartnerOrder => ({
      id: wire.id,
      createdAt: wire.creationDate,
      lineItems: wire.lineItems.map((line) => ({
        offerId: line.offerId,
        subscriptionId: line.subscriptionId || null,
        quantity: line.quantity,
        termDuration: line.termDuration ?? undefined,
      })),
    }),
  );

const ordersReply = z.object({ items: z.array(order) });

const checkoutReply = z.object({
  orders: z.array(order).nullish(),
  orderErrors: z.array(z.object({ code: errorCode, description: z.string().nullish() })).nullish(),
});

/** "The cart is being processed by another request": an earlier checkout, which Microsoft has not finished. */
const cartBusy = "800064";
/** "Cannot check out an already submitted cart." */
const cartSubmitted = "800065";
/** The cart knows the order but the order store does not yet. Lasts up to 15 minutes. */
const orderNotThereYet = "20000";

export function orderingCalls(api: Api): OrderingCalls {
  return {
    /**
     * `POST /v1/customers/{id}/carts`. A cart lives 7 days and costs nothing until its checkout.
     * @throws ProviderError; refused with the line's code when Microsoft accepts the cart but not a line.
     */
    async createCart(tenantId, lines, requestId) {
      const answer = await api({
        method: "POST",
        path: pathOf`/v1/customers/${tenantId}/carts`,
        requestId,
        json: { PartnerOnRecordAttestationAccepted: true, lineItems: lines.map(wireLine) },
      });
      const cart = parseResponse(answer, cartReply);
      for (const { error } of cart.lineItems ?? []) {
        if (error) throw refusedInReply(answer, error.errorCode ?? "cart_line", error.errorDescription);
      }
      return { cartId: cart.id, createdAt: cart.creationTimestamp, expiresAt: cart.expirationTimestamp };
    },

    /**
     * `POST .../carts/{cartId}/checkout`: the purchase. A cart buys once. Whether a repeat returns the first result or an
     * error is documented both ways (docs/providers.md, section 1.4).
     * @throws ProviderError; transient while an earlier checkout is being processed; refused with the first order error,
     * which Microsoft reports inside a 201.
     */
    async checkoutCart(tenantId, cartId, requestId) {
      const answer = await api({
        method: "POST",
        path: pathOf`/v1/customers/${tenantId}/carts/${cartId}/checkout`,
        requestId,
      });
      if (answer.status >= 400) {
        const error = errorOf(answer);
        if (error.code === cartSubmitted) return { outcome: "submitted" };
        throw error.code === cartBusy ? withKind(error, "transient", answer.call) : error;
      }
      const { orders, orderErrors } = parseResponse(answer, checkoutReply);
      const failed = orderErrors?.[0];
      if (failed !== undefined)
        throw refusedInReply(answer, failed.code ?? "order_error", failed.description);
      const placed = orders?.[0];
      if (placed === undefined) throw refusedInReply(answer, unexpectedAnswer, "Neither order nor error");
      return { outcome: "ordered", order: placed };
    },

    /** `GET .../orders`: all orders of the customer. A new one may be missing for up to 15 minutes. @throws ProviderError */
    async listOrders(tenantId) {
      const answer = await api({ method: "GET", path: pathOf`/v1/customers/${tenantId}/orders` });
      return parseResponse(answer, ordersReply).items;
    },

    /**
     * `GET .../orders/{orderId}`.
     * @throws ProviderError; transient for an order that does not exist yet (404, 20000).
     */
    async getOrder(tenantId, orderId) {
      const answer = await api({ method: "GET", path: pathOf`/v1/customers/${tenantId}/orders/${orderId}` });
      if (answer.status === 404) {
        const error = errorOf(answer);
        throw error.code === orderNotThereYet ? withKind(error, "transient", answer.call) : error;
      }
      return parseResponse(answer, order);
    },
  };
}

/** Builds a cart line's JSON; the only function that does. An add-on is bought like any other plan. */
function wireLine(line: CartLine, index: number) {
  return {
    id: index,
    catalogItemId: line.catalogItemId,
    quantity: line.quantity,
    billingCycle: line.billingCycle,
    termDuration: line.termDuration,
    attestationAccepted: true,
  };
}
