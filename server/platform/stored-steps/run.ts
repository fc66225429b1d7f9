/**
 * A run is one worker's go at the stored steps of an order. The last to begin counts: a worker that was taken for dead and wakes up begins
 * no more steps, and stores nothing of those that it has begun. Its call may have been heard, so the step is in doubt for the next.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { OrderId, RunId } from "#db/ids.ts";
import { deleteRun, insertRun, lockRun } from "#db/orders/order-runs.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/platform/context.ts";

/** Another run works on the order by now. Nothing is left to do for this one. */
export class RunSupersededError extends Error {
  constructor(orderId: OrderId) {
    super(`Another worker has taken over the order ${orderId}`);
  }
}

/** Of an order. */
export interface Run {
  orderId: OrderId;
  run: RunId;
}

const running = new AsyncLocalStorage<Run>();

/** Begins a run, which takes the order over from any other. @param trx holds a lock by which one run begins at a time */
export async function beginRun(trx: Trx, orderId: OrderId): Promise<Run> {
  return { orderId, run: await insertRun(trx, orderId) };
}

/** Does a run's work. When another run has taken the order over, it ends there, without a fault. */
export async function executeRun({ log }: Context, run: Run, work: () => Promise<void>): Promise<void> {
  try {
    await running.run(run, work);
  } catch (error) {
    if (!(error instanceof RunSupersededError)) throw error;
    log.info({ orderId: run.orderId }, "another worker has taken this order over");
  }
}

/** What the transaction writes is kept only if this run is the order's last. @throws TakenOver */
export async function requireRun(trx: Trx, orderId: OrderId): Promise<void> {
  if (!(await lockRun(trx, orderId, runOf(orderId)))) throw new RunSupersededError(orderId);
}

/** Ends the run with what the transaction writes. @throws TakenOver when it is not the order's last */
export async function endRun(trx: Trx, orderId: OrderId): Promise<void> {
  if (!(await deleteRun(trx, orderId, runOf(orderId)))) throw new RunSupersededError(orderId);
}

function runOf(orderId: OrderId): RunId {
  const current = running.getStore();
  if (current?.orderId !== orderId) throw new RangeError(`No run of the order ${orderId} has begun here`);
  return current.run;
}
