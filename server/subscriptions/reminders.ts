/** Renewal reminders: 30, 7 and 1 days before a subscription ends, each once (docs/specification.md, section 9.2). */
import { type Ending, listEnding } from "#db/due-subscriptions.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { findMailKeys } from "#db/mails.ts";
import type { Subscription } from "#db/subscriptions.ts";
import type { Term } from "#db/tables/enums.ts";
import type { Context } from "#server/context.ts";
import { daysLeft, mayRenew } from "./days.ts";
import { firstKey, tellOwners } from "./owners.ts";

const dayMs = 86_400_000;
const batch = 200;

/** Days left when a reminder is sent. A monthly term has none at 30 days, which would be its first day. */
export const milestones: Readonly<Record<Term, readonly number[]>> = { P1Y: [30, 7, 1], P1M: [7, 1] };

/**
 * The most urgent milestone reached, with days rounded up. Milestones missed while the job was paused are not made up
 * for.
 * @returns null when the end is too far away, or past
 */
export function dueMilestone(end: Date, term: Term, now: Date): number | null {
  const left = daysLeft(end, now);
  if (left === 0) return null;
  return milestones[term].findLast((days) => left <= days) ?? null;
}

/** Whether it should be renewed now: it may be, and a reminder of it is due. */
export function isDue(
  subscription: Pick<Subscription, "status" | "end" | "next" | "isSuspended" | "term">,
  now: Date,
): boolean {
  return mayRenew(subscription, now) && dueMilestone(subscription.end, subscription.term, now) !== null;
}

/** The key contains the end, so that a renewed subscription gets new reminders. */
export function reminderOf({ id, end }: Pick<Ending, "id" | "end">, milestone: number): string {
  return `renewal-reminder:${id}:${end.toISOString()}:${milestone}`;
}

/** @returns the number of subscriptions for which mails were queued */
export async function remindOfRenewals({ db }: Context, now = new Date()): Promise<number> {
  const until = new Date(now.getTime() + Math.max(...Object.values(milestones).flat()) * dayMs);
  let reminded = 0;
  let after: SubscriptionId | null = null;
  while (true) {
    const rows: Awaited<ReturnType<typeof listEnding>> = await listEnding(db, {
      now,
      until,
      after,
      limit: batch,
    });
    const due = rows.flatMap((row) => {
      const milestone = dueMilestone(row.end, row.term, now);
      return milestone === null ? [] : [{ row, notice: reminderOf(row, milestone) }];
    });
    const given = await findMailKeys(
      db,
      due.map(({ notice }) => firstKey(notice)),
    );
    for (const { row, notice } of due) {
      if (given.has(firstKey(notice))) continue;
      const asked = await db.transaction().execute((trx) => tellOwners(trx, row, "renewal-reminder", notice));
      if (asked) reminded += 1;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return reminded;
    after = last.id;
  }
}
