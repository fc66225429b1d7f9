/**
 * Recovery after the database was restored to an earlier moment, before any process of the store runs. Asks the providers about
 * the time that the database has lost, so that nothing is bought, numbered or refunded a second time (docs/operate/backup.md).
 */

import { updateCancellation } from "#db/billing/cancellations.ts";
import { makeAllLookupsDue } from "#db/billing/due-intents.ts";
import type { CancellationId } from "#db/ids.ts";
import { listOpenCancellationsOf, type SkippedSerials } from "#db/platform/after-restore.ts";
import { removeJob } from "#db/platform/jobs.ts";
import { hasLiveWorker } from "#db/platform/workers.ts";
import { getCancellation } from "#server/billing/cancellations/decide.ts";
import { cancellationJob } from "#server/billing/cancellations/queue.ts";
import { findReportedPayment } from "#server/billing/payments/find.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import type { AuditContext } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { silentAfterMs } from "#server/operations/jobs/heartbeats.ts";
import type { Context } from "#server/platform/context.ts";
import { skipNumbers } from "./numbers.ts";
import { resumeByVendorState, stopUnfinishedOrders, type VendorFollowUp } from "./stopped-orders.ts";
import {
  fetchUnrecordedMoney,
  recordUnrecordedRefunds,
  settleUnrecordedPayments,
  type UnrecordedMoney,
  type UnrecordedPayment,
} from "./unrecorded-payments.ts";

/** Number of payments that one sweep looks up. */
const inASweep = 1_000;

export interface RestoreReport {
  /** Null when an earlier run left them out. */
  skipped: SkippedSerials[] | null;
  /** Number of payments whose orders are in the database. */
  found: number;
  /** Payments whose orders are not in the restored database. */
  lost: UnrecordedPayment[];
  refunds: number;
  cancellations: CancellationId[];
  orders: VendorFollowUp[];
}

/**
 * Recovers the store. Repeatable: a second run keeps the results of the first, and asks the providers again about the rest.
 * @param restoredTo the moment to which the database was restored
 * @throws DomainError conflict while a worker runs
 * @throws ProviderError when a payment provider does not respond
 */
export async function afterRestore(
  context: Context,
  restoredTo: Date,
  by: AuditContext,
  now = new Date(),
): Promise<RestoreReport> {
  const { db, env } = context;
  if (await hasLiveWorker(db, silentAfterMs(env.HEARTBEAT_MS)))
    throw new DomainError("conflict", "A worker is still running. Stop all store processes first.");
  const gap = await fetchUnrecordedMoney(context, restoredTo, now);
  // Before any document is issued.
  const skipped = await skipNumbers(context, gap, { restoredTo, by: by.by, now });
  const stopped = await stopRefunded(context, gap);
  const sweeps = Math.ceil((await makeAllLookupsDue(db)) / inASweep);
  for (let sweep = 0; sweep < sweeps; sweep += 1) await sweepPayments(context);
  const lost = await settleUnrecordedPayments(context, gap.payments);
  await recordUnrecordedRefunds(context, gap.refunds);
  await tellOf(context, lost);
  await stopUnfinishedOrders(context, by);
  return {
    skipped,
    found: gap.payments.length - lost.length,
    lost,
    refunds: gap.refunds.length,
    cancellations: stopped,
    orders: await resumeByVendorState(context, by),
  };
}

/** Stops cancellations whose money was refunded since: the job would refund it again, so a person ends them. */
async function stopRefunded({ db }: Context, gap: UnrecordedMoney): Promise<CancellationId[]> {
  const stopped: CancellationId[] = [];
  for (const { provider, providerPaymentId } of gap.refunds) {
    const received = await findReportedPayment(db, { provider, providerPaymentId });
    if (received === null) continue;
    for (const id of await listOpenCancellationsOf(db, received)) {
      if (stopped.includes(id)) continue;
      const cancellation = await getCancellation(db, id);
      await db.transaction().execute(async (trx) => {
        const lastError = "The database was restored, and money of its order has gone back since";
        await updateCancellation(trx, cancellation, { needsPerson: true, lastError });
        await removeJob(trx, cancellationJob(id));
      });
      stopped.push(id);
    }
  }
  return stopped;
}

/** Alerts the operator once for each payment. */
async function tellOf({ db }: Context, lost: readonly UnrecordedPayment[]): Promise<void> {
  for (const { provider, id, amountMinor, currency } of lost)
    await db.transaction().execute((trx) =>
      queueOperatorAlert(trx, {
        dedupeKey: `forgotten-payment:${id}`,
        orderId: null,
        what: `The payment ${id} (${amountMinor / 100} ${currency}) was made for an order that isn't in the restored database.`,
        toDo: [
          `Find its buyer at ${paymentProviders[provider].name}, and check with the vendor whether the order was fulfilled.`,
          "Refund it there, or recreate the order with the buyer and keep the payment.",
        ],
      }),
    );
}
