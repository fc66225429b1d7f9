/** Invoices, credit notes and proformas in one list with their states, for Desk. */
import { type RawBuilder, sql } from "kysely";
import type { CreditNoteId, OrderId } from "#db/ids.ts";
import { afterTextCursor, type Cursor, type Direction, type PageOfRows, pageOf } from "#db/keyset.ts";
import { idsFoundBy } from "#db/orders/order-search.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { RegistrationState } from "#db/tables/invoices.ts";

/**
 * Invoices and credit notes: "issued" without a registration, else its state. Proformas: open, paid, withdrawn because the
 * buyer chose another way to pay, or expired.
 */
export type DocumentState = "issued" | RegistrationState | "open" | "paid" | "withdrawn" | "expired";

export interface ListedDocument {
  kind: DocumentKind;
  number: string;
  orderId: OrderId;
  /** The order's number as stored (server/orders/number.ts formats it). */
  orderCount: number;
  orderedAt: Date;
  issuedAt: Date;
  totalMinor: number;
  currency: Currency;
  buyer: string;
  gstin: string | null;
  purchaseOrder: string | null;
  costCentre: string | null;
  state: DocumentState;
  /** Whether it is registered and its cancellation at the portal is pending. */
  isCancelling: boolean;
  /** Number of the corrected invoice that replaced this one; null when none did. */
  replacedBy: string | null;
  /** The portal's latest error; null while there is none. */
  portalCode: string | null;
  portalWords: string | null;
}

export interface DocumentQuery {
  kind: DocumentKind | null;
  state: DocumentState | null;
  /** Issued at or after. */
  from: Date | null;
  /** Issued before. */
  before: Date | null;
  orderId: OrderId | null;
  /** The same search as for orders: number of a document or order, company, email, GSTIN. */
  search: string | null;
  /** The search as an order number; null when it is not a number. */
  orderNumber: number | null;
}

const ofRegistration = sql`
  coalesce(e.state, 'issued') as state, e.state = 'final' and e.cancel_reason is not null as is_cancelling,
  e.error_code as portal_code, e.error_words as portal_words`;
const neverReplaced = sql`null as replaced_by`;
const stateOfProforma = sql`case when i.status = 'paid' then 'paid'
  when i.status = 'superseded' or i.closed_at is not null then 'withdrawn'
  when d.valid_until < now() then 'expired' else 'open' end`;
const withRegistration = sql`left join e_invoices e on e.number = d.number`;

const registered: readonly DocumentState[] = ["issued", "pending", "final", "failed", "cancelled"];

/** The sources of each kind: its tables, its possible states, the columns of its state and the filter by state. */
const sources = {
  invoice: {
    from: sql`invoices d ${withRegistration}`,
    has: registered,
    states: sql`${ofRegistration}, d.replaced_by`,
    isIn: registeredAs,
  },
  "credit-note": {
    from: sql`credit_notes d ${withRegistration}`,
    has: registered,
    states: sql`${ofRegistration}, d.replaced_by`,
    isIn: registeredAs,
  },
  proforma: {
    has: ["open", "paid", "withdrawn", "expired"],
    // Look up each intent separately: PostgreSQL would otherwise read the intents of all orders.
    from: sql`proformas d
      cross join lateral (select status, closed_at from payment_intents where id = d.intent_id offset 0) i`,
    states: sql`${stateOfProforma} as state, false as is_cancelling, null as portal_code, null as portal_words, ${neverReplaced}`,
    isIn: (state: DocumentState) => sql<boolean>`${stateOfProforma} = ${state}`,
  },
} as const satisfies Record<
  string,
  {
    from: RawBuilder<unknown>;
    has: readonly DocumentState[];
    states: RawBuilder<unknown>;
    isIn: (state: DocumentState) => RawBuilder<boolean>;
  }
>;

export type DocumentKind = keyof typeof sources;
export const documentKinds = Object.keys(sources).filter((kind): kind is DocumentKind => kind in sources);

/** Written so that PostgreSQL uses the index of unregistered documents. */
function registeredAs(state: DocumentState): RawBuilder<boolean> {
  return state === "issued" ? sql`e.number is null` : sql`e.state = ${state}`;
}

interface Page {
  after: Cursor | null;
  limit: number;
  direction?: Direction;
}

