/**
 * Refunds by the operator: of a paid order, in full or in part, and of payments that count for no order. The same refund
 * requested twice within a day is made once, because a command is easily repeated.
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
  /** Integer minor units in the payment's currency; null for the whole rest. */
  amountMinor: number | null;
  /** Text for the buyer and for the audit log. */
  reason: string;
  /** Allows the same refund again within a day. */
  allowDuplicate: boolean;
  /** False only returns the plan, and changes nothing. */
  isConfirmed: boolean;
}

export interface StaffRefundResult {
  /** repeated: the same was requested within a day, and nothing was done. */
  outcome: "planned" | "requested" | "repeated";
  orderNumber: string;
  providerPaymentId: string;
  amount: Money;
  /** Null for a plan. */
  refundId: RefundId | null;
  /** Null unless it is a plan. */
  effects: RefundEffects | null;
}

/** The consequences of a refund that has not been requested yet. */
export interface RefundEffects {
  /** The amount that the buyer receives: the refund, and with the last part the fee that they paid on top. */
  returned: Money;
  /** The rest of the payment afterwards. */
  left: Money;
  /** Amount of the credit note; null when none is issued. */
  credit: Money | null;
  /** The payment method as the provider names it; null when it reported none. */
  method: string | null;
  receivedAt: Date;
  /** The buyer, who receives the mails; null for an order without an account. */
  buyer: { company: string; email: string } | null;
}

const repeatMs = 86_400_000;

/** Plans or requests a refund. @throws DomainError not_found; conflict when it cannot be refunded; nothing changes then */
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
    // A request for the whole rest counts as a repeat when no rest is left.
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

/** Finds the payment with the provider's id, or the one that an order was paid with. */
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
