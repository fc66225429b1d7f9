/** Catalogue items, their prices, and vendors' ids for them. */
import type { ColumnType, Generated, JSONColumnType, Selectable } from "kysely";
import type { StoredItemCopy } from "#db/catalogue/item-copy.ts";
import type { PlanFacts } from "#db/catalogue/plan-facts.ts";
import type { ItemId, PriceListId } from "../ids.ts";
import type { LanguageId } from "../languages.ts";
import type {
  BillingCycle,
  Country,
  Currency,
  FamilyId,
  PriceKind,
  PriceListState,
  Section,
  Term,
} from "./enums.ts";

export interface CatalogueItemsTable {
  id: ItemId;
  sku: string;
  family: FamilyId;
  section: Section;
  position: number;
  name: string;
  audience: string;
  description: string;
  features: JSONColumnType<string[]>;
  /** App names, used to pick icons. */
  images: JSONColumnType<string[]>;
  min_seats: Generated<number>;
  /** Null when the provider sets no limit that we must show. */
  max_seats: number | null;
  /** Base items of an add-on, one of which the customer must already have. */
  base_item_ids: JSONColumnType<string[]>;
  facts: JSONColumnType<PlanFacts> | null;
  /** Texts in languages other than the standard one; null for an item not seeded since they were added. */
  words: JSONColumnType<StoredItemCopy> | null;
  active: Generated<boolean>;
  /** Titles under which the vendor sells it; both null for an item without a vendor. */
  vendor_product: string | null;
  vendor_sku: string | null;
  /** Time of staff's last change to its texts; from then on the seed does not change them. */
  texts_edited_at: Generated<Date | null>;
  search_text: string;
  search: ColumnType<string, never, never>;
}
export type CatalogueItemRow = Selectable<CatalogueItemsTable>;

export interface DatedPricesTable {
  item_id: ItemId;
  currency: Currency;
  kind: PriceKind;
  term: Term;
  billing_cycle: BillingCycle;
  /** Start of the price, which ends when a later row of the same five begins; 1970 for items on sale from the beginning. */
  valid_from: Date;
  /** Minor units per seat for one billing period: a month when monthly, the term when annual. */
  amount_minor: number;
  /** Struck-through list price (ERP) for the same period. Null when none is shown. */
  list_minor: number | null;
  /** List that set it; null for the seed. */
  list_id: PriceListId | null;
  set_at: Generated<Date>;
}

export interface PriceListsTable {
  id: Generated<PriceListId>;
  /** Name of the file, or the vendor whose prices were read. */
  source: string;
  /** SHA-256 of the file; null without one. */
  digest: string | null;
  /** Day on which it takes effect, "2026-12-01"; null for the moment in which it is applied. */
  from_day: string | null;
  imported_by: string;
  imported_at: Date;
  state: PriceListState;
  /** Author and time of its present state. */
  state_by: string;
  state_at: Date;
}

export interface PriceListRowsTable {
  list_id: PriceListId;
  /** Line number in the file from 1, header line included. */
  line: number;
  /** Item as named in the file. */
  item: string;
  /** Null for an item that the store does not have. */
  item_id: ItemId | null;
  currency: Currency;
  kind: PriceKind;
  term: Term;
  billing_cycle: BillingCycle;
  amount_minor: number;
  /** Null when the list price does not change. */
  list_minor: number | null;
}

/** Incomplete if a language was added since. */
export type SlideTitles = Readonly<Partial<Record<LanguageId, string>>>;

/** A slide of the home page whose title staff have changed. */
export interface SlideTitlesTable {
  slide_id: string;
  titles: JSONColumnType<SlideTitles>;
  edited_at: Date;
}

/** The vendor's ids of an item, in the account that sells it in a country. */
export interface VendorItemsTable {
  item_id: ItemId;
  country: Country;
  /** Account at the vendor. Another account may have other ids, so these are not valid for it. */
  account: string;
  product_id: string;
  sku_id: string;
  found_at: Generated<Date>;
}

/** Differences between an item and its vendor's catalogue at the last comparison. */
export interface VendorDifferencesTable {
  item_id: ItemId;
  country: Country;
  /** A sentence for the operator. */
  what: string;
  since: Generated<Date>;
}

/** Our cost of a seat, from the vendor's price sheet or offers. */
export interface VendorPricesTable {
  family: FamilyId;
  country: Country;
  product_id: string;
  sku_id: string;
  term: Term;
  billing_cycle: BillingCycle;
  currency: Currency;
  /** Range of seats; null for no upper limit. */
  least_seats: number;
  most_seats: number | null;
  /** Minor units per seat for one billing period, as in PricesTable. */
  cost_minor: number;
  retail_minor: number;
  starts_at: Date;
  ends_at: Date | null;
  imported_at: Generated<Date>;
}
