/**
 * Licences of a subscription that are assigned to people, as reported by the vendor with the nightly sync, and shown with the
 * day of that report. A vendor that counts by product counts all of a tenant's licences of it together.
 */
import type { SubscriptionId } from "#db/ids.ts";
import { type LicencesInUse, selectLicencesInUse } from "#db/orders/vendor-snapshots.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { formatDate } from "./dates.ts";

/** Reads the licences in use, keyed by subscription id; without those never reported. */
export function licencesInUse(
  db: Db,
  subscriptions: readonly { id: SubscriptionId }[],
): Promise<ReadonlyMap<string, LicencesInUse>> {
  return selectLicencesInUse(
    db,
    subscriptions.map(({ id }) => id),
  );
}

/**
 * Formats the licences in use: "31 of 40 in use, as of 3rd March 2027".
 * @param country of the company; it decides the time zone of the date
 */
export function licencesInUseText(
  { assigned, of, readAt }: LicencesInUse,
  country: Country,
  language: LanguageId,
): string {
  return textIn(language)("renewals.inUse", { assigned, of, date: formatDate(readAt, country, language) });
}

/**
 * Suggests the number of assigned licences when it is below the quantity.
 * @returns null when all are in use, none is, or the vendor's count includes other subscriptions
 */
export function suggestFewerLicences(
  { quantity }: { quantity: number },
  inUse: Pick<LicencesInUse, "assigned" | "of"> | null | undefined,
): number | null {
  if (inUse == null || inUse.of !== quantity) return null;
  return inUse.assigned > 0 && inUse.assigned < quantity ? inUse.assigned : null;
}
