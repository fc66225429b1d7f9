/** Families, countries and currencies as rows for foreign keys. Only migrations write them. */
import type { FamilyId } from "#db/tables/enums.ts";
import type { Country, Currency } from "./enums.ts";

export interface FamiliesTable {
  id: FamilyId;
}

export interface CurrenciesTable {
  id: Currency;
}

export interface CountriesTable {
  id: Country;
  /** The country's only currency. */
  currency: Currency;
}
