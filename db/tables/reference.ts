/** What is sold, where and in which money, as rows that other tables refer to. Migrations write them; nothing else does. */
import type { Country, Currency, Family } from "./enums.ts";

export interface FamiliesTable {
  id: Family;
}

export interface CurrenciesTable {
  id: Currency;
}

export interface CountriesTable {
  id: Country;
  /** The only one it is charged in. */
  currency: Currency;
}
