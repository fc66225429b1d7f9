/** Certificates of tax that buyers withheld and that have not come: from whom, of how much, and since when. */
import { z } from "zod";
import { money } from "#db/money.ts";
import { DomainError } from "#server/errors.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { type Awaited, awaitedCertificates } from "#server/payments/certificates.ts";
import { formatExact } from "#server/pricing/format.ts";
import { deskList, oneOf, optionsOf, type Rows } from "./list.ts";

const dueWords = { overdue: "Overdue", later: "Not due yet" } as const;

export const certificatesList = deskList({
  title: "TDS certificates awaited",
  explains:
    "Tax that buyers withheld from a transfer, for which no certificate has come, the longest awaited first.",
  empty: "No certificate is awaited.",
  fileName: "certificates",
  filter: z.object({ due: oneOf(["overdue", "later"]) }),
  fields: [{ name: "due", label: "Due", kind: "choice", options: optionsOf(dueWords) }],
  async read({ db, now }, { due }, asked) {
    const awaited = await awaitedCertificates(db, now);
    return pageFrom(
      awaited.filter(({ isOverdue }) => due === null || isOverdue === (due === "overdue")),
      asked,
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
      label: "Withheld",
      cell: ({ withheldMinor, currency }) => formatExact(money(withheldMinor, currency)),
    },
    { label: "Awaited", cell: ({ open }) => formatExact(open) },
    { label: "Paid", cell: ({ paidAt }) => ({ at: paidAt }) },
    { label: "Due", cell: ({ due, isOverdue }) => (isOverdue ? `${due}, overdue` : due) },
    {
      label: "What to do",
      cell: (awaited) => ({
        text: "Book the certificate",
        of: orderNumber(awaited),
        path: paths.deskAct("order.certificate", awaited.orderId),
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

/** They are few and known whole: a page begins after the proforma that the one before ended with. */
function pageFrom(
  awaited: readonly Awaited[],
  { page, limit }: { page: string | null; limit: number },
): Rows<Awaited> {
  const start = page === null ? 0 : awaited.findIndex(({ proforma }) => proforma === page) + 1;
  if (page !== null && start === 0)
    throw new DomainError("bad_request", "There is no such page of the list.");
  const rows = awaited.slice(start, start + limit);
  return { rows, next: start + limit < awaited.length ? (rows.at(-1)?.proforma ?? null) : null };
}
