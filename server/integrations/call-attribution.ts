/**
 * Attributes provider calls to an order, so that its history can show them. A job sets it for its work; a request sets it once
 * the order has been opened. The callers pass nothing on.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { OrderId } from "#db/ids.ts";

/** Purpose of a call. */
export interface CallAttribution {
  orderId: OrderId;
  /** Number of the try, from 1. */
  attempt: number;
}

interface Work {
  orderId: OrderId | null;
  attempt: number;
}

const work = new AsyncLocalStorage<Work>();

/**
 * Runs work for an order. The order's history shows all calls within it.
 * @param attempt the order's own count, from 1; left out for the job's count
 */
export function forOrder<Result>(
  orderId: OrderId,
  run: () => Promise<Result>,
  attempt = work.getStore()?.attempt ?? 1,
): Promise<Result> {
  return work.run({ orderId, attempt }, run);
}

/** Runs a job's try, from 1. Its calls belong to no order until forOrder names one. */
export function runForAttempt<Result>(attempt: number, run: () => Promise<Result>): Promise<Result> {
  return work.run({ orderId: null, attempt }, run);
}

/** Begins a request. Work that the returned function runs shares the order that attributeToOrder names. */
export function createRequestScope(): <Result>(run: () => Result) => Result {
  const request: Work = { orderId: null, attempt: 1 };
  return (run) => work.run(request, run);
}

/** Attributes the rest of the request to this order. Has no effect outside of a request. */
export function attributeToOrder(orderId: OrderId): void {
  const current = work.getStore();
  if (current !== undefined) current.orderId = orderId;
}

/** Returns the purpose of the present calls; null for no particular order. */
export function purpose(): CallAttribution | null {
  const current = work.getStore();
  return current === undefined || current.orderId === null
    ? null
    : { orderId: current.orderId, attempt: current.attempt };
}
