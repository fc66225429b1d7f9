import fc from "fast-check";
import { expect, test } from "vitest";
import type { EncounteredError } from "#db/fulfilment/fulfilments.ts";
import type { RetryPolicy } from "#server/catalogue/families/error-policies.ts";
import { googleErrorRules } from "#server/catalogue/families/google/error-rules.ts";
import { microsoftRefusals } from "#server/catalogue/families/microsoft/refusals.ts";
import { nextAttempt, scaledMs } from "#server/fulfilment/retry-schedule.ts";

const table = [...microsoftRefusals, ...googleErrorRules].flatMap(({ name, verdict }) =>
  verdict.action === "retry" ? [{ name, retryPolicy: verdict.retry }] : [],
);

const positive = fc.integer({ min: 1, max: 100_000 });
const arbitraryPolicy = fc
  .record({ waits: fc.array(positive, { minLength: 1, maxLength: 8 }), lasts: positive })
  .map(({ waits, lasts }): RetryPolicy => {
    const [first = 1, ...more] = waits.toSorted((one, other) => one - other);
    return { waits: [first, ...more], lasts };
  });
const anyPolicy = fc.oneof(arbitraryPolicy, fc.constantFrom(...table.map(({ retryPolicy }) => retryPolicy)));
const anyBase = fc.integer({ min: 1, max: 60_000 });

/** Lists the waits of an order that meets one refusal until the policy gives up, each attempt `lateMs` late. */
function waitsOf(
  retryPolicy: RetryPolicy,
  retryBaseMs: number,
  requested: readonly number[],
  lateMs: number,
): number[] {
  const waits: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  let met: EncounteredError | undefined;
  // More attempts than any policy here makes.
  for (let each = 0; each < 5_000; each += 1) {
    const next = nextAttempt(retryPolicy, met, new Date(now), {
      retryBaseMs,
      retryAfterMs: requested[each] ?? 0,
    });
    if (next.waitMs === null) return waits;
    met = next.met;
    waits.push(next.waitMs);
    now += Math.ceil(next.waitMs) + lateMs;
  }
  throw new Error("Expected the attempts to end");
}

test("retries at least once, with growing waits, until the policy's time is over", () => {
  fc.assert(
    fc.property(anyPolicy, anyBase, (retryPolicy, retryBaseMs) => {
      fc.pre(retryPolicy.lasts / retryPolicy.waits[0] < 2_000);
      const waits = waitsOf(retryPolicy, retryBaseMs, [], 0);
      expect(waits.length).toBeGreaterThan(0);
      const all = waits.reduce((sum, wait) => sum + wait, 0);
      const lastsMs = scaledMs(retryPolicy.lasts, retryBaseMs);
      // Times are whole milliseconds here, so each wait is up to a millisecond longer.
      expect(all).toBeLessThanOrEqual(lastsMs + 1);
      expect(all).toBeGreaterThan(lastsMs - waits.length - 1);
      const whole = waits.slice(0, -1);
      expect(whole).toEqual(whole.toSorted((one, other) => one - other));
      expect(whole[0] ?? waits[0]).toBeLessThanOrEqual(scaledMs(retryPolicy.waits[0], retryBaseMs));
    }),
  );
});

test("waits at least as long as the vendor requests, and otherwise within its policy", () => {
  fc.assert(
    fc.property(
      anyPolicy,
      anyBase,
      fc.array(fc.integer({ min: 0, max: 7_200_000 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 500 }),
      (retryPolicy, retryBaseMs, requested, lateMs) => {
        fc.pre(retryPolicy.lasts / retryPolicy.waits[0] < 2_000);
        const waits = waitsOf(retryPolicy, retryBaseMs, requested, lateMs);
        for (const [index, wait] of waits.entries()) {
          expect(wait).toBeGreaterThanOrEqual(requested[index] ?? 0);
          expect(wait).toBeLessThanOrEqual(
            Math.max(requested[index] ?? 0, scaledMs(retryPolicy.lasts, retryBaseMs)),
          );
        }
      },
    ),
  );
});

test("gives up on alternating refusals, and restarts one that returns after its time", () => {
  const retryPolicy: RetryPolicy = { waits: [60], lasts: 7_200 };
  const options = { retryBaseMs: 5_000, retryAfterMs: 0 };
  const begun = new Date("2026-01-01T10:00:00Z");
  const at = (seconds: number) => new Date(begun.getTime() + seconds * 1_000);
  const { met } = nextAttempt(retryPolicy, undefined, begun, options);
  // Between these, the order met another refusal for almost as long.
  expect(nextAttempt(retryPolicy, met, at(7_200), options)).toMatchObject({
    met: { since: begun },
    waitMs: null,
  });
  expect(nextAttempt(retryPolicy, met, at(60 + 7_201), options)).toMatchObject({
    met: { since: at(60 + 7_201), times: 1 },
    waitMs: 60_000,
  });
});

test.each([
  ["new tenant", [15, 30, 60, 120, 300, 300], 2],
  ["order on its way", [30, 60, 120, 300, 300], 0.25],
  ["busy", [60, 120, 300, 900, 900], 6],
  ["operation pending", [3_600, 3_600], 26],
  ["under review", [21_600, 21_600], 168],
  ["stale etag", [5, 5, 5], 15 / 3_600],
])("%s: follows the promised schedule in production", (name, first, hours) => {
  const retryPolicy = table.find((row) => row.name === name)?.retryPolicy;
  if (retryPolicy === undefined) throw new Error("Expected a rule with this name");
  const waits = waitsOf(retryPolicy, 5_000, [], 0);
  expect(waits.slice(0, first.length)).toEqual(first.map((seconds) => seconds * 1_000));
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(hours * 3_600_000);
});
