/** What vendors bill us: bills by month, and their lines beside the buyers they are for. */
import { z } from "zod";
import { parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import { listBillLinesOf, listBills } from "#db/vendor-bills.ts";
import { families, familyIds } from "#server/families/family.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatExact } from "#server/pricing/format.ts";
import { amountOf } from "../waiting.ts";
import { deskList, keysetRows, month, oneOf, optionsOf, words } from "./list.ts";

const vendorField = {
  name: "family",
  label: "Vendor",
  kind: "choice",
  options: familyIds
    .filter((family) => families[family].bills !== null)
    .map((family) => ({ value: family, label: families[family].label })),
} as const;

export const billsList = deskList({
  title: "Vendors' bills",
  explains: "The bills that vendors were asked for, the newest month first.",
  empty: "No bill is found. Bills of a month are read about a week after it.",
  fileName: "bills",
  filter: z.object({ family: oneOf(familyIds), month }),
  fields: [vendorField, { name: "month", label: "Month", kind: "month" }],
  read: ({ db }, filter, asked) =>
    keysetRows(parseTextCursor, asked, (place) => listBills(db, { ...filter, ...place })),
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
        importedAt !== null ? { at: importedAt } : operation === null ? "not yet" : "the vendor prepares it",
    },
    { label: "Lines", cell: ({ lines }) => String(lines) },
    {
      label: "Charged",
      cell: ({ chargedMinor, currency }) => amountOf({ amountMinor: chargedMinor, currency }) ?? "",
    },
    {
      label: "Given back",
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
  seats: "More licences",
  credit: "Given back",
};
const lineKinds = Object.keys(kindWords).filter((kind): kind is VendorLineKind => kind in kindWords);

export const billLinesList = deskList({
  title: "Lines of vendors' bills",
  explains: "What vendors charged and gave back, beside the buyer it is for, the newest first. Without tax.",
  empty: "No line is found.",
  fileName: "bill-lines",
  filter: z.object({
    family: oneOf(familyIds),
    account: words,
    statement: words,
    kind: oneOf(lineKinds),
    search: words,
  }),
  fields: [
    vendorField,
    { name: "account", label: "Account with the vendor", kind: "search" },
    { name: "statement", label: "Bill", kind: "search" },
    { name: "kind", label: "Kind", kind: "choice", options: optionsOf(kindWords) },
    { name: "search", label: "The vendor's id of a subscription", kind: "search" },
  ],
  read: ({ db }, filter, asked) =>
    keysetRows(parseTextCursor, asked, (place) => listBillLinesOf(db, { ...filter, ...place })),
  id: ({ family, lineKey }) => `${family} ${lineKey}`,
  columns: [
    {
      label: "Subscription",
      cell: ({ externalId, kind }) => ({ text: externalId, small: kindWords[kind] }),
    },
    { label: "Buyer", holds: "words", cell: ({ company }) => company ?? "not known here" },
    {
      label: "Order",
      cell: ({ order }) =>
        order === null ? "none" : { text: orderNumber(order), path: paths.deskOrder(order.orderId) },
    },
    {
      label: "Licences",
      cell: ({ seats, unitMinor, currency }) => ({
        text: String(seats),
        small: `at ${formatExact(money(unitMinor, currency))}`,
      }),
    },
    { label: "Amount", cell: ({ amountMinor, currency }) => formatExact(money(amountMinor, currency)) },
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
  },
});
