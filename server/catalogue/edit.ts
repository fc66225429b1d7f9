/** What a person changes in the texts of an item. The seed leaves them alone from then on (docs/decisions/prices.md). */
import { type ItemTexts, saveTexts } from "#db/catalogue.ts";
import type { ItemId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { record } from "#server/accounts/audit.ts";
import { DomainError, notFound } from "#server/errors.ts";

export type { ItemTexts };

/**
 * @param edit.texts all of them: what is left out in another language is said in the standard one
 * @param edit.by who changes them
 * @throws DomainError not_found; bad_request for an item that would say nothing
 */
export async function editTexts(
  db: Db,
  { itemId, texts, by, now }: { itemId: ItemId; texts: ItemTexts; by: string; now: Date },
): Promise<void> {
  const { name, audience, description, features } = texts;
  if (features.length === 0 || [name, audience, description, ...features].some((text) => text.trim() === ""))
    throw new DomainError("bad_request", "An item has a name, an audience, a description and features.");
  await db.transaction().execute(async (trx) => {
    if (!(await saveTexts(trx, itemId, texts, now))) throw notFound("plan");
    await record(trx, { userId: null, action: "item.edit", subject: `item:${itemId}`, data: { by } });
  });
}
