/** Price lists as imported, the prices they set by date, and who is bound to the prices before. */
import { sql } from "kysely";
import type { ItemId, PriceListId } from "#db/ids.ts";
import type {
  BillingCycle,
  Country,
  Currency,
  FamilyId,
  PriceKind,
  PriceListState,
  Term,
} from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Price } from "./catalogue.ts";

/** Which price of which item. */
export interface PriceKey {
  readonly itemId: ItemId;
  readonly currency: Currency;
  readonly kind: PriceKind;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
}

export function priceKeyText({ itemId, currency, kind, term, billingCycle }: PriceKey): string {
  return [itemId, currency, kind, term, billingCycle].join(" ");
}

export interface PriceList {
  readonly id: PriceListId;
  /** The file's name, or whose prices were asked for. */
  readonly source: string;
  /** SHA-256 of the file; null when there was none. */
  readonly digest: string | null;
  /** "2026-12-01"; null for the moment in which it is applied. */
  readonly fromDay: string | null;
  readonly importedBy: string;
  readonly importedAt: Date;
  readonly state: PriceListState;
  readonly stateBy: string;
  readonly stateAt: Date;
}

/** A line of a list. */
export interface PriceListLine extends Omit<PriceKey, "itemId"> {
  /** Of the file, from 1. */
  readonly line: number;
  /** As the file names it. */
  readonly item: string;
  /** Null for an item that the store does not have. */
  readonly itemId: ItemId | null;
  /** Minor units, as in Price. */
  readonly amountMinor: number;
  /** Null where the list price stays as it is. */
  readonly listMinor: number | null;
}

/** How many lines are written at once: PostgreSQL takes 65,535 parameters. */
const linesAtOnce = 1_000;

