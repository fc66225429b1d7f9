/** Queries on an owner's books: invoices, credit notes, payments and refunds, in order of time. */
import { type RawBuilder, sql } from "kysely";
import type { CreditNoteId, CustomerId, OrderId, UserId } from "#db/ids.ts";
import { afterTextCursor, type Cursor, type PageOfRows, pageOf } from "#db/keyset.ts";
import { type Money, money } from "#db/money.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { holds } from "./credit-notes.ts";
import { isRegistrationCancelled } from "./invoices.ts";

/** Owner of the books: a company, or a buyer without one. */
export type BooksOwner = { customerId: CustomerId } | { userId: UserId };

/** Half-open time range: `from` inclusive, `before` exclusive. */
export interface TimeRange {
  from: Date;
  before: Date;
}

/** The order of an entry or document. */
interface OfOrder {
  orderId: OrderId;
  /** The order's number as stored (server/orders/number.ts formats it). */
  orderCount: number;
  orderedAt: Date;
}

/** Withheld: tax that the buyer deducted (TDS). Taken back: money that a bank took from us after a dispute. */
export type EntryKind = "invoice" | "payment" | "withheld" | "credit-note" | "refund" | "taken-back";

export interface BookEntry extends OfOrder {
  kind: EntryKind;
  at: Date;
  /** A document's number, or the payment provider's or the bank's id of the transaction. */
  reference: string;
  /** Minor units: positive when owed to us, negative when it counts for the buyer. */
  amountMinor: number;
  currency: Currency;
  /** References as printed on the document; for money, the order's current ones. */
  purchaseOrder: string | null;
  costCentre: string | null;
  /** Facts that decide the document's time zone; null for money. */
  document: { country: Country; isOfGst: boolean } | null;
}

/** Selects the owner's orders through an index. */
function own(owner: BooksOwner): RawBuilder<unknown> {
  const theirs =
    "customerId" in owner
      ? sql`customer_id = ${owner.customerId}`
      : sql`user_id = ${owner.userId} and customer_id is null`;
  return sql`with own as materialized (
    select id, number, created_at, paid_at, total_minor, currency, po_number, cost_centre from orders
    where ${theirs} and payment_status not in ('none', 'failed'))`;
}

const ofOrder = sql`own.number as order_count, own.created_at as ordered_at`;
/** Columns from a document's own facts, which a correction of its order does not change. */
const saidBy = (facts: RawBuilder<unknown>) => sql`
  ${facts}->'references'->>'purchaseOrder' as purchase_order, ${facts}->'references'->>'costCentre' as cost_centre,
  jsonb_build_object('country', ${facts}->'country', 'isOfGst', jsonb_exists(${facts}, 'supply')) as document`;
const ofMoney = sql`own.po_number as purchase_order, own.cost_centre, null::jsonb as document`;

/** A registered invoice that was cancelled at the portal keeps its number, but nothing is owed on it. */
const invoiced = sql`
  select 'invoice' as kind, i.issued_at as at, i.number as reference, i.order_id,
         ${ofOrder}, ${saidBy(sql`i.facts`)},
         (i.facts->>'totalMinor')::bigint as amount_minor, i.facts->>'currency' as currency
  from own join invoices i on i.order_id = own.id
  where not ${isRegistrationCancelled("i.number")}`;
const credited = sql`
  select 'credit-note' as kind, credit_notes.issued_at as at, credit_notes.number as reference, credit_notes.order_id,
         ${ofOrder}, ${saidBy(sql`credit_notes.facts`)},
         -credit_notes.total_minor as amount_minor, credit_notes.currency
  from own join credit_notes on credit_notes.order_id = own.id
  where ${holds} and not ${isRegistrationCancelled("credit_notes.number")}`;
const paid = sql`
  select 'payment' as kind, p.settled_at as at, p.provider_payment_id as reference, p.order_id,
         ${ofOrder}, ${ofMoney},
         -p.amount_minor as amount_minor, p.currency
  from own join payments p on p.order_id = own.id
  where p.status in ('part', 'captured', 'surplus', 'refunded')`;
/** A paid order from before payments were stored: the order's own total and date count as its payment. */
const paidBefore = sql`
  select 'payment' as kind, own.paid_at as at, '' as reference, own.id as order_id,
         ${ofOrder}, ${ofMoney},
         -own.total_minor as amount_minor, own.currency
  from own where own.paid_at is not null and not exists (
    select from payments p where p.order_id = own.id and p.status in ('part', 'captured', 'surplus', 'refunded'))`;
const withheld = sql`
  select 'withheld' as kind, own.paid_at as at, d.number as reference, d.order_id,
         ${ofOrder}, ${ofMoney},
         -d.withheld_minor as amount_minor, d.facts->>'currency' as currency
  from own join proformas d on d.order_id = own.id and d.withheld_minor > 0
  where own.paid_at is not null`;
/** Dated by the decision, which never changes, so that a year's closing balance is the next year's opening balance. */
const refunded = sql`
  select 'refund' as kind, r.created_at as at, coalesce(r.bank_reference, r.provider_refund_id, '') as reference, r.order_id,
         ${ofOrder}, ${ofMoney},
         r.amount_minor, r.currency
  from own join refunds r on r.order_id = own.id
  where r.status <> 'failed'`;
