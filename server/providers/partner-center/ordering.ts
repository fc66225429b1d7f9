/** Buying from Microsoft: an offer's current availability, the cart, its checkout, and the resulting order. */
import { z } from "zod";
import { asKind, unexpectedAnswer } from "../errors.ts";
import { type Answer, errorOf, ProviderError, pathOf, readAnswer } from "../http.ts";
import type { Api } from "./api.ts";

/** ISO 8601: a month or a year. */
export type TermDuration = "P1M" | "P1Y";
export type BillingCycle = "monthly" | "annual";

export interface Availability {
  /** `productId:skuId:availabilityId`: the id that a cart line names. */
  catalogItemId: string;
  availabilityId: string;
  /** ISO 4217 code in which Microsoft bills the partner. */
  currency: string | undefined;
}

export interface CartLine {
  catalogItemId: string;
  quantity: number;
  billingCycle: BillingCycle;
  termDuration: TermDuration;
  /** For an add-on: its base subscription. */
  parentSubscriptionId?: string | undefined;
}

export interface PartnerOrder {
  id: string;
  lineItems: {
    offerId: string;
    /** Null until Microsoft has provisioned it: poll with getOrder. */
    subscriptionId: string | null;
    quantity: number;
    termDuration: string | undefined;
  }[];
}

export interface OrderingCalls {
  findAvailability(
    productId: string,
    skuId: string,
    country: string,
    term: TermDuration,
  ): Promise<Availability>;
  createCart(tenantId: string, lines: readonly CartLine[], requestId: string): Promise<{ cartId: string }>;
  checkoutCart(tenantId: string, cartId: string, requestId: string): Promise<{ orders: PartnerOrder[] }>;
  getOrder(tenantId: string, orderId: string): Promise<PartnerOrder>;
}

const availabilitiesReply = z.object({
  items: z.array(
    z.object({
      id: z.string().min(1),
      catalogItemId: z.string().min(1),
      defaultCurrency: z.object({ code: z.string().optional() }).nullish(),
      segment: z.string().nullish(),
      isPurchasable: z.boolean().nullish(),
      terms: z.array(z.object({ duration: z.string().nullish() })).nullish(),
    }),
  ),
});

const errorCode = z.union([z.string(), z.number().transform(String)]).nullish();

const cartReply = z.object({
  id: z.string().min(1),
  lineItems: z
    .array(
      z.object({
        // Documented as an object, but a bare text counts as an error too.
        error: z
          .union([z.string(), z.object({ code: errorCode, description: z.string().nullish() })])
          .nullish(),
      }),
    )
    .nullish(),
});

const order = z
  .object({
    id: z.string().min(1),
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
      lineItems: wire.lineItems.map((line) => ({
        offerId: line.offerId,
        subscriptionId: line.subscriptionId || null,
        quantity: line.quantity,
        termDuration: line.termDuration ?? undefined,
      })),
    }),
  );

const checkoutReply = z.object({
  orders: z.array(order).nullish(),
  orderErrors: z.array(z.object({ code: errorCode, description: z.string().nullish() })).nullish(),
});

/** The cart knows the order but the order store does not yet. Lasts up to 15 minutes. */
const orderNotThereYet = "20000";

export function orderingCalls(api: Api): OrderingCalls {
  return {
    /**
     * The cart item for this SKU, country (two letters) and term. The ids change, so ask right before each cart.
     * @throws ProviderError; refused with code `no_availability` when it is not sold that way.
     */
    async findAvailability(productId, skuId, country, term) {
      const answer = await api({
        method: "GET",
        path: pathOf`/v1/products/${productId}/skus/${skuId}/availabilities`,
        query: { country },
      });
      const found = readAnswer(answer, availabilitiesReply).items.find(
        (one) =>
          one.isPurchasable !== false &&
          // Education, charity and government prices require proof of eligibility.
          (one.segment ?? "commercial").toLowerCase() === "commercial" &&
          one.terms?.some((offered) => offered.duration === term),
      );
      if (found === undefined) {
        throw refusal(answer, "no_availability", `Not sold for ${country} and ${term}`);
      }
      return {
        catalogItemId: found.catalogItemId,
        availabilityId: found.id,
        currency: found.defaultCurrency?.code,
      };
    },

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
      const cart = readAnswer(answer, cartReply);
      for (const { error } of cart.lineItems ?? []) {
        if (!error) continue;
        if (typeof error === "string") throw refusal(answer, "cart_line", error);
        throw refusal(answer, error.code ?? "cart_line", error.description);
      }
      return { cartId: cart.id };
    },

    /**
     * `POST .../carts/{cartId}/checkout`: the purchase. A repeated checkout returns the first result.
     * @throws ProviderError; refused with the first order error, which Microsoft reports inside a 201.
     */
    async checkoutCart(tenantId, cartId, requestId) {
      const answer = await api({
        method: "POST",
        path: pathOf`/v1/customers/${tenantId}/carts/${cartId}/checkout`,
        requestId,
      });
      const { orders, orderErrors } = readAnswer(answer, checkoutReply);
      const failed = orderErrors?.[0];
      if (failed !== undefined) throw refusal(answer, failed.code ?? "order_error", failed.description);
      if (!orders || orders.length === 0) throw refusal(answer, unexpectedAnswer, "Neither order nor error");
      return { orders };
    },

    /**
     * `GET .../orders/{orderId}`.
     * @throws ProviderError; transient for an order that is not there yet (404, 20000).
     */
    async getOrder(tenantId, orderId) {
      const answer = await api({ method: "GET", path: pathOf`/v1/customers/${tenantId}/orders/${orderId}` });
      if (answer.status === 404) {
        const error = errorOf(answer);
        throw error.code === orderNotThereYet ? asKind(error, "transient", answer.call) : error;
      }
      return readAnswer(answer, order);
    },
  };
}

/** The one place that builds a cart line's JSON, including the field by which an add-on names its parent. */
function wireLine(line: CartLine, index: number) {
  return {
    id: index,
    catalogItemId: line.catalogItemId,
    quantity: line.quantity,
    billingCycle: line.billingCycle,
    termDuration: line.termDuration,
    ...(line.parentSubscriptionId === undefined
      ? {}
      : { provisioningContext: { parentSubscriptionId: line.parentSubscriptionId } }),
  };
}

/** A refusal inside a successful reply. */
function refusal(answer: Answer, code: string, description: string | null | undefined): ProviderError {
  return new ProviderError(answer.provider, "refused", answer.call, {
    status: answer.status,
    code,
    description: description?.slice(0, 300),
  });
}
