/** Catalogue items and prices. */
import type { ColumnType, Generated, JSONColumnType, Selectable } from "kysely";
import type { ItemId } from "../ids.ts";
import type { BillingCycle, Currency, FamilyId, PriceKind, Section, Term } from "./enums.ts";

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
  active: Generated<boolean>;
  search_text: string;
  search: ColumnType<string, never, never>;
}
export type CatalogueItemRow = Selectable<CatalogueItemsTable>;

export interface PricesTable {
  item_id: ItemId;
  currency: Currency;
  kind: PriceKind;
  term: Term;
  billing_cycle: BillingCycle;
  /** Minor units per seat for one billing period: a month when monthly, the term when annual. */
  amount_minor: number;
  /** The struck-through list price (ERP) for the same period. Null when none is shown. */
  list_minor: number | null;
}
export type PriceRow = Selectable<PricesTable>;