const takenBack = sql`
  select 'taken-back' as kind, d.told_at as at, d.provider_dispute_id as reference, d.order_id,
         ${ofOrder}, ${ofMoney},
         d.deducted_minor as amount_minor, d.currency
  from own join disputes d on d.order_id = own.id
  where d.status = 'lost' and d.deducted_minor > 0`;

const everything = sql.join(
  [invoiced, paid, paidBefore, withheld, credited, refunded, takenBack],
  sql` union all `,
);
/** Sort order: within the same moment, debits come before the credits against them. */
const inTurn = sql`at, array_position(array['invoice', 'payment', 'withheld', 'credit-note', 'refund', 'taken-back'], kind),
  reference collate "C"`;

/** Lists the entries of a period, oldest first. */
export async function listEntries(
  db: Db,
  owner: BooksOwner,
  { from, before }: TimeRange,
): Promise<BookEntry[]> {
  const { rows } = await sql<BookEntry>`
    ${own(owner)}
    select e.kind, e.at, e.reference, e.order_id as "orderId", e.amount_minor as "amountMinor", e.currency,
           e.order_count as "orderCount", e.ordered_at as "orderedAt", e.purchase_order as "purchaseOrder",
           e.cost_centre as "costCentre", e.document
    from (${everything}) e
    where e.at >= ${from} and e.at < ${before}
    order by ${inTurn}`.execute(db);
  return rows;
}

/** Sums all entries before a moment, by currency. */
export async function sumEntriesBefore(db: Db, owner: BooksOwner, before: Date): Promise<Money[]> {
  const { rows } = await sql<{ minor: number; currency: Currency }>`
    ${own(owner)}
    select sum(amount_minor)::bigint as minor, currency from (${everything}) e
    where at < ${before} group by currency order by currency`.execute(db);
  return rows.map(({ minor, currency }) => money(minor, currency));
}

/** Finds the time of the owner's first entry; null without entries. */
export async function firstEntryAt(db: Db, owner: BooksOwner): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    ${own(owner)} select min(at) as at from (${everything}) e`.execute(db);
  return rows[0]?.at ?? null;
}

/** An invoice or a credit note in a list. */
export interface BookDocument extends OfOrder {
  kind: "invoice" | "credit-note";
  number: string;
  /** Null for an invoice. */
  creditNoteId: CreditNoteId | null;
  /** Number of the corrected invoice that replaced this one; null when none did. */
  replacedBy: string | null;
  issuedAt: Date;
  buyer: string;
  gstin: string | null;
  totalMinor: number;
  currency: Currency;
  isCancelled: boolean;
  /** Whether it may be handed out: it is registered, or needs no registration. */
  isReady: boolean;
  /** All facts on the document, as stored. */
  facts: unknown;
}

/** Keys of all documents. Their facts are large, so they are read for the documents of one page only. */
const documents = sql`
  select i.number, i.issued_at, i.order_id, own.number as order_count, own.created_at as ordered_at, null::uuid as note_id
  from own join invoices i on i.order_id = own.id
  union all
  select c.number, c.issued_at, c.order_id, own.number, own.created_at, coalesce(c.refund_id, c.correction_id)
  from own join credit_notes c on c.order_id = own.id`;

/** Lists a page of the invoices and credit notes of a period, oldest first. */
export async function listBookDocuments(
  db: Db,
  owner: BooksOwner,
  { from, before }: TimeRange,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<PageOfRows<BookDocument>> {
  const place =
    after === null ? sql`true` : afterTextCursor(after, { at: "d.issued_at", id: "d.number" }, "asc");
  const { rows } = await sql<BookDocument & { at: number }>`
    ${own(owner)},
    page as materialized (
      select * from (${documents}) d
      where d.issued_at >= ${from} and d.issued_at < ${before} and ${place}
      order by d.issued_at, d.number collate "C"
      limit ${limit + 1})
    select case when note_id is null then 'invoice' else 'credit-note' end as kind, page.number,
           page.order_id as "orderId", order_count as "orderCount", ordered_at as "orderedAt",
           note_id as "creditNoteId", said.replaced_by as "replacedBy", page.issued_at as "issuedAt", said.facts->'recipient'->>'name' as buyer,
           said.facts->'recipient'->>'gstin' as gstin, (said.facts->>'totalMinor')::bigint as "totalMinor",
           said.facts->>'currency' as currency, said.is_cancelled as "isCancelled", said.facts,
           not exists (
             select from e_invoices e where e.number = page.number and e.state <> 'final' and e.ack_number is null) as "isReady",
           (extract(epoch from page.issued_at) * 1000000)::bigint as at
    from page cross join lateral (
      select i.facts, ${isRegistrationCancelled("i.number")} as is_cancelled, i.replaced_by
      from invoices i where i.number = page.number and page.note_id is null
      union all
      select credit_notes.facts, not ${holds} or ${isRegistrationCancelled("credit_notes.number")}, null
      from credit_notes where credit_notes.number = page.number and page.note_id is not null) said
    order by page.issued_at, page.number collate "C"`.execute(db);
  const { rows: documentsOfPage, next } = pageOf(
    rows.map((row) => ({ ...row, id: row.number })),
    limit,
  );
  return { rows: documentsOfPage.map(({ id: _id, at: _at, ...document }) => document), next };
}

/** Counts the documents of a period. */
export async function countBookDocuments(
  db: Db,
  owner: BooksOwner,
  { from, before }: TimeRange,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${own(owner)}
    select count(*) as count from (${documents}) d where d.issued_at >= ${from} and d.issued_at < ${before}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
