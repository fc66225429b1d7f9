/** Queries on our costs: the vendors' prices of our items. */
import { sql } from "kysely";
import { type Money, money } from "#db/money.ts";
import type { BillingCycle, Country, Currency, FamilyId, Term } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { VendorIds, VendorListingKey } from "./vendor-catalogue.ts";

/** Our cost of a seat of a SKU for one billing period. */
export interface VendorPrice extends VendorIds {
  term: Term;
  billingCycle: BillingCycle;
  currency: Currency;
  /** Range of seats; null for no upper limit. */
  minSeats: number;
  maxSeats: number | null;
  costMinor: number;
  /** The vendor's price for the buyer. */
  retailMinor: number;
  startsAt: Date;
  endsAt: Date | null;
}

/** Stores prices; each replaces one with the same start. */
export async function saveVendorPrices(
  trx: Trx,
  { family, country }: { family: FamilyId; country: Country },
  prices: readonly VendorPrice[],
): Promise<void> {
  for (const price of prices) {
    const values = {
      most_seats: price.maxSeats,
      cost_minor: price.costMinor,
      retail_minor: price.retailMinor,
      ends_at: price.endsAt,
    };
    await trx
      .insertInto("vendor_prices")
      .values({
        family,
        country,
        product_id: price.productId,
        sku_id: price.skuId,
        term: price.term,
        billing_cycle: price.billingCycle,
        currency: price.currency,
        least_seats: price.minSeats,
        starts_at: price.startsAt,
        ...values,
      })
      .onConflict((conflict) =>
        conflict
          .columns([
            "country",
            "product_id",
            "sku_id",
            "term",
            "billing_cycle",
            "currency",
            "least_seats",
            "starts_at",
            "family",
          ])
          .doUpdateSet({ ...values, imported_at: sql<Date>`now()` }),
      )
      .execute();
  }
}

/** Ends prices that the vendor has withdrawn. Their past stays, for the bills of that time. */
export async function endVendorPrices(
  trx: Trx,
  { family, country }: { family: FamilyId; country: Country },
  prices: readonly VendorPrice[],
  now: Date,
): Promise<void> {
  for (const price of prices)
    await trx
      .updateTable("vendor_prices")
      .set({ ends_at: now })
      .where("family", "=", family)
      .where("country", "=", country)
      .where("product_id", "=", price.productId)
      .where("sku_id", "=", price.skuId)
      .where("term", "=", price.term)
      .where("billing_cycle", "=", price.billingCycle)
      .where("currency", "=", price.currency)
      .where("least_seats", "=", price.minSeats)
      .where("starts_at", "=", price.startsAt)
      .where(({ eb, or }) => or([eb("ends_at", "is", null), eb("ends_at", ">", now)]))
      .execute();
}

/** Deletes the prices of these SKUs that have begun, except those without a start date. */
export async function deletePricesInForce(
  trx: Trx,
  { family, country }: { family: FamilyId; country: Country },
  prices: readonly VendorIds[],
  now: Date,
): Promise<void> {
  if (prices.length === 0) return;
  await trx
    .deleteFrom("vendor_prices")
    .where("family", "=", family)
    .where("country", "=", country)
    .where("starts_at", ">", new Date(0))
    .where("starts_at", "<=", now)
    .where(({ eb, or, and }) =>
      or(
        prices.map(({ productId, skuId }) =>
          and([eb("product_id", "=", productId), eb("sku_id", "=", skuId)]),
        ),
      ),
    )
    .execute();
}

/** Query for a cost: seats of an item, sold in one way. */
export interface CostQuery extends VendorListingKey {
  family: FamilyId;
  term: Term;
  billingCycle: BillingCycle;
  currency: Currency;
  /** Seats. */
  quantity: number;
  now: Date;
  /** Ignores prices that were last read before this time; left out, every price counts. */
  readSince?: Date | undefined;
}

/** A vendor's charge for a seat for one billing period. */
export interface Charge {
  cost: Money;
  /** The vendor's price for the buyer. */
  retail: Money;
}

/** Returns charges in the order of the queries; null if no price is known. The latest of overlapping prices counts. */
export async function findCharges(db: Db, queries: readonly CostQuery[]): Promise<(Charge | null)[]> {
  if (queries.length === 0) return [];
  const { rows } = await sql<{ place: number; cost_minor: number; retail_minor: number }>`
    select asked.place, found.cost_minor, found.retail_minor
    from json_to_recordset(${JSON.stringify(queries.map((one, place) => ({ ...one, place })))}::json) as asked (
      place integer, "itemId" text, country text, account text, family text, term text, "billingCycle" text,
      currency text, quantity integer, now timestamptz, "readSince" timestamptz)
    cross join lateral (
      select cost_minor, retail_minor
      from vendor_prices
      join vendor_items using (product_id, sku_id, country)
      where vendor_items.item_id = asked."itemId"
        and vendor_items.account = asked.account
        and country = asked.country
        and vendor_prices.family = asked.family
        and vendor_prices.term = asked.term
        and vendor_prices.billing_cycle = asked."billingCycle"
        and vendor_prices.currency = asked.currency
        and least_seats <= asked.quantity
        and (most_seats is null or most_seats >= asked.quantity)
        and starts_at <= asked.now
        and (ends_at is null or ends_at > asked.now)
        and (asked."readSince" is null or imported_at > asked."readSince")
      order by starts_at desc, least_seats desc
      limit 1
    ) as found`.execute(db);
  const found = new Map(rows.map((row) => [row.place, row]));
  return queries.map(({ currency }, place) => {
    const row = found.get(place);
    return row === undefined
      ? null
      : { cost: money(row.cost_minor, currency), retail: money(row.retail_minor, currency) };
  });
}

/** Returns our cost of a seat for one billing period; null while no price is known. */
export async function findCost(db: Db, query: CostQuery): Promise<Money | null> {
  const [charge] = await findCharges(db, [query]);
  return charge?.cost ?? null;
}
