/**
 * How many licences of a subscription people have, as far as its vendor tells: read with the nightly look at each account, and shown with the
 * day on which it was said. A vendor that counts by product counts all of a tenant's licences of it together.
 */
import type { SubscriptionId } from "#db/ids.ts";
import { type LicencesInUse, selectLicencesInUse } from "#db/orders/vendor-snapshots.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { formatDate } from "./dates.ts";

/** By the subscription's id; nothing of those of which no vendor has told. */
export function licencesInUse(
  db: Db,
  subscriptions: readonly { id: SubscriptionId }[],
): Promise<ReadonlyMap<string, LicencesInUse>> {
  return selectLicencesInUse(
    db,
    subscriptions.map(({ id }) => id),
  );
}

/** "31 of 40 in use, as of 3rd March 2027". @param country of the company, in whose zone the date is */
export function licencesInUseText(
  { assigned, of, readAt }: LicencesInUse,
  country: Country,
  language: LanguageId,
): string {
  return textIn(language)("renewals.inUse", { assigned, of, date: formatDate(readAt, country, language) });
}

/**
 * As many licences as people have, where that is fewer than the subscription has.
 * @returns null where as many are needed, nobody has one, or the vendor has counted others with them
 */
export function suggestFewerLicences(
  { quantity }: { quantity: number },
  inUse: Pick<LicencesInUse, "assigned" | "of"> | null | undefined,
): number | null {
  if (inUse == null || inUse.of !== quantity) return null;
  return inUse.assigned > 0 && inUse.assigned < quantity ? inUse.assigned : null;
}
