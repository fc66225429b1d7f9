/**
 * Refunds that the operator decides on: of a paid order, in full or in part, and of payments that no order uses. The same refund
 * asked for twice within a day is one, since a command is easily repeated.
 */

import type { RefundId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import { findRepeat, listReceivedById, listReceivedFor, type Received } from "#db/refunds.ts";
import type { Db } from "#db/tables/index.ts";
import { type Operator, record } from "#server/accounts/audit.ts";
import { currencies } from "#server/countries/country.ts";
import type { RegistrationSettings } from "#server/documents/registration.ts";
import type { Sellers } from "#server/documents/supplier.ts";
import { DomainError } from "#server/errors.ts";
import { orderNamed } from "#server/fulfilment/attention.ts";
import { lockOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { leftOf, requestRefund, requireRefundable } from "./refund.ts";

export interface AskedRefund extends Operator {
  /** An order's number or id, or the provider's id of a payment. */
  what: string;
  /** Integer minor units in the payment's currency; null for all that is left. */
  amountMinor: number | null;
  /** For the buyer, and for the audit log. */
  reason: string;
  /** Also when the same was asked for within a day. */
  again: boolean;
  /** False says what would be done, and changes nothing. */
  isMeant: boolean;
}

export interface DoneRefund {
  /** Repeated: the same was asked for within a day, and nothing was done. */
  outcome: "planned" | "requested" | "repeated";
  orderNumber: string;
  providerPaymentId: string;
  amount: Money;
  /** Null for one that is only planned. */
  refundId: RefundId | null;
}

const repeatMs = 86_400_000;

/** @throws DomainError not_found; conflict where it cannot be refunded, in which case nothing changes */
export async function refundByOperator(
  db: Db,
  sellers: Sellers & RegistrationSettings,
  asked: AskedRefund,
): Promise<DoneRefund> {
  const named = await paymentNamed(db, asked.what);
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, named.orderId);
    const [payment = named] = (await listReceivedFor(trx, order.id)).filter(
      (each) => each.provider === named.provider && each.providerPaymentId === named.providerPaymentId,
    );
    const { provider, providerPaymentId } = payment;
    const told = { orderNumber: orderNumber(order), providerPaymentId };
    const now = new Date();

    const reason = asked.reason.trim();
    const since = new Date(now.getTime() - repeatMs);
    // All that is left is the same again when nothing is left.
    const amountMinor = asked.amountMinor ?? (leftOf(payment) || (payment.amountMinor ?? 0));
    const amount = money(amountMinor, currencyOf(payment));
    const repeat = await findRepeat(trx, { provider, providerPaymentId, amountMinor, reason, since });
    if (repeat !== null && !asked.again) return { outcome: "repeated", ...told, amount, refundId: repeat.id };

    requireRefundable(payment, amount, now);
    if (!asked.isMeant) return { outcome: "planned", ...told, amount, refundId: null };
    const refundId = await requestRefund(trx, sellers, { order, payment, amount, reason, by: "operator" });
    await record(trx, {
      userId: null,
      staffId: asked.staffId,
      action: "order.refund",
      subject: `order:${order.id}`,
      data: { by: asked.by, reason, amountMinor, currency: amount.currency, providerPaymentId, refundId },
    });
    return { outcome: "requested", ...told, amount, refundId };
  });
}

/** The payment with the provider's id, or the one that an order was paid with. */
async function paymentNamed(db: Db, what: string): Promise<Received> {
  const [byId, ...others] = await listReceivedById(db, what);
  if (byId !== undefined && others.length === 0) return byId;
  if (byId !== undefined)
    throw new DomainError("conflict", "More than one provider has a payment with this id.");
  const payments = await listReceivedFor(db, await orderNamed(db, what));
  const [paid, ...more] = payments.filter(({ status }) => ["captured", "part", "refunded"].includes(status));
  if (paid === undefined)
    throw new DomainError("conflict", "No payment was taken for this order. Name a payment by its id.");
  if (more.length > 0)
    throw new DomainError(
      "conflict",
      `Which of its payments? Name one by its id: ${[paid, ...more].map(({ providerPaymentId }) => providerPaymentId).join(", ")}.`,
    );
  return paid;
}

function currencyOf({ currency, providerPaymentId }: Received): Money["currency"] {
  const found = currencies.find((each) => each === currency);
  if (found !== undefined) return found;
  throw new DomainError(
    "conflict",
    `Payment ${providerPaymentId} was made in ${currency ?? "no known currency"}: refund it in the provider's dashboard.`,
  );
}
