/**
 * Which order the calls to providers are made for, so that they can be told in its story. A job says so for what it does; of a request
 * it is known once the order has been opened. Whoever makes a call passes nothing on.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { OrderId } from "#db/ids.ts";

/** What calls are made for. */
export interface CallAttribution {
  orderId: OrderId;
  /** Which try it is, from 1. */
  attempt: number;
}

interface Work {
  orderId: OrderId | null;
  attempt: number;
}

const work = new AsyncLocalStorage<Work>();

/**
 * Runs what is done for an order. All calls within are told in its story.
 * @param attempt the order's own count, from 1; left out for that of the job
 */
export function forOrder<Result>(
  orderId: OrderId,
  run: () => Promise<Result>,
  attempt = work.getStore()?.attempt ?? 1,
): Promise<Result> {
  return work.run({ orderId, attempt }, run);
}

/** Runs a job's try, from 1. Its calls are for no order until forOrder names one. */
export function runForAttempt<Result>(attempt: number, run: () => Promise<Result>): Promise<Result> {
  return work.run({ orderId: null, attempt }, run);
}

/** Begins a request. What the returned function runs shares the order that attributeToOrder names. */
export function createRequestScope(): <Result>(run: () => Result) => Result {
  const request: Work = { orderId: null, attempt: 1 };
  return (run) => work.run(request, run);
}

/** Says that from here on the request is about this order. Without effect where no request was begun. */
export function attributeToOrder(orderId: OrderId): void {
  const current = work.getStore();
  if (current !== undefined) current.orderId = orderId;
}

/** What calls are made for here; null for no order in particular. */
export function purpose(): CallAttribution | null {
  const current = work.getStore();
  return current === undefined || current.orderId === null
    ? null
    : { orderId: current.orderId, attempt: current.attempt };
}
