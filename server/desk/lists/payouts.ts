/** What payment providers transferred to our bank: payouts, and the lines they are made of, with fee and tax. */
import { z } from "zod";
import { parseTextCursor } from "#db/keyset.ts";
import { listPayoutLines, listPayouts, type Payout } from "#db/settlements.ts";
import type { SettlementKind } from "#db/tables/reconciliation.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { paymentProviders } from "#server/payments/provider.ts";
import { amountOf } from "../waiting.ts";
import { deskList, keysetRows, period, periodFields, timeOf, words } from "./list.ts";

/** In the currency of a payout, which may be none of the store's. */
const inCurrency = (amountMinor: number, currency: string) => amountOf({ amountMinor, currency }) ?? "";

/** What reached the bank. */
export const netOf = ({ creditMinor, debitMinor }: Pick<Payout, "creditMinor" | "debitMinor">) =>
  creditMinor - debitMinor;

export const payoutsList = deskList({
  title: "Payouts",
  explains: "Transfers of the payment providers to our bank, as they report them, the newest first.",
  empty: "No payout is found.",
  fileName: "payouts",
  filter: z.object({ search: words, ...period }),
  fields: [{ name: "search", label: "Payout, UTR, payment or refund", kind: "search" }, ...periodFields],
  read: ({ db }, { search, ...time }, asked) =>
    keysetRows(parseTextCursor, asked, (place) => listPayouts(db, { search, ...timeOf(time) }, place)),
  id: ({ settlementId, settledAt }) => `${settlementId} ${settledAt.toISOString()}`,
  columns: [
    {
      label: "Payout",
      cell: ({ settlementId, providers, account }) => ({
        text: settlementId,
        path: paths.deskMoneyList("payout-lines", { payout: settlementId }),
        small: [...providers.map((provider) => paymentProviders[provider].name), account]
          .filter(Boolean)
          .join(", "),
      }),
    },
    { label: "UTR", holds: "words", cell: ({ bankReference }) => bankReference ?? "not told" },
    { label: "Paid out", cell: ({ settledAt }) => ({ at: settledAt }) },
    { label: "Lines", cell: ({ lines }) => String(lines) },
    { label: "Reached the bank", cell: (payout) => inCurrency(netOf(payout), payout.currency) },
    {
      label: "Fee",
      cell: ({ feeMinor, taxMinor, currency }) => ({
        text: inCurrency(feeMinor, currency),
        small: `${inCurrency(taxMinor, currency)} tax in it`,
      }),
    },
  ],
  file: {
    payout: ({ settlementId }) => settlementId,
    providers: ({ providers }) => providers.join(" "),
    account: ({ account }) => account,
    utr: ({ bankReference }) => bankReference,
    "paid out": ({ settledAt }) => settledAt,
    lines: ({ lines }) => lines,
    credit: ({ creditMinor }) => ({ minor: creditMinor }),
    debit: ({ debitMinor }) => ({ minor: debitMinor }),
    net: (payout) => ({ minor: netOf(payout) }),
    fee: ({ feeMinor }) => ({ minor: feeMinor }),
    "tax in the fee": ({ taxMinor }) => ({ minor: taxMinor }),
    currency: ({ currency }) => currency,
  },
});

const kindWords: Readonly<Record<SettlementKind, string>> = {
  payment: "Payment",
  refund: "Refund",
  other: "Fee, transfer or dispute",
};

export const payoutLinesList = deskList({
  title: "Lines of payouts",
  explains: "What payouts are made of: payments, refunds and what else was taken or given, the newest first.",
  empty: "No line is found.",
  fileName: "payout-lines",
  filter: z.object({ payout: words, search: words, ...period }),
  fields: [
    { name: "payout", label: "Payout", kind: "search" },
    { name: "search", label: "UTR, payment, refund or dispute", kind: "search" },
    ...periodFields,
  ],
  read: ({ db }, { payout, search, ...time }, asked) =>
    keysetRows(parseTextCursor, asked, (place) =>
      listPayoutLines(db, { payout, search, ...timeOf(time) }, place),
    ),
  id: ({ entityId, settlementId }) => `${settlementId} ${entityId}`,
  columns: [
    {
      label: "Line",
      cell: ({ entityId, kind }) => ({ text: entityId, small: kindWords[kind] }),
    },
    {
      label: "Order",
      cell: ({ order }) =>
        order === null
          ? "not known here"
          : { text: orderNumber(order), path: paths.deskOrder(order.orderId) },
    },
    { label: "Amount", cell: ({ amountMinor, currency }) => inCurrency(amountMinor, currency) },
    {
      label: "Fee",
      cell: ({ feeMinor, taxMinor, currency }) => ({
        text: inCurrency(feeMinor, currency),
        small: `${inCurrency(taxMinor, currency)} tax in it`,
      }),
    },
    { label: "Paid out", cell: (line) => inCurrency(netOf(line), line.currency) },
    {
      label: "Payout",
      holds: "words",
      cell: ({ settlementId, bankReference }) => ({
        text: settlementId,
        small: bankReference === null ? "UTR not told" : `UTR ${bankReference}`,
      }),
    },
    { label: "When", cell: ({ settledAt }) => ({ at: settledAt }) },
  ],
  file: {
    line: ({ entityId }) => entityId,
    kind: ({ kind }) => kind,
    order: ({ order }) => (order === null ? null : orderNumber(order)),
    payment: ({ providerPaymentId }) => providerPaymentId,
    dispute: ({ providerDisputeId }) => providerDisputeId,
    amount: ({ amountMinor }) => ({ minor: amountMinor }),
    fee: ({ feeMinor }) => ({ minor: feeMinor }),
    "tax in the fee": ({ taxMinor }) => ({ minor: taxMinor }),
    credit: ({ creditMinor }) => ({ minor: creditMinor }),
    debit: ({ debitMinor }) => ({ minor: debitMinor }),
    currency: ({ currency }) => currency,
    payout: ({ settlementId }) => settlementId,
    utr: ({ bankReference }) => bankReference,
    "paid out": ({ settledAt }) => settledAt,
  },
});
