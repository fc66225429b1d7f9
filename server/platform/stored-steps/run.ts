/**
 * A run is one worker's turn at the stored steps of an order. Only the newest run counts: a worker that was presumed dead and
 * wakes up starts no more steps and stores no result of the steps it has started. Its call may have arrived, so the next run
 * finds the step in doubt.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { OrderId, RunId } from "#db/ids.ts";
import { deleteRun, insertRun, lockRun } from "#db/orders/order-runs.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/platform/context.ts";

/** Thrown when another run works on the order by now. Nothing is left to do for this one. */
export class RunSupersededError extends Error {
  constructor(orderId: OrderId) {
    super(`Another worker has taken over the order ${orderId}`);
  }
}

/** One run of an order. */
export interface Run {
  orderId: OrderId;
  run: RunId;
}

const running = new AsyncLocalStorage<Run>();

/** Begins a run, which takes the order over from any other. @param trx holds a lock by which one run begins at a time */
export async function beginRun(trx: Trx, orderId: OrderId): Promise<Run> {
  return { orderId, run: await insertRun(trx, orderId) };
}

/** Executes a run's work. When another run has taken the order over, it ends without an error. */
export async function executeRun({ log }: Context, run: Run, work: () => Promise<void>): Promise<void> {
  try {
    await running.run(run, work);
  } catch (error) {
    if (!(error instanceof RunSupersededError)) throw error;
    log.info({ orderId: run.orderId }, "another worker has taken this order over");
  }
}

/** Keeps the transaction's writes only if this run is the order's newest. @throws RunSupersededError */
export async function requireRun(trx: Trx, orderId: OrderId): Promise<void> {
  if (!(await lockRun(trx, orderId, runOf(orderId)))) throw new RunSupersededError(orderId);
}

/** Ends the run in the transaction of its last writes. @throws RunSupersededError when it is not the order's newest */
export async function endRun(trx: Trx, orderId: OrderId): Promise<void> {
  if (!(await deleteRun(trx, orderId, runOf(orderId)))) throw new RunSupersededError(orderId);
}

function runOf(orderId: OrderId): RunId {
  const current = running.getStore();
  if (current?.orderId !== orderId) throw new RangeError(`No run of the order ${orderId} has begun here`);
  return current.run;
}
