/** Money that went back, or is to: every refund with its credit note and what the provider said. */
import { z } from "zod";
import { parseCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import { listRefunds } from "#db/refunds.ts";
import type { RefundDecider, RefundStatus } from "#db/tables/payments.ts";
import { english } from "#server/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatExact } from "#server/pricing/format.ts";
import { deskList, keysetRows, oneOf, optionsOf, period, periodFields, timeOf } from "./list.ts";

export const refundStateWords: Readonly<Record<RefundStatus, string>> = {
  requested: "To be sent to the provider",
  pending: "Under way at the provider",
  processed: "Given back",
  failed: "Failed",
};
const states = Object.keys(refundStateWords).filter(
  (state): state is RefundStatus => state in refundStateWords,
);

const deciderWords: Readonly<Record<RefundDecider, string>> = {
  store: "the store",
  operator: "staff",
  buyer: "the buyer",
  provider: "somebody at the provider",
};

export const refundsList = deskList({
  title: "Refunds",
  explains: "All that was given back or is to be, the newest first. Refund from the page of an order.",
  empty: "No refund is found.",
  fileName: "refunds",
  filter: z.object({ state: oneOf(states), ...period }),
  fields: [
    { name: "state", label: "State", kind: "choice", options: optionsOf(refundStateWords) },
    ...periodFields,
  ],
  read: ({ db }, { state, ...time }, asked) =>
    keysetRows(parseCursor, asked, (place) => listRefunds(db, { status: state, ...timeOf(time), ...place })),
  id: ({ id }) => id,
  columns: [
    {
      label: "Order",
      cell: (refund) => ({ text: orderNumber(refund), path: paths.deskOrder(refund.orderId) }),
    },
    { label: "Decided", cell: ({ begunAt }) => ({ at: begunAt }) },
    { label: "Amount", cell: ({ amountMinor, currency }) => formatExact(money(amountMinor, currency)) },
    {
      label: "State",
      holds: "words",
      cell: ({ status, problem }) => ({ text: refundStateWords[status], small: problem }),
    },
    {
      label: "Why",
      holds: "words",
      cell: ({ reason, decidedBy }) => ({ text: english(reason), small: `by ${deciderWords[decidedBy]}` }),
    },
    {
      label: "Credit note",
      cell: ({ creditNote }) =>
        creditNote === null ? "none" : { text: creditNote, path: paths.deskDocument(creditNote) },
    },
    {
      label: "At the provider",
      holds: "words",
      cell: ({ providerRefundId, providerPaymentId, bankReference }) => ({
        text: providerRefundId ?? "not known there yet",
        small:
          bankReference === null
            ? `of ${providerPaymentId}`
            : `of ${providerPaymentId}, bank ${bankReference}`,
      }),
    },
  ],
  file: {
    order: (refund) => orderNumber(refund),
    decided: ({ begunAt }) => begunAt,
    moved: ({ movedAt }) => movedAt,
    amount: ({ amountMinor, currency }) => money(amountMinor, currency),
    currency: ({ currency }) => currency,
    state: ({ status }) => status,
    problem: ({ problem }) => problem,
    reason: ({ reason }) => english(reason),
    "decided by": ({ decidedBy }) => decidedBy,
    "credit note": ({ creditNote }) => creditNote,
    provider: ({ provider }) => provider,
    payment: ({ providerPaymentId }) => providerPaymentId,
    refund: ({ providerRefundId }) => providerRefundId,
    "bank reference": ({ bankReference }) => bankReference,
  },
});
