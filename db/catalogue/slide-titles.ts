/** Queries on the titles of the home page's slides that staff have edited. */
import { sql } from "kysely";
import type { SlideTitles } from "#db/tables/catalogue.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Maps slide ids to titles, without slides that nobody has edited. */
export async function listSlideTitles(db: Db): Promise<Map<string, { titles: SlideTitles; editedAt: Date }>> {
  const rows = await db
    .selectFrom("slide_titles")
    .select(["slide_id", "titles", "edited_at as editedAt"])
    .execute();
  return new Map(rows.map(({ slide_id, ...slide }) => [slide_id, slide]));
}

/** Locks all titles until the transaction ends, including missing ones. */
export async function lockSlideTitles(
  trx: Trx,
): Promise<Map<string, { titles: SlideTitles; editedAt: Date }>> {
  await sql`lock table slide_titles in share row exclusive mode`.execute(trx);
  return listSlideTitles(trx);
}

export async function saveSlideTitles(trx: Trx, id: string, titles: SlideTitles, now: Date): Promise<void> {
  const values = { titles: JSON.stringify(titles), edited_at: now };
  await trx
    .insertInto("slide_titles")
    .values({ slide_id: id, ...values })
    .onConflict((conflict) => conflict.column("slide_id").doUpdateSet(values))
    .execute();
}
