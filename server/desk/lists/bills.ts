/** Vendors' bills by month, and their lines with the buyers that they are for. */
import { z } from "zod";
import { listBillLinesOf, listBills } from "#db/billing/vendor-bill-lists.ts";
import { parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { amountOf } from "../work-queue.ts";
import { defineList, keysetRows, month, oneOf, searchTextSchema, toListOptions } from "./list.ts";

const vendorField = {
  name: "family",
  label: "Vendor",
  kind: "choice",
  options: familyIds
    .filter((family) => families[family].bills !== null)
    .map((family) => ({ value: family, label: families[family].label })),
} as const;

export const billsList = defineList({
  title: "Vendors' bills",
  explains: "Vendor bills, newest month first.",
  empty: "No bills found. A month's bills are read about a week after it ends.",
  fileName: "bills",
  filter: z.object({ family: oneOf(familyIds), month }),
  fields: [vendorField, { name: "month", label: "Month", kind: "month" }],
  read: ({ db }, filter, query) =>
    keysetRows(parseTextCursor, query, (place) => listBills(db, { ...filter, ...place })),
  id: ({ family, account, statement }) => `${family} ${account} ${statement}`,
  columns: [
    {
      label: "Bill",
      cell: ({ family, account, statement }) => ({
        text: statement,
        path: paths.deskMoneyList("bill-lines", { family, account, statement }),
        small: `${families[family].label}, ${account}`,
      }),
    },
    { label: "Month", cell: (bill) => bill.month },
    {
      label: "Read",
      cell: ({ importedAt, operation }) =>
        importedAt !== null
          ? { at: importedAt }
          : operation === null
            ? "not yet"
            : "being prepared by the vendor",
    },
    { label: "Lines", holds: "amount", cell: ({ lines }) => String(lines) },
    {
      label: "Charged",
      holds: "amount",
      cell: ({ chargedMinor, currency }) => amountOf({ amountMinor: chargedMinor, currency }) ?? "",
    },
    {
      label: "Credited",
      holds: "amount",
      cell: ({ creditedMinor, currency }) => amountOf({ amountMinor: creditedMinor, currency }) ?? "",
    },
  ],
  file: {
    vendor: ({ family }) => family,
    account: ({ account }) => account,
    bill: ({ statement }) => statement,
    month: (bill) => bill.month,
    read: ({ importedAt }) => importedAt,
    lines: ({ lines }) => lines,
    charged: ({ chargedMinor }) => ({ minor: chargedMinor }),
    credited: ({ creditedMinor }) => ({ minor: creditedMinor }),
    currency: ({ currency }) => currency,
  },
});

const kindWords: Readonly<Record<VendorLineKind, string>> = {
  term: "A term",
  seats: "More licenses",
  credit: "Credited",
};
const lineKinds = Object.keys(kindWords).filter((kind): kind is VendorLineKind => kind in kindWords);

export const billLinesList = defineList({
  title: "Lines of vendors' bills",
  explains: "Vendor charges and credits with the buyer each is for, newest first. Excludes tax.",
  empty: "No lines found.",
  fileName: "bill-lines",
  filter: z.object({
    family: oneOf(familyIds),
    account: searchTextSchema,
    statement: searchTextSchema,
    kind: oneOf(lineKinds),
    search: searchTextSchema,
  }),
  fields: [
    vendorField,
    { name: "account", label: "Account with the vendor", kind: "search" },
    { name: "statement", label: "Bill", kind: "search" },
    { name: "kind", label: "Kind", kind: "choice", options: toListOptions(kindWords) },
    { name: "search", label: "The vendor's ID of a subscription", kind: "search" },
  ],
  read: ({ db }, filter, query) =>
    keysetRows(parseTextCursor, query, (place) => listBillLinesOf(db, { ...filter, ...place })),
  id: ({ family, lineKey }) => `${family} ${lineKey}`,
  columns: [
    {
      label: "Subscription",
      cell: ({ externalId, kind, remark }) => ({ text: externalId, small: remark ?? kindWords[kind] }),
    },
    { label: "Buyer", holds: "words", cell: ({ company }) => company ?? "unknown" },
    {
      label: "Order",
      cell: ({ order }) =>
        order === null ? "none" : { text: orderNumber(order), path: paths.deskOrder(order.orderId) },
    },
    {
      label: "Licenses",
      cell: ({ seats, unitMinor, currency }) => ({
        text: String(seats),
        small: `at ${formatExact(money(unitMinor, currency))}`,
      }),
    },
    {
      label: "Amount",
      holds: "amount",
      cell: ({ amountMinor, currency }) => formatExact(money(amountMinor, currency)),
    },
    { label: "From", cell: ({ startsAt }) => ({ at: startsAt }) },
    { label: "To", cell: ({ endsAt }) => ({ at: endsAt }) },
    {
      label: "Bill",
      holds: "words",
      cell: ({ family, statement }) => ({ text: statement, small: families[family].label }),
    },
  ],
  file: {
    vendor: ({ family }) => family,
    account: ({ account }) => account,
    bill: ({ statement }) => statement,
    line: ({ lineKey }) => lineKey,
    subscription: ({ externalId }) => externalId,
    kind: ({ kind }) => kind,
    buyer: ({ company }) => company,
    order: ({ order }) => (order === null ? null : orderNumber(order)),
    licences: ({ seats }) => seats,
    "of a licence": ({ unitMinor }) => ({ minor: unitMinor }),
    amount: ({ amountMinor }) => ({ minor: amountMinor }),
    currency: ({ currency }) => currency,
    from: ({ startsAt }) => startsAt,
    to: ({ endsAt }) => endsAt,
    remark: ({ remark }) => remark,
  },
});