/** Lists a page of documents by time of issue, newest first by default. */
export async function listDocuments(
  db: Db,
  query: DocumentQuery,
  page: Page,
): Promise<PageOfRows<ListedDocument>> {
  const { limit, direction = "desc" } = page;
  const way = sql.raw(direction);
  const parts = kindsOf(query).map((kind) => sql`(${partOf(kind, query, page)})`);
  if (parts.length === 0) return { rows: [], next: null };
  const { rows } = await sql<ListedDocument & { at: number }>`
    ${foundBy(query)}
    select d.kind, d.number, d.order_id as "orderId", o.number as "orderCount", o.created_at as "orderedAt",
           d.issued_at as "issuedAt", d.total_minor as "totalMinor", d.currency, d.buyer, d.gstin, d.purchase_order as "purchaseOrder", d.cost_centre as "costCentre", d.state,
           d.is_cancelling as "isCancelling", d.replaced_by as "replacedBy",
           d.portal_code as "portalCode", d.portal_words as "portalWords",
           (extract(epoch from d.issued_at) * 1000000)::bigint as at
    from (${sql.join(parts, sql` union all `)}) d
    join orders o on o.id = d.order_id
    order by d.issued_at ${way}, d.number collate "C" ${way}
    limit ${limit + 1}`.execute(db);
  const { rows: shown, next } = pageOf(
    rows.map((row) => ({ ...row, id: row.number })),
    limit,
  );
  return { rows: shown.map(({ id: _id, at: _at, ...document }) => document), next };
}

/** Counts the documents, up to `most` + 1. */
export async function countDocuments(db: Db, query: DocumentQuery, most: number): Promise<number> {
  const parts = kindsOf(query).map(
    (kind) => sql`(select 1 from ${sources[kind].from} where ${conditionsOf(kind, query)} limit ${most + 1})`,
  );
  if (parts.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    ${foundBy(query)}
    select count(*) as count from (select 1 from (${sql.join(parts, sql` union all `)}) d limit ${most + 1}) all_of_them`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The kinds of document that can match the query's kind and state. */
const kindsOf = ({ kind, state }: DocumentQuery) =>
  documentKinds.filter((each) => {
    const states: readonly DocumentState[] = sources[each].has;
    return (kind === null || kind === each) && (state === null || states.includes(state));
  });

/** CTE with the orders that match the search, evaluated once for all kinds. */
function foundBy({ search, orderNumber }: DocumentQuery): RawBuilder<unknown> {
  return search === null ? sql`` : sql`with found (id) as materialized ${idsFoundBy(search, orderNumber)}`;
}

/** Selects one kind's share of the page, which may be the whole page. */
function partOf(
  kind: DocumentKind,
  query: DocumentQuery,
  { after, limit, direction = "desc" }: Page,
): RawBuilder<unknown> {
  const source = sources[kind];
  const place =
    after === null ? sql`true` : afterTextCursor(after, { at: "d.issued_at", id: "d.number" }, direction);
  const way = sql.raw(direction);
  return sql`
    select ${kind} as kind, d.number, d.order_id, d.issued_at, (d.facts->>'totalMinor')::bigint as total_minor,
           d.facts->>'currency' as currency, d.facts->'recipient'->>'name' as buyer,
           d.facts->'recipient'->>'gstin' as gstin, d.facts->'references'->>'purchaseOrder' as purchase_order,
           d.facts->'references'->>'costCentre' as cost_centre, ${source.states}
    from ${source.from}
    where ${conditionsOf(kind, query)} and ${place}
    order by d.issued_at ${way}, d.number collate "C" ${way}
    limit ${limit + 1}`;
}

function conditionsOf(
  kind: DocumentKind,
  { state, from, before, orderId, search }: DocumentQuery,
): RawBuilder<unknown> {
  const conditions = [
    sql`true`,
    ...(state === null ? [] : [sources[kind].isIn(state)]),
    ...(from === null ? [] : [sql`d.issued_at >= ${from}`]),
    ...(before === null ? [] : [sql`d.issued_at < ${before}`]),
    ...(orderId === null ? [] : [sql`d.order_id = ${orderId}`]),
    ...(search === null ? [] : [sql`d.order_id = any(array(select id from found))`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** Finds a document by its number. Numbers are unique across all kinds. */
export async function findByDocumentNumber(
  db: Db,
  number: string,
): Promise<
  | { kind: "invoice" | "proforma"; orderId: OrderId }
  | { kind: "credit-note"; orderId: OrderId; id: CreditNoteId }
  | null
> {
  const note = await db
    .selectFrom("credit_notes")
    .select(["order_id as orderId", sql<CreditNoteId>`coalesce(refund_id, correction_id)`.as("id")])
    .where("number", "=", number)
    .executeTakeFirst();
  if (note !== undefined) return { kind: "credit-note", ...note };
  const invoice = await db
    .selectFrom("invoices")
    .select("order_id as orderId")
    .where("number", "=", number)
    .executeTakeFirst();
  if (invoice !== undefined) return { kind: "invoice", ...invoice };
  const proforma = await db
    .selectFrom("proformas")
    .select("order_id as orderId")
    .where("number", "=", number)
    .executeTakeFirst();
  return proforma === undefined ? null : { kind: "proforma", ...proforma };
}
