/** Payouts that payment providers transferred to our bank, and their lines with fee and tax. */
import { z } from "zod";
import { listPayoutLines, listPayouts, type Payout } from "#db/billing/payouts.ts";
import { parseTextCursor } from "#db/keyset.ts";
import type { SettlementKind } from "#db/tables/reconciliation.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { amountOf } from "../work-queue.ts";
import { defineList, keysetRows, period, periodFields, searchTextSchema, toTimeRange } from "./list.ts";

/** Formats an amount in the payout's currency, which the store might not sell in. */
const inCurrency = (amountMinor: number, currency: string) => amountOf({ amountMinor, currency }) ?? "";

/** Returns the amount that reached the bank, in minor units. */
export const netOf = ({ creditMinor, debitMinor }: Pick<Payout, "creditMinor" | "debitMinor">) =>
  creditMinor - debitMinor;

export const payoutsList = defineList({
  title: "Payouts",
  explains: "Transfers from payment providers to our bank, as reported, newest first.",
  empty: "No payouts found.",
  fileName: "payouts",
  filter: z.object({ search: searchTextSchema, ...period }),
  fields: [{ name: "search", label: "Payout, UTR, payment or refund", kind: "search" }, ...periodFields],
  read: ({ db }, { search, ...time }, query) =>
    keysetRows(parseTextCursor, query, (place) => listPayouts(db, { search, ...toTimeRange(time) }, place)),
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
    { label: "UTR", holds: "words", cell: ({ bankReference }) => bankReference ?? "not given" },
    { label: "Paid out", cell: ({ settledAt }) => ({ at: settledAt }) },
    { label: "Lines", holds: "amount", cell: ({ lines }) => String(lines) },
    {
      label: "Reached the bank",
      holds: "amount",
      cell: (payout) => inCurrency(netOf(payout), payout.currency),
    },
    {
      label: "Fee",
      holds: "amount",
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

export const payoutLinesList = defineList({
  title: "Lines of payouts",
  explains: "What makes up each payout: payments, refunds, fees and adjustments, newest first.",
  empty: "No lines found.",
  fileName: "payout-lines",
  filter: z.object({ payout: searchTextSchema, search: searchTextSchema, ...period }),
  fields: [
    { name: "payout", label: "Payout", kind: "search" },
    { name: "search", label: "UTR, payment, refund or dispute", kind: "search" },
    ...periodFields,
  ],
  read: ({ db }, { payout, search, ...time }, query) =>
    keysetRows(parseTextCursor, query, (place) =>
      listPayoutLines(db, { payout, search, ...toTimeRange(time) }, place),
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
        order === null ? "unknown" : { text: orderNumber(order), path: paths.deskOrder(order.orderId) },
    },
    {
      label: "Amount",
      holds: "amount",
      cell: ({ amountMinor, currency }) => inCurrency(amountMinor, currency),
    },
    {
      label: "Fee",
      holds: "amount",
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
        small: bankReference === null ? "UTR not given" : `UTR ${bankReference}`,
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
