/** The language of a buyer's emails: the one chosen last, also for orders under way. */

import { updateLanguage } from "#db/accounts/users.ts";
import { updateLanguageOfOrders } from "#db/orders/orders.ts";
import type { Db } from "#db/tables/index.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Requester } from "./find.ts";

/** Stores the choice of a signed-in user, or of a visitor for the orders begun in this browser. */
export async function chooseLanguage(
  db: Db,
  { userId, draftKey }: Pick<Requester, "userId" | "draftKey">,
  language: LanguageId,
): Promise<void> {
  if (draftKey !== null) await updateLanguageOfOrders(db, { draftKey }, language);
  if (userId === null) return;
  await updateLanguage(db, userId, language);
  await updateLanguageOfOrders(db, { userId }, language);
}
