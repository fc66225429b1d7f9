/**
 * Refunds that the operator decides on: of a paid order, in full or in part, and of payments that no order uses. The same refund
 * asked for twice within a day is one, since a command is easily repeated.
 */

import {
  listReceivedPayments,
  listReceivedPaymentsById,
  type ReceivedPayment,
} from "#db/billing/received-payments.ts";
import { findRecentDuplicate } from "#db/billing/refunds.ts";
import type { RefundId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { RegistrationSettings } from "#server/billing/documents/registration-queue.ts";
import type { Sellers } from "#server/billing/documents/supplier.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { resolveOrderId } from "#server/fulfilment/attention.ts";
import { lockOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { divideReturned, refundableMinor, requestRefund, requireRefundable } from "./refund.ts";

export interface StaffRefundRequest extends AuditActor {
  /** An order's number or id, or the provider's id of a payment. */
  target: string;
  /** Integer minor units in the payment's currency; null for all that is left. */
  amountMinor: number | null;
  /** For the buyer, and for the audit log. */
  reason: string;
  /** Also when the same was asked for within a day. */
  allowDuplicate: boolean;
  /** False says what would be done, and changes nothing. */
  isConfirmed: boolean;
}

export interface StaffRefundResult {
  /** Repeated: the same was asked for within a day, and nothing was done. */
  outcome: "planned" | "requested" | "repeated";
  orderNumber: string;
  providerPaymentId: string;
  amount: Money;
  /** Null for one that is only planned. */
  refundId: RefundId | null;
  /** Null for a refund that is not only planned. */
  effects: RefundEffects | null;
}

/** The consequences of a refund that has not been requested yet. */
export interface RefundEffects {
  /** The money that the buyer gets: the amount, and with the last of it the fee that they paid on top. */
  returned: Money;
  /** The rest of the payment afterwards. */
  left: Money;
  /** The amount of the credit note; null where none is issued. */
  credit: Money | null;
  /** The means of the payment, in the provider's word; null where it told none. */
  method: string | null;
  receivedAt: Date;
  /** The buyer, who gets the emails; null for an order without an account. */
  buyer: { company: string; email: string } | null;
}

const repeatMs = 86_400_000;

/** @throws DomainError not_found; conflict where it cannot be refunded, in which case nothing changes */
export async function refundByStaff(
  db: Db,
  sellers: Sellers & RegistrationSettings,
  request: StaffRefundRequest,
): Promise<StaffRefundResult> {
  const named = await paymentNamed(db, request.target);
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, named.orderId);
    const [payment = named] = (await listReceivedPayments(trx, order.id)).filter(
      (each) => each.provider === named.provider && each.providerPaymentId === named.providerPaymentId,
    );
    const { provider, providerPaymentId } = payment;
    const report = { orderNumber: orderNumber(order), providerPaymentId };
    const now = new Date();

    const reason = request.reason.trim();
    const since = new Date(now.getTime() - repeatMs);
    // All that is left is the same again when nothing is left.
    const amountMinor = request.amountMinor ?? (refundableMinor(payment) || (payment.amountMinor ?? 0));
    const amount = money(amountMinor, currencyOf(payment));
    const repeat = await findRecentDuplicate(trx, {
      provider,
      providerPaymentId,
      amountMinor,
      reason,
      since,
    });
    if (repeat !== null && !request.allowDuplicate)
      return { outcome: "repeated", ...report, amount, refundId: repeat.id, effects: null };

    requireRefundable(payment, amount, now);
    if (!request.isConfirmed) {
      const effects = await effectsOf(trx, order, payment, amount);
      return { outcome: "planned", ...report, amount, refundId: null, effects };
    }
    const refundId = await requestRefund(trx, sellers, { order, payment, amount, reason, by: "operator" });
    await recordAudit(trx, {
      userId: null,
      staffId: request.staffId,
      action: "order.refund",
      subject: `order:${order.id}`,
      data: { by: request.by, reason, amountMinor, currency: amount.currency, providerPaymentId, refundId },
    });
    return { outcome: "requested", ...report, amount, refundId, effects: null };
  });
}

async function effectsOf(
  trx: Trx,
  { account }: Order,
  payment: ReceivedPayment,
  amount: Money,
): Promise<RefundEffects> {
  const { customerFeeMinor, creditMinor } = await divideReturned(trx, payment, { amount, by: "operator" });
  const { method, receivedAt } = payment;
  return {
    returned: money(amount.minor + customerFeeMinor, amount.currency),
    left: money(refundableMinor(payment) - amount.minor, amount.currency),
    credit: creditMinor > 0 ? money(creditMinor, amount.currency) : null,
    method,
    receivedAt,
    buyer: account === null ? null : { company: account.companyName, email: account.email },
  };
}

/** The payment with the provider's id, or the one that an order was paid with. */
async function paymentNamed(db: Db, what: string): Promise<ReceivedPayment> {
  const [byId, ...others] = await listReceivedPaymentsById(db, what);
  if (byId !== undefined && others.length === 0) return byId;
  if (byId !== undefined)
    throw new DomainError("conflict", "More than one provider has a payment with this id.");
  const payments = await listReceivedPayments(db, await resolveOrderId(db, what));
  const [paid, ...more] = payments.filter(({ status }) => ["captured", "part", "refunded"].includes(status));
  if (paid === undefined) throw new DomainError("conflict", "This order has no payment. Enter a payment ID.");
  if (more.length > 0)
    throw new DomainError(
      "conflict",
      `This order has several payments. Enter one payment ID: ${[paid, ...more].map(({ providerPaymentId }) => providerPaymentId).join(", ")}.`,
    );
  return paid;
}

function currencyOf({ currency, providerPaymentId }: ReceivedPayment): Money["currency"] {
  const found = currencies.find((each) => each === currency);
  if (found !== undefined) return found;
  throw new DomainError(
    "conflict",
    `Payment ${providerPaymentId} was made in ${currency ?? "no known currency"}: refund it in the provider's dashboard.`,
  );
}
