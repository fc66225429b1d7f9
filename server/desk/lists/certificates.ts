/** Certificates of withheld tax that have not arrived: the buyer, the amount, and the date from which each is due. */
import { z } from "zod";
import { money } from "#db/money.ts";
import { type AwaitedTdsCertificate, awaitedCertificates } from "#server/billing/payments/certificates.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import { DomainError } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { defineList, oneOf, type RowsWithCursor, toListOptions } from "./list.ts";

const dueWords = { overdue: "Overdue", later: "Not due yet" } as const;

export const certificatesList = defineList({
  title: "Outstanding TDS certificates",
  explains: "TDS that buyers deducted from transfers without a certificate yet, oldest first.",
  empty: "No certificates outstanding.",
  fileName: "certificates",
  filter: z.object({ due: oneOf(["overdue", "later"]) }),
  fields: [{ name: "due", label: "Due", kind: "choice", options: toListOptions(dueWords) }],
  async read({ db, now }, { due }, query) {
    const awaited = await awaitedCertificates(db, now);
    return pageFrom(
      awaited.filter(({ isOverdue }) => due === null || isOverdue === (due === "overdue")),
      query,
    );
  },
  id: ({ proforma }) => proforma,
  columns: [
    {
      label: "Order",
      cell: (awaited) => ({ text: orderNumber(awaited), path: paths.deskOrder(awaited.orderId) }),
    },
    { label: "Proforma", cell: ({ proforma }) => ({ text: proforma, path: paths.deskDocument(proforma) }) },
    {
      label: "Deducted",
      holds: "amount",
      cell: ({ withheldMinor, currency }) => formatExact(money(withheldMinor, currency)),
    },
    { label: "Outstanding", holds: "amount", cell: ({ open }) => formatExact(open) },
    { label: "Paid", cell: ({ paidAt }) => ({ at: paidAt }) },
    {
      label: "Due",
      cell: ({ due, isOverdue }) => (isOverdue ? { text: `${due}, overdue`, tone: "bad" } : due),
    },
    {
      label: "Action",
      cell: (awaited) => ({
        text: "Record certificate",
        of: orderNumber(awaited),
        path: paths.deskActionForm("order.certificate", awaited.orderId),
      }),
    },
  ],
  file: {
    order: (awaited) => orderNumber(awaited),
    proforma: ({ proforma }) => proforma,
    paid: ({ paidAt }) => paidAt,
    withheld: ({ withheldMinor }) => ({ minor: withheldMinor }),
    certified: ({ certifiedMinor }) => ({ minor: certifiedMinor }),
    awaited: ({ open }) => open,
    currency: ({ currency }) => currency,
    due: ({ due }) => due,
    overdue: ({ isOverdue }) => (isOverdue ? "yes" : "no"),
  },
});

/** Finds the start of a page: after the last proforma of the page before. The list is short and read whole. */
function pageFrom(
  awaited: readonly AwaitedTdsCertificate[],
  { page, limit }: { page: string | null; limit: number },
): RowsWithCursor<AwaitedTdsCertificate> {
  const start = page === null ? 0 : awaited.findIndex(({ proforma }) => proforma === page) + 1;
  if (page !== null && start === 0)
    throw new DomainError("bad_request", "That page of the list doesn't exist.");
  const rows = awaited.slice(start, start + limit);
  return { rows, next: start + limit < awaited.length ? (rows.at(-1)?.proforma ?? null) : null };
}
