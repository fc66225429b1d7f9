/** Catalogue items, their prices, and what vendors call them. */
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
  /** For an add-on: the customer must already have one of these items. */
  base_item_ids: JSONColumnType<string[]>;
  facts: JSONColumnType<PlanFacts> | null;
  /** In other languages than the standard one; null for an item not seeded since they were added. */
  words: JSONColumnType<StoredItemCopy> | null;
  active: Generated<boolean>;
  /** The titles under which the vendor sells it; both null for an item that has no vendor. */
  vendor_product: string | null;
  vendor_sku: string | null;
  /** When a person last changed its texts, which the seed leaves alone from then on. */
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
  /** In force from then until a later row of the same five begins; 1970 for what was on sale from the beginning. */
  valid_from: Date;
  /** Minor units per seat for one billing period: a month when monthly, the term when annual. */
  amount_minor: number;
  /** The struck-through list price (ERP) for the same period. Null when none is shown. */
  list_minor: number | null;
  /** The list that set it; null for the seed. */
  list_id: PriceListId | null;
  set_at: Generated<Date>;
}

export interface PriceListsTable {
  id: Generated<PriceListId>;
  /** The file's name, or whose prices were asked for. */
  source: string;
  /** SHA-256 of the file; null when there was none. */
  digest: string | null;
  /** The day it is for, "2026-12-01"; null for the moment in which it is applied. */
  from_day: string | null;
  imported_by: string;
  imported_at: Date;
  state: PriceListState;
  /** Who brought it into this state, and when. */
  state_by: string;
  state_at: Date;
}

export interface PriceListRowsTable {
  list_id: PriceListId;
  /** Of the file, from 1, its titles included. */
  line: number;
  /** As the file names it. */
  item: string;
  /** Null for an item that the store does not have. */
  item_id: ItemId | null;
  currency: Currency;
  kind: PriceKind;
  term: Term;
  billing_cycle: BillingCycle;
  amount_minor: number;
  /** Null where the list price stays as it is. */
  list_minor: number | null;
}

/** Less than all languages where one was added since. */
export type SlideTitles = Readonly<Partial<Record<LanguageId, string>>>;

/** A slide of the home page that a person has named otherwise than the store's messages do. */
export interface SlideTitlesTable {
  slide_id: string;
  titles: JSONColumnType<SlideTitles>;
  edited_at: Date;
}

/** What the vendor calls an item, in the account that sells it in a country. */
export interface VendorItemsTable {
  item_id: ItemId;
  country: Country;
  /** The account at the vendor. Another account may have other ids, so these are none for it. */
  account: string;
  product_id: string;
  sku_id: string;
  found_at: Generated<Date>;
}

/** What differed between an item and its vendor's catalogue when the vendor was last asked. */
export interface VendorDifferencesTable {
  item_id: ItemId;
  country: Country;
  /** A sentence for the operator. */
  what: string;
  since: Generated<Date>;
}

/** What a vendor charges us for a seat, by its price sheet or its offers. */
export interface VendorPricesTable {
  family: FamilyId;
  country: Country;
  product_id: string;
  sku_id: string;
  term: Term;
  billing_cycle: BillingCycle;
  currency: Currency;
  /** The numbers of seats that the price is for; no upper limit when null. */
  least_seats: number;
  most_seats: number | null;
  /** Minor units per seat for one billing period, as in PricesTable. */
  cost_minor: number;
  retail_minor: number;
  starts_at: Date;
  ends_at: Date | null;
  imported_at: Generated<Date>;
}
