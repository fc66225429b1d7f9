/**
 * The order as its payment was begun, stored when its checkout opens. If the order is changed in another window and this
 * payment still arrives, the order is reset to this state and fulfilled accordingly.
 */
import { z } from "zod";
import type { PaymentIntent } from "#db/billing/payment-intents.ts";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { parseId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { detailsSchema, type Order, signInSchema } from "#db/orders/order.ts";
import { replaceLine } from "#db/orders/orders.ts";
import type { Trx } from "#db/tables/index.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";

const minorUnits = z.number().int();
/** Uses the field names that earlier versions stored, because their payments may still arrive. */
const paidForSchema = z.object({
  line: z.object({
    item_id: z.string().refine(isItemId),
    name: z.string(),
    sku: z.string(),
    term: z.enum(["P1M", "P1Y"]),
    billing_cycle: z.enum(["monthly", "annual"]),
    quantity: z.number().int(),
    unit_price_minor: minorUnits,
    signup_price_minor: minorUnits.nullable(),
    subtotal_minor: minorUnits,
  }),
  figures: z.object({
    tax_rate_basis_points: z.number().int(),
    subtotal_minor: minorUnits,
    tax_minor: minorUnits,
    rounding_minor: minorUnits,
    total_minor: minorUnits,
    priced_at: z.coerce.date(),
  }),
  /** Choices outside the line: the domain, the proration, the end that a renewal follows, the destination and the supply. */
  chosen: detailsSchema.pick({ google: true, proration: true, renewal: true, addedTo: true, supply: true }),
  tenantId: z.string().nullable(),
  parentSubscriptionId: z.string().nullable(),
  signIn: signInSchema.nullable(),
});

/**
 * Serializes the order for the intent's row. The buyer's account is not included, because a later correction of the address
 * should count.
 */
export function serializePaidFor(order: Order): string {
  const { line, details } = order;
  const { google, proration, renewal, addedTo, supply } = details;
  const paidFor: z.input<typeof paidForSchema> = {
    line: {
      item_id: line.itemId,
      name: line.name,
      sku: line.sku,
      term: line.term,
      billing_cycle: line.billingCycle,
      quantity: line.quantity,
      unit_price_minor: line.unitPrice.minor,
      signup_price_minor: line.signupPrice?.minor ?? null,
      subtotal_minor: line.subtotal.minor,
    },
    figures: {
      tax_rate_basis_points: order.taxRateBasisPoints,
      subtotal_minor: order.subtotal.minor,
      tax_minor: order.tax.minor,
      rounding_minor: order.rounding.minor,
      total_minor: order.total.minor,
      priced_at: order.pricedAt.toISOString(),
    },
    chosen: { google, proration, renewal, addedTo, supply },
    tenantId: order.tenantId,
    parentSubscriptionId: order.parentSubscriptionId,
    signIn: order.signIn,
  };
  return JSON.stringify(paidFor);
}

/** Returns the value before tax of the order as the payment was begun, in minor units. */
export function taxableOf(
  order: Order,
  { status, paidFor: kept }: Pick<PaymentIntent, "status" | "paidFor">,
): number {
  if (status !== "superseded" || kept === null) return order.subtotal.minor;
  return paidForSchema.parse(kept).figures.subtotal_minor;
}

/**
 * Resets a locked order to the state in which its payment was begun.
 * @throws ZodError when the stored JSON does not match its schema, which is a bug
 */
export async function asPaidFor(
  trx: Trx,
  order: Order,
  { status, paidFor: kept }: Pick<PaymentIntent, "status" | "paidFor">,
): Promise<Order> {
  // An open intent matches the order, because every change supersedes the intent.
  if (status !== "superseded" || kept === null) return order;
  const { line, figures, chosen, signIn, ...places } = paidForSchema.parse(kept);
  const { google, proration, renewal, addedTo, supply } = chosen;
  const amount = (minor: number) => money(minor, order.total.currency);
  await replaceLine(trx, order.id, {
    itemId: line.item_id,
    name: line.name,
    sku: line.sku,
    term: line.term,
    billingCycle: line.billing_cycle,
    quantity: line.quantity,
    unitPrice: amount(line.unit_price_minor),
    signupPrice: line.signup_price_minor === null ? null : amount(line.signup_price_minor),
    subtotal: amount(line.subtotal_minor),
  });
  await moveOrder(trx, order, {
    figures: {
      taxRateBasisPoints: figures.tax_rate_basis_points,
      subtotal: amount(figures.subtotal_minor),
      tax: amount(figures.tax_minor),
      rounding: amount(figures.rounding_minor),
      total: amount(figures.total_minor),
      pricedAt: figures.priced_at,
    },
    details: { ...order.details, google, proration, renewal, addedTo, supply },
    tenantId: parseId<TenantId>(places.tenantId),
    parentSubscriptionId: parseId<SubscriptionId>(places.parentSubscriptionId),
    signIn,
  });
  return lockOrder(trx, order.id);
}
