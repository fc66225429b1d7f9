/**
 * The cron job of subscriptions: begins paid next terms, then ends subscriptions that were not renewed. In that order, so that
 * a delayed job never ends a subscription whose next term is paid for.
 */
import { beginNextTerms, expireEndedSubscriptions } from "#db/orders/due-subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/platform/context.ts";
import { notifyOfCancellationWindow, notifyOfEnd } from "./notify-members.ts";
import { queueStopRenewal } from "./queue.ts";

const batch = 100;

export interface AdvancedTerms {
  /** Number of subscriptions whose next term has begun. */
  begun: number;
  /** Number of subscriptions that ended. Add-ons end by their own date, because they are paid for until then. */
  ended: number;
}

/** Runs the job. Idempotent, and safe to run concurrently in several workers. */
export async function advanceTerms({ db, log }: Context, now = new Date()): Promise<AdvancedTerms> {
  const inBatches = async (once: (trx: Trx) => Promise<number>) => {
    let all = 0;
    while (true) {
      const count = await db.transaction().execute(once);
      all += count;
      if (count < batch) return all;
    }
  };
  const begun = await inBatches((trx) => beginOnes(trx, now));
  const ended = await inBatches((trx) => endOnes(trx, now));
  if (begun + ended > 0) log.info({ begun, ended }, "terms were turned");
  return { begun, ended };
}

async function beginOnes(trx: Trx, now: Date): Promise<number> {
  const rows = await beginNextTerms(trx, now, batch);
  for (const row of rows) {
    await queueStopRenewal(trx, row.id);
    await notifyOfCancellationWindow(trx, row);
  }
  return rows.length;
}

async function endOnes(trx: Trx, now: Date): Promise<number> {
  const rows = await expireEndedSubscriptions(trx, now, batch);
  for (const row of rows) await notifyOfEnd(trx, row);
  return rows.length;
}
