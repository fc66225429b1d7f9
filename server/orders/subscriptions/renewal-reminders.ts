/** Renewal letters: 60, 30, 14, 7 and 1 days before a subscription ends, each once (docs/decisions/renewal.md#renewal-mails). */
import { type EndingSubscription, listToRemind, markReminded } from "#db/orders/due-subscriptions.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Term } from "#db/tables/enums.ts";
import type { Context } from "#server/platform/context.ts";
import { choiceDays, daysLeft, mayRenew, renewalDays } from "./days.ts";
import { notifyRecipients } from "./notify-members.ts";

const dayMs = 86_400_000;
const batch = 200;

/** Days left when a reminder is sent. Monthly terms have only two, to avoid a weekly mail. */
export const reminderDays: Readonly<Record<Term, readonly number[]>> = {
  P1Y: [choiceDays, renewalDays, 14, 7, 1],
  P1M: [7, 1],
};

/**
 * Returns the most urgent milestone reached, with days rounded up. Milestones missed while the job did not run are skipped.
 * @returns null when the end is too far away, or past
 */
export function dueReminderDay(end: Date, term: Term, now: Date): number | null {
  const left = daysLeft(end, now);
  if (left === 0) return null;
  return reminderDays[term].findLast((days) => left <= days) ?? null;
}

/** Whether it should be renewed now: it may be, and a reminder is due. */
export function isReminderDue(
  subscription: Pick<Subscription, "status" | "end" | "next" | "isSuspended" | "term">,
  now: Date,
): boolean {
  return mayRenew(subscription, now) && dueReminderDay(subscription.end, subscription.term, now) !== null;
}

/** Builds the notice's key. It contains the end, so that a renewed subscription gets new reminders. */
export function reminderOf({ id, end }: Pick<EndingSubscription, "id" | "end">, milestone: number): string {
  return `renewal-reminder:${id}:${end.toISOString()}:${milestone}`;
}

/** The milestones of each term, each with the one before it (null for none) and the days at which it is due. */
const steps = (["P1Y", "P1M"] as const).flatMap((term) =>
  reminderDays[term].map((dueAt, index) => ({
    term,
    remindedAt: reminderDays[term][index - 1] ?? null,
    dueAt,
  })),
);

/** Sends due reminders. @returns the number of subscriptions for which mails were queued */
export async function sendRenewalReminders({ db }: Context, now = new Date()): Promise<number> {
  let reminded = 0;
  for (const { term, remindedAt, dueAt } of steps) {
    const until = new Date(now.getTime() + dueAt * dayMs);
    while (true) {
      const due = await listToRemind(db, { term, remindedAt, now, until, limit: batch });
      let marked = 0;
      for (const row of due) {
        const days = dueReminderDay(row.end, term, now);
        if (days === null) continue;
        await db.transaction().execute(async (trx) => {
          if (!(await markReminded(trx, row, days))) return;
          marked += 1;
          // Marked even without a mail, so that it is skipped until the next milestone.
          if (row.isToStop) return;
          if (await notifyRecipients(trx, row, "renewal-reminder", reminderOf(row, days))) reminded += 1;
        });
      }
      if (due.length < batch || marked === 0) break;
    }
  }
  return reminded;
}
