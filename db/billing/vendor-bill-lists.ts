/** Vendors' bills as Desk lists them, and their lines with remarks. */
import { sql } from "kysely";
import { afterTextCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import type { Currency, FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import type { NumberedOrder } from "./reconciliation.ts";
import { lineOf, type Statement, type StatementKey, type StoredBillLine } from "./vendor-bills.ts";

/** The lines of a bill that a person must check. */
export interface OddLines extends StatementKey {
  currency: Currency;
  /** Their sum in minor units. */
  amountMinor: number;
  /** One remark per line, in the order of the file. */
  remarks: string[];
}

export async function listOddLines(db: Db): Promise<OddLines[]> {
  const { rows } = await sql<OddLines>`
    select family, account, statement, currency, sum(amount_minor)::bigint as "amountMinor",
           array_agg(remark order by substring(remark from '^line ([0-9]+)')::int, remark) as remarks
    from vendor_bill_lines
    where remark is not null
    group by family, account, statement, currency
    order by family, account, statement, currency`.execute(db);
  return rows;
}

/** A vendor's bill with the sums of its lines. */
export interface Bill extends Statement {
  lines: number;
  /** Null for a bill without lines. */
  currency: Currency | null;
  /** Minor units without tax: charges, and credits as a negative amount. */
  chargedMinor: number;
  creditedMinor: number;
}

/** Lists a page of bills, newest month first. @param after its id is the sort key of a bill; its time is not used */
export async function listBills(
  db: Db,
  {
    family,
    month,
    after,
    limit,
  }: { family: FamilyId | null; month: string | null; after: Cursor | null; limit: number },
): Promise<PageOfRows<Bill>> {
  const { rows } = await sql<Bill & { id: string; at: number }>`
    select v.family, v.account, v.statement, v.month, v.operation, v.imported_at as "importedAt",
           v.month || ' ' || v.family || ' ' || v.account || ' ' || v.statement as id, 0 as at,
           s.lines, s.currency, s.charged as "chargedMinor", s.credited as "creditedMinor"
    from (
      select * from vendor_statements v
      where ${family === null ? sql`true` : sql`v.family = ${family}`}
        and ${month === null ? sql`true` : sql`v.month = ${month}`}
        and ${
          after === null
            ? sql`true`
            : sql`(v.month || ' ' || v.family || ' ' || v.account || ' ' || v.statement) collate "C" < ${after.id}`
        }
      order by (v.month || ' ' || v.family || ' ' || v.account || ' ' || v.statement) collate "C" desc
      limit ${limit + 1}
    ) v
    cross join lateral (
      select count(*) as lines, min(l.currency) as currency,
             coalesce(sum(l.amount_minor) filter (where l.kind <> 'credit'), 0)::bigint as charged,
             coalesce(sum(l.amount_minor) filter (where l.kind = 'credit'), 0)::bigint as credited
      from vendor_bill_lines l
      where l.family = v.family and l.account = v.account and l.statement = v.statement) s
    order by (v.month || ' ' || v.family || ' ' || v.account || ' ' || v.statement) collate "C" desc`.execute(
    db,
  );
  const { rows: page, next } = pageOf(rows, limit);
  return { rows: page.map(({ id: _id, at: _at, ...bill }) => bill), next };
}

/** A line of a bill with its buyer and order; null where the subscription is unknown. */
export interface ListedBillLine extends Omit<StoredBillLine, "sold"> {
  company: string | null;
  order: NumberedOrder | null;
}

/** Lists a page of bill lines, newest charges first. A null filter does not apply. */
export async function listBillLinesOf(
  db: Db,
  listQuery: {
    family: FamilyId | null;
    account: string | null;
    statement: string | null;
    kind: VendorLineKind | null;
    /** The vendor's id of a subscription. */
    search: string | null;
    after: Cursor | null;
    limit: number;
  },
): Promise<PageOfRows<ListedBillLine>> {
  const { family, account, statement, kind, search, after, limit } = listQuery;
  const rows = await db
    .selectFrom("vendor_bill_lines as l")
    .leftJoin("subscriptions as s", "s.id", "l.subscription_id")
    .leftJoin("customers as c", "c.id", "s.customer_id")
    .leftJoin("orders as o", "o.id", "s.order_id")
    .selectAll("l")
    .select([
      "l.line_key as id",
      "c.name as company",
      "s.order_id",
      "o.number",
      "o.created_at",
      microsecondsOf("l.starts_at").as("at"),
    ])
    .$if(family !== null, (query) => query.where(sql<boolean>`l.family = ${family}`))
    .$if(account !== null, (query) => query.where("l.account", "=", account ?? ""))
    .$if(statement !== null, (query) => query.where("l.statement", "=", statement ?? ""))
    .$if(kind !== null, (query) => query.where(sql<boolean>`l.kind = ${kind}`))
    .$if(search !== null, (query) =>
      query.where(sql<boolean>`lower(l.external_id) = ${search?.toLowerCase() ?? ""}`),
    )
    .$if(after !== null, (query) =>
      query.where(
        afterTextCursor(after ?? { at: 0, id: "" }, { at: "l.starts_at", id: "l.line_key" }, "desc"),
      ),
    )
    .orderBy("l.starts_at", "desc")
    .orderBy(sql`l.line_key collate "C"`, "desc")
    .limit(limit + 1)
    .execute();
  const { rows: page, next } = pageOf(rows, limit);
  return {
    rows: page.map((row) => ({
      ...lineOf(row),
      company: row.company,
      order:
        row.order_id === null || row.number === null || row.created_at === null
          ? null
          : { orderId: row.order_id, number: row.number, createdAt: row.created_at },
    })),
    next,
  };
}

/**
 * Lists the months between which each account's bills were read completely. A month whose bill the vendor still prepares does
 * not count, and neither do later ones.
 */
export async function lastMonthsRead(
  db: Db,
): Promise<{ family: FamilyId; account: string; first: string; last: string }[]> {
  return db
    .selectFrom("vendor_statements as s")
    .select(({ fn }) => [
      "s.family",
      "s.account",
      fn.min("s.month").as("first"),
      fn.max("s.month").as("last"),
    ])
    .where("s.imported_at", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("vendor_statements as awaited")
            .select("awaited.month")
            .whereRef("awaited.family", "=", "s.family")
            .whereRef("awaited.account", "=", "s.account")
            .whereRef("awaited.month", "<=", "s.month")
            .where("awaited.imported_at", "is", null)
            .where("awaited.operation", "is not", null),
        ),
      ),
    )
    .groupBy(["s.family", "s.account"])
    .execute();
}
