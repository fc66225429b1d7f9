/** Queries on vendors' bills, and on what buyers paid for that a vendor is to bill. */
import { type Selectable, sql } from "kysely";
import type { ItemId, OrderId, SubscriptionId } from "#db/ids.ts";
import { afterTextCursor, type Cursor, microsecondsOf, type PageOfRows, pageOf } from "#db/keyset.ts";
import { detailsSchema, type OrderDetails } from "#db/orders/order.ts";
import type { BillingCycle, Country, Currency, FamilyId, OrderKind, Term } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { VendorBillLinesTable, VendorLineKind } from "#db/tables/reconciliation.ts";
import type { NumberedOrder } from "./reconciliation.ts";

/** A bill of a vendor to one of our accounts with it. */
export interface StatementKey {
  family: FamilyId;
  /** As the family names it. */
  account: string;
  /** The vendor's number of the bill. */
  statement: string;
}

export interface Statement extends StatementKey {
  /** "2026-11": of its charges. */
  month: string;
  /** What the vendor calls the export of its lines; null while none is awaited. */
  operation: string | null;
  /** When it was read whole; null until then. */
  importedAt: Date | null;
}

/** A charge or a credit on a vendor's bill. */
export interface VendorBillLine {
  /** The vendor's id of the line, or a hash of what it says. */
  lineKey: string;
  /** The vendor's id of the subscription. */
  externalId: string;
  kind: VendorLineKind;
  seats: number;
  /** Minor units of a seat for the whole term. */
  unitMinor: number;
  /** Minor units, without tax; negative for a credit. */
  amountMinor: number;
  currency: Currency;
  startsAt: Date;
  endsAt: Date;
  /** Why a person must look at it, with its place in the file; null for a usual line. */
  remark: string | null;
}

export interface StoredBillLine extends VendorBillLine, StatementKey {
  /** Null for a subscription that is unknown here. */
  subscriptionId: SubscriptionId | null;
  /** The order that made the subscription; null for one that is unknown here, or was bought elsewhere. */
  orderId: OrderId | null;
  /** What is charged, when the subscription is known. */
  sold: { itemId: ItemId; country: Country; term: Term; billingCycle: BillingCycle } | null;
}

