/** An order's payments and refunds for staff, and the remaining amount. */

import { listReceivedPayments } from "#db/billing/received-payments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { hasReceivedMoney, refundableMinor } from "#server/billing/payments/refund.ts";
import { paidByText } from "./labels.ts";
import { amountOf } from "./work-queue.ts";

export interface OrderMoneyView {
  payments: { id: string; words: string; at: Date; amount: string }[];
  /** Null for payments in several currencies, which have no sum. */
  sums: { returned: string; left: string } | null;
}

export async function readOrderMoney(db: Db, id: OrderId): Promise<OrderMoneyView> {
  const received = (await listReceivedPayments(db, id)).filter(hasReceivedMoney);
  const [{ currency = null } = {}] = received;
  const isOneCurrency = received.every((each) => each.currency === currency);
  const sum = (of: (payment: (typeof received)[number]) => number) =>
    amountOf({ amountMinor: received.reduce((total, each) => total + of(each), 0), currency }) ?? "";
  return {
    payments: received.map(({ providerPaymentId, method, receivedAt, ...payment }) => ({
      id: providerPaymentId,
      words: paidByText(method),
      at: receivedAt,
      amount: amountOf(payment) ?? "amount unknown",
    })),
    sums:
      currency === null || !isOneCurrency
        ? null
        : { returned: sum(({ goneMinor }) => goneMinor), left: sum(refundableMinor) },
  };
}
