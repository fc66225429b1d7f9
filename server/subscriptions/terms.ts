/**
 * The clock of subscriptions: a next term that has been paid for becomes the running one, and what nobody has renewed is over.
 * In that order, so that a job that did not run for long ends no subscription whose next term is paid.
 */
import { beginNextTerms, expireEnded } from "#db/due-subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { queueStopRenewal } from "./auto-renewal.ts";
import { tellOwners } from "./owners.ts";

const batch = 100;

export interface TurnedTerms {
  /** Subscriptions whose next term has begun. */
  begun: number;
  /** Subscriptions that are over, add-ons among them: each by its own end, since it is paid for until then. */
  ended: number;
}

/** Safe to run at once in several workers, and again at any time: what it finds done it leaves. */
export async function turnTerms({ db, log }: Context, now = new Date()): Promise<TurnedTerms> {
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
  const ids = await beginNextTerms(trx, now, batch);
  for (const id of ids) await queueStopRenewal(trx, id);
  return ids.length;
}

async function endOnes(trx: Trx, now: Date): Promise<number> {
  const rows = await expireEnded(trx, now, batch);
  for (const row of rows) {
    await tellOwners(trx, row, "subscription-ended", `subscription-ended:${row.id}:${row.end.toISOString()}`);
  }
  return rows.length;
}
