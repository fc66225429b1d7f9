/** Searches the catalogue. Accepts any input and ignores anything that is not a word. */
import { featuredIds, itemsByIds } from "#db/catalogue/catalogue.ts";
import { searchIds } from "#db/catalogue/catalogue-search.ts";
import type { Db } from "#db/tables/index.ts";
import type { CatalogueItem } from "./items.ts";

export interface SearchPage {
  readonly items: CatalogueItem[];
  readonly total: number;
  /** Displayed page, 1-based: the requested one, or the nearest that exists. */
  readonly page: number;
  /** Number of pages, at least 1, so that an empty result is page 1 of 1. */
  readonly pages: number;
}

const maxQueryLength = 200;
const maxWords = 12;
const maxPageSize = 100;

/**
 * Returns the best matches of a query; without any word in it, the featured items (docs/specification.md, section 2.4).
 * @param options.page 1-based
 */
export async function searchItems(
  db: Db,
  query: string,
  options: { page?: number; pageSize?: number } = {},
): Promise<SearchPage> {
  const words = searchWords(query);
  // The whole ranking is a few dozen ids, so it is paginated here and the total needs no second query.
  const ids = words.length === 0 ? await featuredIds(db) : await searchIds(db, words);
  const pageSize = wholeBetween(options.pageSize ?? 3, 1, maxPageSize);
  const pages = Math.max(1, Math.ceil(ids.length / pageSize));
  const page = wholeBetween(options.page ?? 1, 1, pages);
  const items = await itemsByIds(db, ids.slice((page - 1) * pageSize, page * pageSize));
  return { items, total: ids.length, page, pages };
}

/**
 * Extracts the words of a query: runs of letters and digits, in lower case and without duplicates. Any other character, including
 * NUL, separates words.
 */
export function searchWords(query: string): string[] {
  const text = query.slice(0, maxQueryLength).normalize("NFKC").slice(0, maxQueryLength).toLowerCase();
  return [...new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu))].slice(0, maxWords);
}

function wholeBetween(value: number, least: number, most: number): number {
  return Number.isNaN(value) ? least : Math.min(Math.max(Math.trunc(value), least), most);
}
