/**
 * Edits the texts of items and the titles of slides. From then on the seed does not change them
 * (docs/decisions/prices.md#price-lists). An edit names the version that was read, so that it does not overwrite a concurrent
 * one.
 */
import { createHash } from "node:crypto";
import { type ItemTexts, isItemId } from "#db/catalogue/catalogue.ts";
import {
  findTexts,
  type ItemWithTexts,
  listItemsWithTexts as listItems,
  lockTexts,
  saveTexts,
} from "#db/catalogue/item-texts.ts";
import * as slides from "#db/catalogue/slide-titles.ts";
import type { ItemId } from "#db/ids.ts";
import type { SlideTitles } from "#db/tables/catalogue.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";

export type { ItemTexts, SlideTitles };

interface Edit extends AuditContext {
  /** Version read before the edit, as textsVersion returns it. */
  version: string;
  now: Date;
}

/** Returns a hash of the texts, which detects concurrent edits. */
export function textsVersion(texts: ItemTexts | SlideTitles): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(texts)))
    .digest("base64url")
    .slice(0, 22);
}

/** Lists all items, those on sale first, in display order. */
export function listItemsWithTexts(db: Db): Promise<ItemWithTexts[]> {
  return listItems(db);
}

/** Maps ids to the slides whose titles staff have edited. */
export function listSlideEdits(db: Db): Promise<Map<string, { titles: SlideTitles; editedAt: Date }>> {
  return slides.listSlideTitles(db);
}

/** Maps ids to titles, for slides whose titles staff have edited. */
export async function listSlideTitles(db: Db): Promise<Map<string, SlideTitles>> {
  const edited = await listSlideEdits(db);
  return new Map([...edited].map(([id, { titles }]) => [id, titles]));
}

/** @param text from an address @throws DomainError not_found for text that cannot be an item's id */
export function parseItemId(text: string): ItemId {
  if (!isItemId(text)) throw notFound("plan");
  return text;
}

/** @throws DomainError not_found */
export async function getTexts(db: Db, itemId: ItemId): Promise<ItemTexts> {
  const texts = await findTexts(db, itemId);
  if (texts === null) throw notFound("plan");
  return texts;
}

/**
 * @param edit.texts all of them: a text left out in another language falls back to the standard one
 * @throws DomainError not_found; bad_request for an item without texts; conflict for another version
 */
export async function editTexts(
  db: Db,
  { itemId, texts, ...edit }: Edit & { itemId: ItemId; texts: ItemTexts },
): Promise<void> {
  const { name, audience, description, features } = texts;
  if (features.length === 0 || [name, audience, description, ...features].some((text) => text.trim() === ""))
    throw new DomainError("bad_request", "An item has a name, an audience, a description and features.");
  await db.transaction().execute(async (trx) => {
    const before = await lockTexts(trx, itemId);
    if (before === null) throw notFound("plan");
    requireVersion(edit, before);
    await saveTexts(trx, itemId, texts, edit.now);
    await recordEdit(trx, "item.edit", `item:${itemId}`, edit, { before, after: texts });
  });
}

/**
 * @param edit.said the slide's title without any edit
 * @throws DomainError bad_request for a slide without a title; conflict for another version
 */
export async function editSlide(
  db: Db,
  { id, said, titles, ...edit }: Edit & { id: string; said: SlideTitles; titles: SlideTitles },
): Promise<void> {
  if (Object.values(titles).some((title) => title.trim() === ""))
    throw new DomainError("bad_request", "A slide has a title in every language.");
  await db.transaction().execute(async (trx) => {
    const before = { ...said, ...(await slides.lockSlideTitles(trx)).get(id)?.titles };
    requireVersion(edit, before);
    await slides.saveSlideTitles(trx, id, titles, edit.now);
    await recordEdit(trx, "slide.edit", `slide:${id}`, edit, { before, after: titles });
  });
}

function requireVersion({ version }: Edit, now: ItemTexts | SlideTitles): void {
  if (version === textsVersion(now)) return;
  throw new DomainError(
    "conflict",
    "Someone else has changed this content, so your changes weren't saved. Reload the page and make them again.",
  );
}

/** Records only the changed texts, before and after. */
async function recordEdit<Texts extends ItemTexts | SlideTitles>(
  trx: Db,
  action: string,
  subject: string,
  { by, staffId, reason }: Edit,
  { before, after }: { before: Texts; after: Texts },
): Promise<void> {
  const [was, is] = [flat(before), flat(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key));
  const only = (texts: ReadonlyMap<string, string>) =>
    JSON.stringify(
      Object.fromEntries(changed.flatMap((key) => (texts.has(key) ? [[key, texts.get(key)]] : []))),
    );
  await recordAudit(trx, {
    userId: null,
    staffId,
    action,
    subject,
    data: { by, reason, before: only(was), after: only(is) },
  });
}

/** Maps "words.hi.features" and similar paths to their texts. */
function flat(texts: object, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]: [string, unknown]): [string, string][] => {
      const key = `${prefix}${name}`;
      if (typeof value === "string") return [[key, value]];
      if (Array.isArray(value)) return [[key, value.join("\n")]];
      return typeof value === "object" && value !== null ? [...flat(value, `${key}.`)] : [];
    }),
  );
}

/** Sorts texts, because the database's order varies. */
function sorted(texts: object): [string, string][] {
  return [...flat(texts)].sort(([one], [other]) => (one < other ? -1 : 1));
}
