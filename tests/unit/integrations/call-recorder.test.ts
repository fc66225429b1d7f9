/** Recording a provider call never delays that call and never fails it. */
import { expect, test } from "vitest";
import { newId, type OrderId } from "#db/ids.ts";
import type { RecordedCall } from "#db/platform/provider-calls.ts";
import {
  attributeToOrder,
  createRequestScope,
  forOrder,
  purpose,
  runForAttempt,
} from "#server/integrations/call-attribution.ts";
import { createCallRecorder } from "#server/integrations/call-recorder.ts";

const call = {
  provider: "microsoft",
  method: "POST",
  path: "/v1/customers",
  status: 201,
  ms: 12,
  requestId: "r1",
} as const;
const orderId = newId<OrderId>();
const taken = (recorder: ReturnType<typeof createCallRecorder>, times = 1) =>
  forOrder(orderId, async () => {
    for (let made = 0; made < times; made += 1) recorder.take(call);
  });

test("stores a call of an order with its attempt, and no other call", async () => {
  const kept: RecordedCall[] = [];
  const recorder = createCallRecorder(
    async (calls) => void kept.push(...calls),
    () => undefined,
  );
  recorder.take(call);
  await runForAttempt(3, async () => {
    recorder.take(call);
    await taken(recorder);
  });
  await recorder.settled();
  expect(kept).toEqual([{ ...call, orderId, attempt: 3, answer: null, at: expect.any(Date) }]);
});

test("loses only the records that the database refused", async () => {
  const lost: number[] = [];
  let isBroken = true;
  const kept: RecordedCall[] = [];
  const recorder = createCallRecorder(
    async (calls) => {
      if (isBroken) throw new Error("The database is gone");
      kept.push(...calls);
    },
    (count) => void lost.push(count),
  );
  await taken(recorder);
  await recorder.settled();
  expect(lost).toEqual([1]);
  isBroken = false;
  await taken(recorder);
  await recorder.settled();
  expect(kept).toHaveLength(1);
});

test("queues a limited number of records while the database does not respond", async () => {
  let answer = () => {};
  const lost: number[] = [];
  let kept = 0;
  const recorder = createCallRecorder(
    async (calls) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
        if (kept > 0) resolve();
      });
      kept += calls.length;
    },
    (count) => void lost.push(count),
  );
  // Resolves although nothing is written yet.
  await taken(recorder, 700);
  expect(kept).toBe(0);
  answer();
  await recorder.settled();
  expect(kept + (lost[0] ?? 0)).toBe(700);
  expect(lost).toEqual([199]);
});

test("attributes calls to the order of their request, apart from concurrent requests", async () => {
  const one = createRequestScope();
  const other = createRequestScope();
  await one(async () => attributeToOrder(orderId));
  await Promise.all([
    one(async () => expect(purpose()).toEqual({ orderId, attempt: 1 })),
    other(async () => expect(purpose()).toBeNull()),
  ]);
  attributeToOrder(orderId);
  expect(purpose()).toBeNull();
});
