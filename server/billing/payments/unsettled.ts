/** Payments that were made and not accepted, for the pages of an order. */
import { listPayments, type Payment } from "#db/billing/payments.ts";
import { listReceivedPayments, type ReceivedPayment } from "#db/billing/received-payments.ts";
import type { OrderId } from "#db/ids.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * Lists payments of an order that were made but neither accepted nor refunded, which put the review page into its retry state.
 */
export async function unsettledPayments(context: Context, orderId: OrderId): Promise<Payment[]> {
  return filterUnsettledPayments(context, orderId, await listPayments(context.db, orderId));
}

/** Filters the same from all the order's payments. */
export async function filterUnsettledPayments(
  { db }: Pick<Context, "db">,
  orderId: OrderId,
  payments: readonly Payment[],
): Promise<Payment[]> {
  const isAnyHeld = payments.some(({ status }) => status === "mismatch");
  const gone = isAnyHeld ? (await listReceivedPayments(db, orderId)).filter(isGone) : [];
  return payments.filter(
    ({ status, providerPaymentId }) =>
      status === "returned" ||
      (status === "mismatch" && !gone.some((each) => each.providerPaymentId === providerPaymentId)),
  );
}

function isGone({ amountMinor, goneMinor }: ReceivedPayment): boolean {
  return amountMinor !== null && goneMinor >= amountMinor;
}

/** Returns the reason why an order's latest payment failed, for the buyer; null when it has not failed. */
export async function lastFailure(
  context: Context,
  orderId: OrderId,
): Promise<MessageDescriptor | string | null> {
  const latest = (await listPayments(context.db, orderId)).at(-1);
  return latest?.status === "failed" ? latest.problem : null;
}
