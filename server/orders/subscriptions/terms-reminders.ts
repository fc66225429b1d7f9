/**
 * Reminds the owners of a new subscription of its vendor's terms, on the days 1, 3 and 7 of its term, for as long as the vendor
 * says that they have not been accepted (docs/decisions/tenants.md#google-terms).
 */

import type { SubscriptionId } from "#db/ids.ts";
import { findMailKeys } from "#db/mail/mails.ts";
import { listTermsStartedIn, type RecentlyStartedTerm } from "#db/orders/due-subscriptions.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { firstRecipientDedupeKey, notifyRecipients } from "./notify-members.ts";

const dayMs = 86_400_000;
const batch = 200;

/**
 * Whole days since the term began. Each reminder is due for one day only, so that nobody gets two at once after an
 * interruption.
 */
export const termsReminderDays: readonly number[] = [1, 3, 7];

const withTerms = familyIds.filter((id) => families[id].waitsForTerms !== null);

/** Sends due reminders. @returns the number of subscriptions for which mails were queued */
export async function sendTermsReminders(context: Context, now = new Date()): Promise<number> {
  const { db } = context;
  let reminded = 0;
  for (const day of termsReminderDays) {
    const since = new Date(now.getTime() - (day + 1) * dayMs);
    const until = new Date(now.getTime() - day * dayMs);
    let after: SubscriptionId | null = null;
    while (true) {
      const rows: RecentlyStartedTerm[] = await listTermsStartedIn(db, {
        families: withTerms,
        since,
        until,
        after,
        limit: batch,
      });
      const due = rows.map((row) => ({ row, notice: `terms-reminder:${row.id}:${day}` }));
      const given = await findMailKeys(
        db,
        due.map(({ notice }) => firstRecipientDedupeKey(notice)),
      );
      for (const { row, notice } of due) {
        if (given.has(firstRecipientDedupeKey(notice)) || !(await isWaiting(context, row))) continue;
        const isQueued = await db
          .transaction()
          .execute((trx) => notifyRecipients(trx, row, "terms-reminder", notice));
        if (isQueued) reminded += 1;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < batch) break;
      after = last.id;
    }
  }
  return reminded;
}

/** Whether the vendor waits for its terms to be accepted. False when it does not answer; the next run asks again. */
async function isWaiting(
  context: Context,
  { id, family, externalId }: RecentlyStartedTerm,
): Promise<boolean> {
  try {
    return (await families[family].waitsForTerms?.(context, externalId)) ?? false;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn(
      { err: error, subscriptionId: id },
      "a vendor did not say whether its terms are accepted",
    );
    return false;
  }
}
