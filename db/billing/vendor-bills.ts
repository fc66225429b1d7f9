/** Queries on vendors' bills, and on what buyers paid for that a vendor is to bill. */
import { type Selectable, sql } from "kysely";
import type { ItemId, OrderId, SubscriptionId } from "#db/ids.ts";
import type { BillingCycle, Country, Currency, FamilyId, Term } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { VendorBillLinesTable, VendorLineKind } from "#db/tables/reconciliation.ts";

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

export function lineOf(
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
