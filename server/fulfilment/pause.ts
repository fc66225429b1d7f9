/**
 * The pause of a vendor that accepts nothing from our partner account, for example because the token is revoked or the credit
 * line is used up. The operator gets one alert. Orders of that account are parked without using up tries; when a probe
 * succeeds, one order is tried, and when the vendor accepts it, the others follow in the order of payment.
 */

import {
  deletePause,
  findPause,
  findTrialOrder,
  insertPause,
  isInProgress,
  markTrialStarted,
  parkFulfilment,
  readPauseLocked,
  readPauseShared,
  releaseParked,
  setTrial,
  type VendorPause,
} from "#db/fulfilment/vendor-pauses.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOperatorVendorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { orderNumber } from "#server/orders/number.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import { withNote } from "./buyer-notes.ts";
import { queueFulfilment } from "./queue.ts";
import { scaledMs } from "./retry-schedule.ts";

export const probeEverySeconds = 120;

/**
 * Parks the order if its vendor is paused. The pause cannot end before the transaction does, so no order is left behind.
 * @returns true when it is parked
 */
export async function parkIfPaused(trx: Trx, order: Order): Promise<boolean> {
  const account = accountOf(order);
  const pause = account === null ? null : await readPauseShared(trx, account);
  if (pause === null || pause.trialOrderId === order.id) return false;
  await hold(trx, order, pause.account);
  return true;
}

/** Whether the vendor is paused. */
export async function isPaused(db: Db, sold: Pick<Order, "family" | "country">): Promise<boolean> {
  const account = accountOf(sold);
  return account !== null && (await findPause(db, account)) !== null;
}

/** Parks an order whose refusal applies to all orders of the account, and begins the pause if there is none. */
export async function pauseVendor(
  { env }: Context,
  trx: Trx,
  order: Order,
  { described, meaning }: { described: string; meaning: string | null },
): Promise<void> {
  const account = accountOf(order);
  if (account === null) throw new RangeError("A family without a vendor has none that could be out");
  const isNew = await beginPause(env, trx, order, {
    reason: [described, meaning].filter((part) => part !== null).join(" — "),
    metBy: `Met first by order ${orderNumber(order)}.`,
    dedupeKey: `vendor-paused:${order.id}:${order.version}`,
  });
  if (!isNew) {
    const pause = await readPauseLocked(trx, account);
    if (pause?.trialOrderId === order.id) await setTrial(trx, account, null);
  }
  await hold(trx, order, account);
}

/**
 * Begins a vendor's pause if there is none, alerts the operator and queues the first probe.
 * @returns true when this call began it
 */
export async function beginPause(
  { RETRY_BASE_MS }: Pick<Env, "RETRY_BASE_MS">,
  trx: Trx,
  { family, country }: Pick<Order, "family" | "country">,
  { reason, metBy, dedupeKey }: { reason: string; metBy: string; dedupeKey: string },
): Promise<boolean> {
  const account = accountOf({ family, country });
  if (account === null) throw new RangeError("A family without a vendor has none that could be out");
  if (!(await insertPause(trx, { account, family, country, reason }))) return false;
  await queueOperatorVendorAlert(trx, {
    dedupeKey,
    subject: `${nameOf({ family, country })} isn't accepting our orders: orders are on hold`,
    what: reason,
    toDo: [
      `${metBy} It and all later orders for ${account} are on hold. Buyers see that their order will continue automatically.`,
      `Fix the cause: see "A vendor is paused" in docs/operate/runbooks.md. The store checks every few minutes and continues automatically once orders are accepted.`,
      "See the orders on hold in Desk, under Vendors.",
    ],
  });
  await queueProbe(trx, account, nextProbeMs(RETRY_BASE_MS));
  return true;
}

async function hold(trx: Trx, order: Order, account: string): Promise<void> {
  await parkFulfilment(trx, order.id, account);
  // Replaces "this may take a minute".
  const note = msg("families.paused", { family: families[order.family].label });
  await moveOrder(trx, order, { fulfilmentStatus: "queued", ...withNote(order, note) });
}

