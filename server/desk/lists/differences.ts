/** Where the books differ: what the daily comparison found, each with the order it is about. */
import { z } from "zod";
import { parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import {
  type DifferenceState,
  differenceStates,
  type ListedDifference,
  listDifferenceKinds,
  listDifferences,
} from "#db/reconciliation.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatExact } from "#server/pricing/format.ts";
import { deskList, keysetRows, oneOf, optionsOf, words } from "./list.ts";

const stateWords: Readonly<Record<DifferenceState, string>> = {
  open: "Open",
  acknowledged: "Acknowledged",
  resolved: "Gone",
};

export const differencesList = deskList({
  title: "Differences",
  explains:
    "Where payments, payouts, documents and vendors' bills do not agree, the longest known first. One that is put right is gone when the books are next compared.",
  empty: "Nothing differs.",
  fileName: "differences",
  filter: z.object({ state: oneOf(differenceStates), kind: words }),
  fields: async ({ db }) => [
    {
      name: "state",
      label: "State (open ones, if none is chosen)",
      kind: "choice",
      options: optionsOf(stateWords),
    },
    {
      name: "kind",
      label: "Kind",
      kind: "choice",
      options: (await listDifferenceKinds(db)).map((kind) => ({ value: kind, label: inWords(kind) })),
    },
  ],
  read: ({ db }, { state, kind }, asked) =>
    keysetRows(parseTextCursor, asked, (place) =>
      listDifferences(db, { state: state ?? "open", kind, ...place }),
    ),
  id: ({ key }) => key,
  columns: [
    { label: "Kind", cell: ({ kind }) => inWords(kind) },
    { label: "What", holds: "words", cell: ({ what }) => what },
    { label: "Amount", cell: ({ amountMinor, currency }) => formatExact(money(amountMinor, currency)) },
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

/** "Paid not settled" of "paid-not-settled". */
function inWords(kind: string): string {
  const text = kind.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function stateCell({ key, resolvedAt, acknowledged }: ListedDifference) {
  if (resolvedAt !== null) return { text: stateWords.resolved };
  if (acknowledged !== null) return { text: stateWords.acknowledged, small: acknowledged.because };
  return { text: "Acknowledge", of: key, path: paths.deskAct("difference.acknowledge", key) };
}
