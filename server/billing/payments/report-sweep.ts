/**
 * Lists recent refunds and disputes at the payment providers, so that a lost webhook delays a credit note by an hour at most,
 * and retries the events that wait for their payment. Each run begins a little before the last successful one.
 */

import type { ProviderAccount } from "#db/billing/payment-keys.ts";
import { findCronRun } from "#db/platform/cron-runs.ts";
import { listWaitingEvents } from "#db/platform/provider-events.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { applyDisputeReport } from "./dispute-reports.ts";
import { applyRefundReport } from "./refund-reports.ts";
import { paymentProviderIds, paymentProviders } from "./registry.ts";
import { handleProviderEvent } from "./webhook.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Period of the first run. */
const firstLookMs = 7 * dayMs;
/** Overlap with the last run, because a provider may list a refund a little late. */
const overlapMs = 2 * hourMs;
/** Disputes change for months after they begin, and are few. */
const disputesMs = 180 * dayMs;
/** Time for which an event is retried. After that it is shown in Desk, and a payment that is settled later still uses it. */
export const waitsMs = dayMs;
const maxEvents = 500;

/**
 * Runs the sweep. @returns how many refunds and disputes the providers listed
 * @throws ProviderError after all accounts were read, when one failed; the next run then covers the same period
 */
export async function sweepReports(context: Context, now = new Date()): Promise<number> {
  const last = await findCronRun(context.db, "sweep-reports");
  const from = new Date((last === null ? now.getTime() - firstLookMs : last.getTime()) - overlapMs);
  const disputesFrom = new Date(now.getTime() - disputesMs);
  let listed = 0;
  let failure: ProviderError | null = null;
  for (const provider of paymentProviderIds) {
    for (const account of paymentProviders[provider].accounts(context.env)) {
      try {
        listed += await readAccount(context, { provider, account }, { from, disputesFrom, to: now });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        context.log.warn({ err: error, provider, account }, "refunds and disputes could not be listed");
        failure = error;
      }
    }
  }
  await tryWaitingEvents(context, now);
  if (failure !== null) throw failure;
  return listed;
}

async function readAccount(
  context: Context,
  at: ProviderAccount,
  { from, disputesFrom, to }: { from: Date; disputesFrom: Date; to: Date },
): Promise<number> {
  const { listRefundsBetween, listDisputesBetween } = paymentProviders[at.provider];
  const refunds = (await listRefundsBetween?.(context, at.account, { from, to })) ?? [];
  for (const report of refunds) await applyRefundReport(context, at, report);
  const disputes = await unlessRefused(context, async () => {
    return (await listDisputesBetween?.(context, at.account, { from: disputesFrom, to })) ?? [];
  });
  for (const report of disputes) await applyDisputeReport(context, at, report);
  return refunds.length + disputes.length;
}

/** A provider may list disputes in some countries only (docs/providers.md, section 3.3). */
async function unlessRefused<Item>(context: Context, list: () => Promise<Item[]>): Promise<Item[]> {
  try {
    return await list();
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === "refused")) throw error;
    context.log.info({ err: error }, "an account does not list disputes");
    return [];
  }
}

async function tryWaitingEvents(context: Context, now: Date): Promise<void> {
  const since = new Date(now.getTime() - waitsMs);
  for (const key of await listWaitingEvents(context.db, { since, limit: maxEvents })) {
    try {
      await handleProviderEvent(context, key);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, eventId: key.eventId }, "an event that waits could not be tried again");
    }
  }
}