/** Runs the job: probes whether the vendor accepts orders again, and if so tries one. */
export async function probeVendor(context: Context, account: string): Promise<void> {
  const { db, env, log } = context;
  const found = await findPause(db, account);
  if (found === null) return;
  const answers = found.trialOrderId !== null || (await isWell(context, found));
  await db.transaction().execute(async (trx) => {
    const pause = await readPauseLocked(trx, account);
    if (pause === null) return;
    if (answers && (await tryOne(trx, pause)) === "over") {
      log.info({ account }, "a vendor's pause is over");
      return;
    }
    await queueProbe(trx, account, nextProbeMs(env.RETRY_BASE_MS));
  });
}

/**
 * Probes a paused vendor immediately instead of at the next interval.
 * @throws DomainError not_found for an account that is not paused
 */
export async function requestProbe(
  db: Db,
  account: string,
  { by, reason, staffId }: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const pause = await readPauseLocked(trx, account);
    if (pause === null) throw new DomainError("not_found", "This vendor is not paused.");
    await queueProbe(trx, account, 0);
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "vendor.probe",
      subject: `vendor:${account}`,
      data: { by, reason, pause: pause.reason, since: pause.since.toISOString() },
    });
  });
}

async function isWell(context: Context, { account, family, country }: VendorPause): Promise<boolean> {
  try {
    await families[family].vendor?.probe(context, country);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.info({ account, reason: error.message }, "a vendor is still out");
    return false;
  }
}

/** Tries one parked order. @returns "over" when no order is parked, or the tried one has left fulfilment */
async function tryOne(trx: Trx, pause: VendorPause): Promise<"over" | "tried"> {
  const { account, trialOrderId } = pause;
  if (trialOrderId !== null && (await isInProgress(trx, trialOrderId))) return "tried";
  const next = trialOrderId === null ? await findTrialOrder(trx, account) : null;
  if (next === null) {
    await endPause(trx, pause);
    return "over";
  }
  await setTrial(trx, account, next);
  await markTrialStarted(trx, next);
  await queueFulfilment(trx, next);
  return "tried";
}

/** Ends the pause if this order was its trial. Called after any response of the vendor that is not a refusal of all orders. */
export async function concludeTrial({ db, log }: Context, order: Order): Promise<void> {
  const account = accountOf(order);
  if (account === null || (await findPause(db, account))?.trialOrderId !== order.id) return;
  await db.transaction().execute(async (trx) => {
    const pause = await readPauseLocked(trx, account);
    if (pause?.trialOrderId !== order.id) return;
    await endPause(trx, pause);
    log.info({ account }, "a vendor's pause is over");
  });
}

async function endPause(trx: Trx, pause: VendorPause): Promise<void> {
  const { account, since } = pause;
  await deletePause(trx, account);
  const waiting = await releaseParked(trx, account);
  // A millisecond apart, because the queue runs jobs that are due at the same time in any order.
  for (const [index, orderId] of waiting.entries()) await queueFulfilment(trx, orderId, index);
  await queueOperatorVendorAlert(trx, {
    dedupeKey: `vendor-resumed:${account}:${since.toISOString()}`,
    subject: `${nameOf(pause)} is accepting orders again`,
    what: `The pause since ${since.toISOString()} is over. ${waiting.length} ${waiting.length === 1 ? "order continues" : "orders continue"} now, in the order they were paid.`,
  });
}

const nextProbeMs = (retryBaseMs: number) => scaledMs(probeEverySeconds, retryBaseMs);

async function queueProbe(trx: Trx, account: string, delayMs: number): Promise<void> {
  await addJob(trx, "probe-vendor", { account }, { jobKey: `probe:${account}`, delayMs });
}

function accountOf({ family, country }: Pick<Order, "family" | "country">): string | null {
  return families[family].vendor?.accountOf(country) ?? null;
}

function nameOf({ family, country }: Pick<Order, "family" | "country">): string {
  return `${families[family].label} (${countries[country].name})`;
}
