/** What is sold, where and in which money, as rows that other tables refer to. Migrations write them; nothing else does. */
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
  /** The only one it is charged in. */
  currency: Currency;
}
