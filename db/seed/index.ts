/**
 * Fills the catalogue tables from the files in this folder. In a live store it adds missing rows, changes no price, and updates
 * only what staff have not edited (docs/decisions/prices.md#price-lists). An item's id is permanent, because orders and
 * subscriptions refer to it. An item removed from the files is no longer sold, but its row stays.
 */
import { sql } from "kysely";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { type ItemToSave, retireItemsExcept, saveItems } from "#db/catalogue/save-items.ts";
import type { FamilyId } from "../tables/enums.ts";
import type { Db } from "../tables/index.ts";
import { brio } from "./brio.ts";
import { familyRows } from "./families.ts";
import { google } from "./google.ts";
import type { SeedItem } from "./item.ts";
import { microsoft } from "./microsoft.ts";

/** All items on sale, in display order. */
export const catalogue: readonly ItemToSave[] = catalogueOf({ microsoft, google, brio });

export interface SeedResult {
  readonly items: number;
  /** Number of new or changed items and prices. */
  readonly written: number;
  readonly retired: readonly string[];
}

/** An arbitrary advisory lock number, unique within this database. */
const seedLock = 7_305_301;

/**
 * Syncs the catalogue. Idempotent, and safe when several processes start at once, because a lock makes them take turns. Opens its
 * own transaction.
 */
export async function seedCatalogue(db: Db, items: readonly ItemToSave[] = catalogue): Promise<SeedResult> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${seedLock})`.execute(trx);
    const written = await saveItems(trx, items);
    const retired = await retireItemsExcept(trx, items.map((item) => item.id).filter(isItemId));
    return { items: items.length, written, retired };
  });
}

/** Builds the catalogue of all families, displayed in the order in which it is written. */
export function catalogueOf(families: Readonly<Record<FamilyId, readonly SeedItem[]>>): ItemToSave[] {
  return familyRows.flatMap(({ id }) =>
    families[id].map((item, index) => ({
      ...item,
      vendor: item.vendor ?? null,
      facts: "facts" in item ? item.facts : null,
      family: id,
      position: index + 1,
    })),
  );
}
