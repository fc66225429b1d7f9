/** CSV files of lists with their own pages: orders, work items, staff. Each has the filters of its page. */

import type { WorkItemKind } from "#db/desk/work-queue.ts";
import type { Db } from "#db/tables/index.ts";
import { type OrderFilter, searchOrders } from "../orders.ts";
import type { StaffSession } from "../sessions.ts";
import { readStaff } from "../staff-list.ts";
import { readWorkQueue } from "../work-queue.ts";
import { csvOf } from "./list.ts";

/** @throws DomainError bad_request, before the first piece, for an invalid search */
export function ordersFile(
  db: Db,
  narrowed: { search: string | null; only: OrderFilter | null },
): AsyncGenerator<string> {
  return csvOf(
    async (query) => {
      const { rows, nextPage } = await searchOrders(db, { ...narrowed, ...query });
      return { rows, next: nextPage };
    },
    {
      number: ({ number }) => number,
      begun: ({ createdAt }) => createdAt,
      company: ({ company }) => company,
      email: ({ email }) => email,
      what: ({ what }) => what,
      total: ({ amount }) => amount,
      currency: ({ amount }) => amount.currency,
      state: ({ state }) => state,
      quote: ({ quote }) => quote?.number ?? null,
      "valid until": ({ quote }) => quote?.validUntil ?? null,
      "purchase order": ({ references }) => references.purchaseOrder,
      "cost centre": ({ references }) => references.costCentre,
      note: ({ references }) => references.note,
    },
  );
}

export function queueFile(
  db: Db,
  session: Pick<StaffSession, "staff">,
  kind: WorkItemKind | null,
): AsyncGenerator<string> {
  return csvOf(
    async ({ page, limit }) => {
      const { items, next } = await readWorkQueue(db, session, { after: page, kind, limit });
      return { rows: items, next };
    },
    {
      what: ({ label }) => label,
      key: ({ key }) => key,
      why: ({ what }) => what,
      since: ({ since }) => since,
      due: ({ due }) => due,
      amount: ({ sum }) => sum,
      currency: ({ sum }) => sum?.currency ?? null,
      order: ({ order }) => order?.number ?? null,
      company: ({ company }) => company,
      "taken by": ({ taken }) => taken?.by ?? null,
    },
  );
}

export function staffFile(db: Db): AsyncGenerator<string> {
  return csvOf(async () => ({ rows: await readStaff(db), next: null }), {
    email: ({ email }) => email,
    role: ({ role }) => role,
    added: ({ createdAt }) => createdAt,
    "has set up the account": ({ hasPassword }) => (hasPassword ? "yes" : "no"),
    "second factor": ({ hasSecondFactor }) => (hasSecondFactor ? "yes" : "no"),
    "open sessions": ({ sessions }) => sessions.length,
    "last seen": ({ sessions }) =>
      sessions.map(({ lastSeenAt }) => lastSeenAt).toSorted((one, other) => Number(other) - Number(one))[0] ??
      null,
  });
}
