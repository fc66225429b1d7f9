/** Refunds, completed and pending, each with its credit note and the provider's message. */
import { z } from "zod";
import { listRefunds } from "#db/billing/refunds.ts";
import { parseCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { RefundDecider, RefundStatus } from "#db/tables/payments.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { StateTone } from "../labels.ts";
import { defineList, keysetRows, oneOf, period, periodFields, toListOptions, toTimeRange } from "./list.ts";

export const refundStatusLabels: Readonly<Record<RefundStatus, string>> = {
  requested: "Queued",
  pending: "In progress at the provider",
  processed: "Refunded",
  failed: "Failed",
};
const tones: Readonly<Record<RefundStatus, StateTone>> = {
  requested: "new",
  pending: "new",
  processed: "good",
  failed: "bad",
};
const states = Object.keys(refundStatusLabels).filter(
  (state): state is RefundStatus => state in refundStatusLabels,
);

const deciderWords: Readonly<Record<RefundDecider, string>> = {
  store: "the store",
  operator: "staff",
  buyer: "the buyer",
  provider: "someone at the provider",
};

export const refundsList = defineList({
  title: "Refunds",
  explains: "All refunds, completed and pending, newest first. To refund, open the order.",
  empty: "No refunds found.",
  fileName: "refunds",
  filter: z.object({ state: oneOf(states), ...period }),
  fields: [
    { name: "state", label: "State", kind: "choice", options: toListOptions(refundStatusLabels) },
    ...periodFields,
  ],
  read: ({ db }, { state, ...time }, query) =>
    keysetRows(parseCursor, query, (place) =>
      listRefunds(db, { status: state, ...toTimeRange(time), ...place }),
    ),
  id: ({ id }) => id,
  columns: [
    {
      label: "Order",
      cell: (refund) => ({ text: orderNumber(refund), path: paths.deskOrder(refund.orderId) }),
    },
    { label: "Requested", cell: ({ begunAt }) => ({ at: begunAt }) },
    {
      label: "Amount",
      holds: "amount",
      cell: ({ amountMinor, currency }) => formatExact(money(amountMinor, currency)),
    },
    {
      label: "State",
      holds: "words",
      cell: ({ status, problem }) => ({
        text: refundStatusLabels[status],
        small: problem,
        tone: tones[status],
      }),
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
        text: providerRefundId ?? "not at the provider yet",
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
