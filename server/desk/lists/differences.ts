/** Reconciliation differences: the results of the daily comparison, each with its order. */
import { z } from "zod";
import {
  type DiscrepancyState,
  discrepancyStates,
  type ListedDiscrepancy,
  listDiscrepancies,
  listDiscrepancyKinds,
} from "#db/billing/reconciliation.ts";
import { parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { defineList, keysetRows, oneOf, searchTextSchema, toListOptions } from "./list.ts";

const stateWords: Readonly<Record<DiscrepancyState, string>> = {
  open: "Open",
  acknowledged: "Acknowledged",
  resolved: "Resolved",
};

export const differencesList = defineList({
  title: "Discrepancies",
  explains:
    "Where payments, payouts, documents and vendor bills don't match, oldest first. Fixed ones clear at the next comparison.",
  empty: "No discrepancies.",
  fileName: "differences",
  filter: z.object({ state: oneOf(discrepancyStates), kind: searchTextSchema }),
  fields: async ({ db }) => [
    {
      name: "state",
      label: "State (open by default)",
      kind: "choice",
      options: toListOptions(stateWords),
    },
    {
      name: "kind",
      label: "Kind",
      kind: "choice",
      options: (await listDiscrepancyKinds(db)).map((kind) => ({ value: kind, label: inWords(kind) })),
    },
  ],
  read: ({ db }, { state, kind }, query) =>
    keysetRows(parseTextCursor, query, (place) =>
      listDiscrepancies(db, { state: state ?? "open", kind, ...place }),
    ),
  id: ({ key }) => key,
  columns: [
    { label: "Kind", cell: ({ kind }) => inWords(kind) },
    { label: "What", holds: "words", cell: ({ what }) => what },
    {
      label: "Amount",
      holds: "amount",
      cell: ({ amountMinor, currency }) => formatExact(money(amountMinor, currency)),
    },
    {
      label: "Order",
      cell: ({ order }) =>
        order === null ? "none" : { text: orderNumber(order), path: paths.deskOrder(order.orderId) },
    },
    { label: "Since", cell: ({ firstSeenAt }) => ({ at: firstSeenAt }) },
    { label: "State", holds: "words", cell: stateCell },
  ],
  file: {
    key: ({ key }) => key,
    kind: ({ kind }) => kind,
    what: ({ what }) => what,
    amount: ({ amountMinor }) => ({ minor: amountMinor }),
    currency: ({ currency }) => currency,
    order: ({ order }) => (order === null ? null : orderNumber(order)),
    since: ({ firstSeenAt }) => firstSeenAt,
    resolved: ({ resolvedAt }) => resolvedAt,
    acknowledged: ({ acknowledged }) => acknowledged?.at ?? null,
    because: ({ acknowledged }) => acknowledged?.because ?? null,
  },
});

/** Formats "paid-not-settled" as "Paid not settled". */
function inWords(kind: string): string {
  const text = kind.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function stateCell({ key, resolvedAt, acknowledged }: ListedDiscrepancy) {
  if (resolvedAt !== null) return { text: stateWords.resolved, tone: "good" as const };
  if (acknowledged !== null)
    return { text: stateWords.acknowledged, small: acknowledged.because, tone: null };
  return { text: "Acknowledge", of: key, path: paths.deskActionForm("difference.acknowledge", key) };
}