/** Notes a statement, unless it is known. @returns it as it is stored */
export async function recordStatement(db: Db, key: StatementKey & { month: string }): Promise<Statement> {
  const { family, account, statement, month } = key;
  await db
    .insertInto("vendor_statements")
    .values({ family, account, statement, month, operation: null, asked_at: null, imported_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await statementRow(db, key).selectAll().executeTakeFirstOrThrow();
  return {
    family,
    account,
    statement,
    month: row.month,
    operation: row.operation,
    importedAt: row.imported_at,
  };
}

const statementRow = (db: Db, { family, account, statement }: StatementKey) =>
  db
    .selectFrom("vendor_statements")
    .where("family", "=", family)
    .where("account", "=", account)
    .where("statement", "=", statement);

/** Remembers, or with null forgets, the export that a vendor prepares. */
export async function saveOperation(
  db: Db,
  { family, account, statement }: StatementKey,
  operation: string | null,
): Promise<void> {
  await db
    .updateTable("vendor_statements")
    .set({ operation, asked_at: operation === null ? null : new Date() })
    .where("family", "=", family)
    .where("account", "=", account)
    .where("statement", "=", statement)
    .execute();
}

/** Stores a statement's lines, each once, and that it was read whole. @returns how many lines were new */
export async function saveBillLines(
  trx: Trx,
  { family, account, statement }: StatementKey,
  lines: readonly VendorBillLine[],
): Promise<number> {
  let stored = 0;
  // A bill may have more lines than a statement may have parameters.
  for (let from = 0; from < lines.length; from += 1_000) {
    const rows = await trx
      .insertInto("vendor_bill_lines")
      .values(
        lines.slice(from, from + 1_000).map((line) => ({
          family,
          line_key: line.lineKey,
          account,
          statement,
          external_id: line.externalId,
          subscription_id: null,
          kind: line.kind,
          seats: line.seats,
          unit_minor: line.unitMinor,
          amount_minor: line.amountMinor,
          currency: line.currency,
          starts_at: line.startsAt,
          ends_at: line.endsAt,
          remark: line.remark,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning("line_key")
      .execute();
    stored += rows.length;
  }
  await trx
    .updateTable("vendor_statements")
    .set({ operation: null, imported_at: new Date() })
    .where("family", "=", family)
    .where("account", "=", account)
    .where("statement", "=", statement)
    .execute();
  return stored;
}

/** Finds the subscriptions of lines by the vendor's ids, in any case. What was found once stays. */
export async function matchBillLines(trx: Trx): Promise<void> {
  await sql`
    update vendor_bill_lines l set subscription_id = s.id
    from subscriptions s
    where l.subscription_id is null and s.family = l.family and lower(s.external_id) = lower(l.external_id)`.execute(
    trx,
  );
}

/** Subscriptions by id, those behind `after`: the pages in which the books are compared. */
export async function listSubscriptionIds(
  db: Db,
  { after, limit }: { after: SubscriptionId | null; limit: number },
): Promise<SubscriptionId[]> {
  const rows = await db
    .selectFrom("subscriptions")
    .select("id")
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The stored lines of these subscriptions, oldest first; with null, of those that are unknown here. */
export async function listBillLines(
  db: Db,
  subscriptionIds: readonly SubscriptionId[] | null,
): Promise<StoredBillLine[]> {
  const rows = await db
    .selectFrom("vendor_bill_lines as l")
    .leftJoin("subscriptions as s", "s.id", "l.subscription_id")
    .leftJoin("customers as c", "c.id", "s.customer_id")
    .leftJoin("tenants as t", "t.id", "s.tenant_id")
    .selectAll("l")
    .select([
      "s.order_id",
      "s.item_id",
      "s.term",
      "s.billing_cycle",
      "c.country as company_country",
      "t.country as sold_from",
    ])
    .where(
      subscriptionIds === null
        ? sql<boolean>`l.subscription_id is null`
        : sql<boolean>`l.subscription_id = any(${subscriptionIds}::uuid[])`,
    )
    .orderBy("l.starts_at")
    .orderBy("l.line_key")
    .execute();
  return rows.map((row) => {
    const country = row.sold_from ?? row.company_country;
    const { item_id: itemId, term, billing_cycle: billingCycle } = row;
    const isKnown = itemId !== null && term !== null && billingCycle !== null && country !== null;
    return {
      ...lineOf(row),
      sold: isKnown ? { itemId, country, term, billingCycle } : null,
    };
  });
}

function lineOf(
  row: Selectable<VendorBillLinesTable> & { order_id: OrderId | null },
): Omit<StoredBillLine, "sold"> {
  return {
    family: row.family,
    account: row.account,
    statement: row.statement,
    lineKey: row.line_key,
    externalId: row.external_id,
    subscriptionId: row.subscription_id,
    orderId: row.order_id,
    kind: row.kind,
    seats: row.seats,
    unitMinor: row.unit_minor,
    amountMinor: row.amount_minor,
    currency: row.currency,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    remark: row.remark,
  };
}

/** The lines of a bill at which a person must look. */
export interface OddLines extends StatementKey {
  currency: Currency;
  /** Minor units: their sum. */
  amountMinor: number;
  /** One for each line, in the order of the file. */
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

/** A vendor's bill beside the sums of its lines. */
export interface Bill extends Statement {
  lines: number;
  /** Null for one without lines. */
  currency: Currency | null;
  /** Minor units, without tax: what is charged, and what is given back, which is negative. */
  chargedMinor: number;
  creditedMinor: number;
}

/** The newest month first. @param asked.after the cursor's id is what a bill is sorted by, and its time says nothing */
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

/** A line of a bill beside its buyer, where the subscription is known. */
export interface ListedBillLine extends Omit<StoredBillLine, "sold"> {
  company: string | null;
  order: NumberedOrder | null;
}

/** The newest charges first. What is null narrows nothing. */
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
 * From which month to which the bills of each account were read whole. A month in which the vendor still prepares one, and those
 * after it, are not.
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

/** A paid order that was carried out, and so has made its vendor bill us. */
export interface PaidCharge extends NumberedOrder {
  kind: OrderKind;
  family: FamilyId;
  country: Country;
  subscriptionId: SubscriptionId;
  quantity: number;
  /** What the buyer paid before tax. */
  subtotalMinor: number;
  currency: Currency;
  paidAt: Date;
  fulfilledAt: Date;
  renewal: OrderDetails["renewal"];
}

/** Of these families and subscriptions, oldest first. */
export async function listPaidCharges(
  db: Db,
  families: readonly FamilyId[],
  subscriptionIds: readonly SubscriptionId[],
): Promise<PaidCharge[]> {
  if (families.length === 0) return [];
  const rows = await db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.number",
      "orders.created_at",
      "orders.kind",
      "orders.family",
      "orders.country",
      "orders.currency",
      "orders.subscription_id",
      "orders.details",
      "orders.subtotal_minor",
      "orders.paid_at",
      "orders.fulfilled_at",
      "order_lines.quantity",
    ])
    .where("orders.family", "in", families)
    .where("orders.stage", "=", "stage4")
    .where(sql<boolean>`orders.subscription_id = any(${subscriptionIds}::uuid[])`)
    .where("orders.paid_at", "is not", null)
    .where("orders.fulfilled_at", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("payments")
          .select("payments.id")
          .whereRef("payments.order_id", "=", "orders.id")
          .where("payments.status", "in", ["captured", "refunded"]),
      ),
    )
    .orderBy("orders.paid_at")
    .execute();
  return rows.flatMap((row) =>
    row.subscription_id === null || row.paid_at === null || row.fulfilled_at === null
      ? []
      : [
          {
            orderId: row.id,
            number: row.number,
            createdAt: row.created_at,
            kind: row.kind,
            family: row.family,
            country: row.country,
            subscriptionId: row.subscription_id,
            quantity: row.quantity,
            subtotalMinor: row.subtotal_minor,
            currency: row.currency,
            paidAt: row.paid_at,
            fulfilledAt: row.fulfilled_at,
            renewal: detailsSchema.parse(row.details).renewal,
          },
        ],
  );
}

/** Those of these subscriptions of whose orders money was given back, or is to be. */
export async function subscriptionsRefunded(
  db: Db,
  subscriptionIds: readonly SubscriptionId[],
): Promise<Set<SubscriptionId>> {
  // Each looked up by itself: they are few, and refunds many.
  const { rows } = await sql<{ id: SubscriptionId }>`
    select asked.id from unnest(${[...subscriptionIds]}::uuid[]) as asked (id)
    cross join lateral (
      select from orders join refunds on refunds.order_id = orders.id
      where orders.subscription_id = asked.id and refunds.status <> 'failed' limit 1
    ) refunded`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
