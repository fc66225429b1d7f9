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
  /** null = the provider sets no limit we must show. */
  max_seats: number | null;
  /** For an add-on: the items one of which the customer must already have. */
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
  /** Minor units a seat for one billing period: a month when monthly, the term when annual. */
  amount_minor: number;
  /** The struck-through list price (ERP), same period; null = none shown. */
  list_minor: number | null;
}
export type PriceRow = Selectable<PricesTable>;
