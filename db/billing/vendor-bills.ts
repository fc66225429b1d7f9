/** Queries on vendors' bills and their lines. */
import { type Selectable, sql } from "kysely";
import type { ItemId, OrderId, SubscriptionId } from "#db/ids.ts";
import type { BillingCycle, Country, Currency, FamilyId, Term } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { VendorBillLinesTable, VendorLineKind } from "#db/tables/reconciliation.ts";

/** A vendor's bill for one of our accounts with it. */
export interface StatementKey {
  family: FamilyId;
  /** Account id in the family's notation. */
  account: string;
  /** The vendor's number of the bill. */
  statement: string;
}

export interface Statement extends StatementKey {
  /** Month of its charges ("2026-11"). */
  month: string;
  /** The vendor's name of the running export of its lines; null when none is awaited. */
  operation: string | null;
  /** Time at which it was read completely; null until then. */
  importedAt: Date | null;
}

/** A charge or a credit on a vendor's bill. */
export interface VendorBillLine {
  /** The vendor's id of the line, or a hash of its content. */
  lineKey: string;
  /** The vendor's id of the subscription. */
  externalId: string;
  kind: VendorLineKind;
  seats: number;
  /** Price per seat for the whole term, in minor units. */
  unitMinor: number;
  /** Minor units, without tax; negative for a credit. */
  amountMinor: number;
  currency: Currency;
  startsAt: Date;
  endsAt: Date;
  /** Reason for a person to check the line, with its place in the file; null for an ordinary line. */
  remark: string | null;
}

export interface StoredBillLine extends VendorBillLine, StatementKey {
  /** Null when the subscription is unknown here. */
  subscriptionId: SubscriptionId | null;
  /** The order that created the subscription; null when it is unknown or was bought elsewhere. */
  orderId: OrderId | null;
  /** The product charged; null when the subscription is unknown. */
  sold: { itemId: ItemId; country: Country; term: Term; billingCycle: BillingCycle } | null;
}

/** Stores a statement unless it is known. @returns the stored statement */
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

/** Stores the name of the export that the vendor prepares; null removes it. */
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

/** Stores a statement's lines, each once, and marks it as read completely. @returns how many lines were new */
export async function saveBillLines(
  trx: Trx,
  { family, account, statement }: StatementKey,
  lines: readonly VendorBillLine[],
): Promise<number> {
  let stored = 0;
  // A bill can have more lines than an SQL statement can have parameters.
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

/** Matches lines to subscriptions by the vendor's ids, case-insensitively. Existing matches stay. */
export async function matchBillLines(trx: Trx): Promise<void> {
  await sql`
    update vendor_bill_lines l set subscription_id = s.id
    from subscriptions s
    where l.subscription_id is null and s.family = l.family and lower(s.external_id) = lower(l.external_id)`.execute(
    trx,
  );
}

/** Lists subscription ids after `after`, in order: the batches in which the books are compared. */
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

/** Lists the stored lines of these subscriptions, oldest first; null means lines with an unknown subscription. */
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
