/**
 * Reads the series of the whole store (server/integrations/metrics/store-metrics.ts) from the database, at most once every few
 * seconds.
 */
import type { Counter } from "prom-client";
import {
  type Backlog,
  countCancellations,
  countJobs,
  countMoneyDifferences,
  countOpenOrders,
  countOrdersIn,
  countPaymentsIn,
  countRefundsIn,
  countRefusedMailsIn,
  countUnregisteredDocuments,
  countUnsettledPayments,
  countWaitingMails,
  lastEvents,
  nextDisputeDate,
  type OpenTimeRange,
  sumMoneyIn,
} from "#db/desk/store-stats.ts";
import { listPauses } from "#db/fulfilment/vendor-pauses.ts";
import { listCronRuns } from "#db/platform/cron-runs.ts";
import type { Db } from "#db/tables/index.ts";
import { consentedFamily, readConsentStatuses } from "#server/catalogue/partner-accounts/consent-status.ts";
import { countBelowFloor } from "#server/desk/vendor-catalogue/prices.ts";
import { labelOf, storeRead } from "#server/integrations/metrics/process-metrics.ts";
import { storeMetrics as series, storeRegistry } from "#server/integrations/metrics/store-metrics.ts";
import type { Context } from "#server/platform/context.ts";
import { type Counted, cumulative } from "./cumulative.ts";

const keptMs = 10_000;
/** Minor units of a rupee and of a dollar. */
const minorUnits = 100;
/** Writes a reading into the series. Reading and writing are separate, so that no half of a new reading is ever shown. */
type Write = () => void;

/**
 * @param db with its own connections, so that a busy store is still monitored
 * @returns a function that refreshes the store's series if they are old, and returns whether they are valid; it never throws
 */
export function createStoreReader(
  db: Db,
  { env, log }: Pick<Context, "env" | "log">,
): () => Promise<boolean> {
  const readTotals = [
    following(series.orders, async (span) =>
      (await countOrdersIn(db, span)).map(({ family, country, state, count }) => ({
        labels: { provider: family, country, state },
        amount: count,
      })),
    ),
    following(series.payments, async (span) =>
      (await countPaymentsIn(db, span)).map(({ method, result, count }) => ({
        labels: { method: labelOf("payment method", method), result },
        amount: count,
      })),
    ),
    following(series.refunds, async (span) =>
      (await countRefundsIn(db, span)).map(({ result, count }) => ({ labels: { result }, amount: count })),
    ),
    following(series.money, async (span) =>
      (await sumMoneyIn(db, span)).map(({ kind, currency, amountMinor }) => ({
        labels: { kind, currency: labelOf("currency", currency) },
        amount: amountMinor / minorUnits,
      })),
    ),
    following(series.refusedMails, async (span) => [
      { labels: {}, amount: await countRefusedMailsIn(db, span) },
    ]),
  ];
  let readAt = Number.NEGATIVE_INFINITY;
  let isRead = false;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const writes: Write[] = [];
      // In sequence, because all share one connection.
      for (const readTotal of readTotals) writes.push(await readTotal());
      writes.push(await readWaiting(db), await readProviders(db, env), await readPrices(db, env));
      storeRegistry.resetMetrics();
      for (const write of writes) write();
      isRead = true;
    } catch (error) {
      log.warn({ err: error }, "the figures of the store could not be read");
      isRead = false;
    }
    storeRead.set(isRead ? 1 : 0);
    readAt = performance.now();
  }

  return async () => {
    if (performance.now() - readAt >= keptMs) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
    return isRead;
  };
}

function following<Label extends string>(
  counter: Counter<Label>,
  read: (span: OpenTimeRange) => Promise<readonly Counted<Label>[]>,
): () => Promise<Write> {
  const total = cumulative(read);
  return async () => {
    const all = await total();
    return () => {
      for (const { labels, amount } of all) counter.inc(labels, amount);
    };
  };
}

/** Reads the items that wait now, for the store or for a person. */
async function readWaiting(db: Db): Promise<Write> {
  const orders = await countOpenOrders(db);
  const jobs = await countJobs(db);
  const payments = await countUnsettledPayments(db);
  const cancellations = await countCancellations(db);
  const documents = await countUnregisteredDocuments(db);
  const differences = await countMoneyDifferences(db);
  const mails = await countWaitingMails(db);
  const disputeDate = await nextDisputeDate(db);
  const clockJobs = await listCronRuns(db);
  return () => {
    for (const { family, country, state, count } of orders)
      series.openOrders.set({ provider: family, country, state }, count);
    const inWork = orders.filter(({ state }) => state === "queued" || state === "running");
    series.oldestFulfilment.set(oldestSeconds(inWork));

    for (const state of ["due", "later", "running", "failed"] as const) {
      const inState = jobs.filter((job) => job.state === state);
      series.jobs.set({ state }, sumOf(inState));
      series.fulfilmentJobs.set({ state }, sumOf(inState.filter(({ isFulfilment }) => isFulfilment)));
    }
    series.oldestJob.set(oldestSeconds(jobs.filter(({ state }) => state === "due")));
    for (const { name, succeededAt } of clockJobs)
      series.clockJobs.set({ job: name }, succeededAt.getTime() / 1000);

    for (const state of ["returned", "mismatch", "surplus"] as const)
      series.unsettledPayments.set({ state }, sumOf(payments.filter(({ status }) => status === state)));
    for (const state of ["pending", "failed"] as const)
      series.documents.set({ state }, sumOf(documents.filter((each) => each.state === state)));
    series.oldestDocument.set(oldestSeconds(documents));
    for (const { kind, count } of differences)
      series.unmatched.set({ kind: labelOf("difference", kind) }, count);
    series.disputeDue.set(disputeDate === null ? 0 : disputeDate.getTime() / 1000);
    series.mails.set(mails.count);
    series.oldestMail.set(oldestSeconds([mails]));

    const forPeople = {
      order: orders.filter(({ state }) => state === "needs_attention"),
      payment: payments.filter(({ status }) => status !== "returned"),
      cancellation: [cancellations],
      document: documents.filter(({ state }) => state === "failed"),
    };
    for (const [kind, rows] of Object.entries(forPeople)) series.needsAttention.set({ kind }, sumOf(rows));
  };
}

/** Reads the state of the accounts at providers. */
async function readProviders(db: Db, env: Context["env"]): Promise<Write> {
  const pauses = await listPauses(db);
  const standings = await readConsentStatuses({ db, env });
  const events = await lastEvents(db);
  return () => {
    for (const { family, country } of pauses) series.paused.set({ provider: family, country }, 1);
    for (const { country, consent } of standings)
      if (consent !== null)
        series.tokenAge.set({ provider: consentedFamily, country }, secondsSince(consent.obtainedAt));
    for (const { provider, at } of events) series.lastWebhook.set({ provider }, at.getTime() / 1000);
  };
}

/** Reads the margins of prices over their costs. */
async function readPrices(db: Db, env: Context["env"]): Promise<Write> {
  const count = await countBelowFloor({ db, env });
  return () => series.lowMargins.set(count);
}

function sumOf(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function oldestSeconds(rows: readonly Pick<Backlog, "since">[]): number {
  const ages = rows.flatMap(({ since }) => (since === null ? [] : [secondsSince(since)]));
  return Math.max(0, ...ages);
}

function secondsSince(moment: Date): number {
  return Math.max(0, (Date.now() - moment.getTime()) / 1000);
}
