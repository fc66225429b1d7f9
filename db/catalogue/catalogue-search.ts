/** Finds catalogue items by words, best first. */
import { sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

/** Similarity threshold: "exel" is close enough to "excel", "zoom" to nothing that we sell. */
const alike = 0.37;

/**
 * Ranks the catalogue against words (letters and digits only). A word matches by its stem, as a prefix or inside a longer
 * word. A word that no item has is treated as a typo and matched by similarity. Only the items that match the most words are
 * returned, so one stray word does not empty the page. A match in the name weighs most.
 */
export async function searchIds(db: Db, words: readonly string[]): Promise<ItemId[]> {
  // Quoted, a word is always one operand. ":*" matches prefixes.
  const searchQuery = sql.join(
    words.map((word) => sql`(${word}::text, to_tsquery('english', ${`'${word}':*`}))`),
  );
  const { rows } = await sql<{ id: ItemId }>`
    with asked (word, query) as (values ${searchQuery}),
    judged as (
      select item.*, asked.*,
        item.search @@ query or (length(word) >= 3 and item.search_text ilike '%' || word || '%') as has_it
      from catalogue_items item cross join asked
      -- A query without nodes is a stop word: every item has it and it says nothing.
      where item.active and numnode(query) > 0
    ),
    known as (select *, bool_or(has_it) over (partition by word) as known from judged),
    matched as (
      select id, section, position, count(*) as words,
        sum(
          4 * (to_tsvector('english', name) @@ query or (not known and strict_word_similarity(word, name) >= ${alike}))::int
          + case when known then ts_rank(search, query) else strict_word_similarity(word, search_text) end
        ) as score
      from known
      where has_it or (not known and length(word) >= 4 and strict_word_similarity(word, search_text) >= ${alike})
      group by id, section, position
    )
    select id from matched
    where words = (select max(words) from matched)
    order by score desc, array_position(array['featured', 'other', 'addon'], section), position, id`.execute(
    db,
  );
  return rows.map((row) => row.id);
}