export async function insertPriceList(
  trx: Trx,
  list: Pick<PriceList, "source" | "digest" | "fromDay">,
  lines: readonly PriceListLine[],
  { by, now }: { by: string; now: Date },
): Promise<PriceListId> {
  const { id } = await trx
    .insertInto("price_lists")
    .values({
      source: list.source,
      digest: list.digest,
      from_day: list.fromDay,
      imported_by: by,
      imported_at: now,
      state: "waiting",
      state_by: by,
      state_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    await trx
      .insertInto("price_list_rows")
      .values(
        lines.slice(start, start + linesAtOnce).map((one) => ({
          list_id: id,
          line: one.line,
          item: one.item,
          item_id: one.itemId,
          currency: one.currency,
          kind: one.kind,
          term: one.term,
          billing_cycle: one.billingCycle,
          amount_minor: one.amountMinor,
          list_minor: one.listMinor,
        })),
      )
      .execute();
  }
  return id;
}

const selectLists = (db: Db) =>
  db
    .selectFrom("price_lists")
    .select([
      "id",
      "source",
      "digest",
      "from_day as fromDay",
      "imported_by as importedBy",
      "imported_at as importedAt",
      "state",
      "state_by as stateBy",
      "state_at as stateAt",
    ]);

export async function findPriceList(db: Db, id: PriceListId): Promise<PriceList | null> {
  return (await selectLists(db).where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Locks the list until the transaction ends. */
export async function lockPriceList(trx: Trx, id: PriceListId): Promise<PriceList | null> {
  return (await selectLists(trx).where("id", "=", id).forUpdate().executeTakeFirst()) ?? null;
}

/** A list among others. */
export interface ListedPriceList extends PriceList {
  /** How many. */
  readonly lines: number;
  /** When the first of the prices that it has set begins; null while it sets none. */
  readonly begins: Date | null;
}

/** The newest first. @param page.before the last id of the page before this one; null for the first @param page.only a single list */
export async function listPriceLists(
  db: Db,
  {
    limit,
    before = null,
    only = null,
  }: { limit: number; before?: PriceListId | null; only?: PriceListId | null },
): Promise<ListedPriceList[]> {
  return selectLists(db)
    .select([
      sql<number>`(select count(*) from price_list_rows where list_id = price_lists.id)`.as("lines"),
      sql<Date | null>`(select min(valid_from) from dated_prices where list_id = price_lists.id)`.as(
        "begins",
      ),
    ])
    .$if(before !== null, (query) => query.where(sql<boolean>`id < ${before}`))
    .$if(only !== null, (query) => query.where(sql<boolean>`id = ${only}`))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function listLines(db: Db, id: PriceListId): Promise<PriceListLine[]> {
  return db
    .selectFrom("price_list_rows")
    .select([
      "line",
      "item",
      "item_id as itemId",
      "currency",
      "kind",
      "term",
      "billing_cycle as billingCycle",
    ])
    .select(["amount_minor as amountMinor", "list_minor as listMinor"])
    .where("list_id", "=", id)
    .orderBy("line")
    .execute();
}

/** @param fromDay as in PriceList */
export async function setPriceListDay(trx: Trx, id: PriceListId, fromDay: string | null): Promise<void> {
  await trx.updateTable("price_lists").set({ from_day: fromDay }).where("id", "=", id).execute();
}

export async function setPriceListState(
  trx: Trx,
  id: PriceListId,
  { state, by, now }: { state: PriceListState; by: string; now: Date },
): Promise<void> {
  await trx
    .updateTable("price_lists")
    .set({ state, state_by: by, state_at: now })
    .where("id", "=", id)
    .execute();
}

/** An item, as far as its prices are concerned. */
export interface PricedItem {
  readonly id: ItemId;
  readonly sku: string;
  readonly name: string;
  readonly family: FamilyId;
}

/** Every item that there is or was, by display order. */
export async function listPricedItems(db: Db): Promise<PricedItem[]> {
  return db
    .selectFrom("catalogue_items")
    .select(["id", "sku", "name", "family"])
    .orderBy("family")
    .orderBy("position")
    .orderBy("id")
    .execute();
}

export type KeyedPrice = PriceKey & Pick<Price, "amount" | "list">;

/**
 * Every price that is in force at a moment, by priceKeyText.
 * @param without a list whose prices do not count
 */
export async function pricesAt(
  db: Db,
  at: Date,
  without: PriceListId | null = null,
): Promise<Map<string, KeyedPrice>> {
  const rows = await db
    .selectFrom("dated_prices")
    .distinctOn(["item_id", "currency", "kind", "term", "billing_cycle"])
    .select(["item_id as itemId", "currency", "kind", "term", "billing_cycle as billingCycle"])
    .select(["amount_minor", "list_minor"])
    .where("valid_from", "<=", at)
    .$if(without !== null, (query) => query.where(sql<boolean>`list_id is distinct from ${without}`))
    .orderBy("item_id")
    .orderBy("currency")
    .orderBy("kind")
    .orderBy("term")
    .orderBy("billing_cycle")
    .orderBy("valid_from", "desc")
    .execute();
  return new Map(
    rows.map(({ amount_minor, list_minor, ...key }) => {
      const { currency } = key;
      const list = list_minor === null ? null : { minor: list_minor, currency };
      return [priceKeyText(key), { ...key, amount: { minor: amount_minor, currency }, list }];
    }),
  );
}

/** A price from a moment on. */
export interface DatedPrice extends PriceKey {
  readonly from: Date;
  /** Minor units. */
  readonly amountMinor: number;
  readonly listMinor: number | null;
}

/** @returns those that were not set, because another list sets the same price from the same moment on */
export async function insertDatedPrices(
  trx: Trx,
  listId: PriceListId,
  prices: readonly DatedPrice[],
): Promise<DatedPrice[]> {
  const taken: DatedPrice[] = [];
  for (const price of prices) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("dated_prices")
      .values({
        item_id: price.itemId,
        currency: price.currency,
        kind: price.kind,
        term: price.term,
        billing_cycle: price.billingCycle,
        valid_from: price.from,
        amount_minor: price.amountMinor,
        list_minor: price.listMinor,
        list_id: listId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) taken.push(price);
  }
  return taken;
}

/** When the first of a list's prices begins; null while it sets none. */
export async function findFirstPriceDate(db: Db, listId: PriceListId): Promise<Date | null> {
  const row = await db
    .selectFrom("dated_prices")
    .select(({ fn }) => fn.min("valid_from").as("first"))
    .where("list_id", "=", listId)
    .executeTakeFirst();
  return row?.first ?? null;
}

/** @returns how many */
export async function deleteDatedPrices(trx: Trx, listId: PriceListId): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("dated_prices")
    .where("list_id", "=", listId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A price that was, is or will be in force. */
export interface PriceHistoryEntry extends DatedPrice {
  /** The list that set it; null for the seed. */
  readonly setBy: Pick<PriceList, "id" | "source" | "stateBy" | "stateAt"> | null;
}

/** Every price of an item there ever was, price by price, the newest first. */
export async function listPriceHistory(db: Db, itemId: ItemId): Promise<PriceHistoryEntry[]> {
  const rows = await db
    .selectFrom("dated_prices")
    .leftJoin("price_lists", "price_lists.id", "dated_prices.list_id")
    .select(["item_id as itemId", "currency", "kind", "term", "billing_cycle as billingCycle"])
    .select(["valid_from as from", "amount_minor as amountMinor", "list_minor as listMinor"])
    .select(["price_lists.id", "source", "state_by as stateBy", "state_at as stateAt"])
    .where("item_id", "=", itemId)
    .orderBy("currency")
    .orderBy("kind")
    .orderBy("term")
    .orderBy("billing_cycle")
    .orderBy("valid_from", "desc")
    .execute();
  return rows.map(({ id, source, stateBy, stateAt, ...price }) => ({
    ...price,
    setBy:
      id === null || source === null || stateBy === null || stateAt === null
        ? null
        : { id, source, stateBy, stateAt },
  }));
}

/** What an order or a subscription is priced by. */
export interface PricingKey {
  readonly itemId: ItemId;
  readonly country: Country;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
}

/** Unpaid orders that were priced alike. */
export interface PricedDrafts extends PricingKey {
  /** Which kinds of price are in theirs. */
  readonly hasSignup: boolean;
  readonly hasRegular: boolean;
  readonly count: number;
  /** How many of them are asked for by a proforma or a payment link that is still good then. */
  readonly promised: number;
  /** When the last of them is priced anew. */
  readonly until: Date;
}

/**
 * Orders in carts whose price holds at a moment: by their draft, or by a proforma or a payment link.
 * @param held.holdMs for how long a draft keeps its price
 * @param held.signupSeats how many seats of an order with a sign-up price have that
 */
export async function countDraftsWithPriceHold(
  db: Db,
  at: Date,
  { holdMs, signupSeats }: { holdMs: number; signupSeats: number },
): Promise<PricedDrafts[]> {
  const pricedAfter = new Date(at.getTime() - holdMs);
  const asksUntil = sql<Date>`greatest(proformas.valid_until, payment_links.expires_at)`;
  const draftUntil = sql<Date>`orders.priced_at + ${holdMs}::double precision * interval '1 millisecond'`;
  const hasSignup = sql<boolean>`order_lines.signup_price_minor is not null`;
  const hasRegular = sql<boolean>`(order_lines.signup_price_minor is null or order_lines.quantity > ${sql.lit(signupSeats)})`;
  return db
    .with("promises", (qb) =>
      qb
        .selectFrom("payment_intents")
        .leftJoin("proformas", "proformas.intent_id", "payment_intents.id")
        .leftJoin("payment_links", "payment_links.intent_id", "payment_intents.id")
        .select(["payment_intents.order_id"])
        .select(sql<Date>`max(${asksUntil})`.as("until"))
        .where("payment_intents.status", "=", "open")
        .where(asksUntil, ">", at)
        .groupBy("payment_intents.order_id"),
    )
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .leftJoin("promises", "promises.order_id", "orders.id")
    .select(["order_lines.item_id as itemId", "country", "term", "billing_cycle as billingCycle"])
    .select([hasSignup.as("hasSignup"), hasRegular.as("hasRegular")])
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.count<number>("promises.order_id").as("promised"),
      sql<Date>`max(greatest(${draftUntil}, promises.until))`.as("until"),
    ])
    .where("payment_status", "in", ["none", "pending", "failed"])
    .where("removed_at", "is", null)
    .where(({ eb, or }) => or([eb("priced_at", ">", pricedAfter), eb("promises.order_id", "is not", null)]))
    .groupBy(["order_lines.item_id", "country", "term", "billing_cycle", hasSignup, hasRegular])
    .execute();
}

/** Running subscriptions that would be renewed alike. */
export interface RenewalGroup extends PricingKey {
  readonly subscriptions: number;
  readonly seats: number;
}

/** Active subscriptions that are not suspended, with the seats of the last term that is paid for. */
export async function countRenewable(db: Db): Promise<RenewalGroup[]> {
  return db
    .selectFrom(
      db
        .selectFrom("subscriptions")
        .innerJoin("customers", "customers.id", "subscriptions.customer_id")
        // All of them are read, and so the tenants are too: `soldFrom` would look each up by itself.
        .leftJoin("tenants", "tenants.id", "subscriptions.tenant_id")
        .select(({ fn }) => fn.coalesce("tenants.country", "customers.country").as("country"))
        .select(["item_id as itemId", "term", "billing_cycle as billingCycle"])
        .select(({ fn }) => fn.coalesce("next_term_quantity", "quantity").as("quantity"))
        .where("status", "=", "active")
        .where("suspended", "=", false)
        .as("held"),
    )
    .select(["itemId", "country", "term", "billingCycle"])
    .select(({ fn }) => [fn.countAll<number>().as("subscriptions"), fn.sum<number>("quantity").as("seats")])
    .groupBy(["itemId", "country", "term", "billingCycle"])
    .execute();
}
