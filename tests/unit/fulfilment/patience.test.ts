import fc from "fast-check";
import { expect, test } from "vitest";
import type { Met } from "#db/fulfilments.ts";
import { googleRefusals } from "#server/families/google/refusals.ts";
import { microsoftRefusals } from "#server/families/microsoft/refusals.ts";
import type { Patience } from "#server/families/refusals.ts";
import { inMilliseconds, meet } from "#server/fulfilment/patience.ts";

const table = [...microsoftRefusals, ...googleRefusals].flatMap(({ name, verdict }) =>
  verdict.class === "passes" ? [{ name, patience: verdict.patience }] : [],
);

const positive = fc.integer({ min: 1, max: 100_000 });
const patienceOfAny = fc
  .record({ waits: fc.array(positive, { minLength: 1, maxLength: 8 }), lasts: positive })
  .map(({ waits, lasts }): Patience => {
    const [first = 1, ...more] = waits.toSorted((one, other) => one - other);
    return { waits: [first, ...more], lasts };
  });
const anyPatience = fc.oneof(patienceOfAny, fc.constantFrom(...table.map(({ patience }) => patience)));
const anyBase = fc.integer({ min: 1, max: 60_000 });

/** The waits of an order that meets one refusal until its patience is over, each try late by so much. */
function waitsOf(
  patience: Patience,
  retryBaseMs: number,
  asked: readonly number[],
  lateMs: number,
): number[] {
  const waits: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  let met: Met | undefined;
  // More tries than any patience here has.
  for (let each = 0; each < 5_000; each += 1) {
    const next = meet(patience, met, new Date(now), { retryBaseMs, askedMs: asked[each] ?? 0 });
    if (next.waitMs === null) return waits;
    met = next.met;
    waits.push(next.waitMs);
    now += Math.ceil(next.waitMs) + lateMs;
  }
  throw new Error("The tries do not end");
}

test("is retried at least once, with waits that never shrink but for the last, until its time is over", () => {
  fc.assert(
    fc.property(anyPatience, anyBase, (patience, retryBaseMs) => {
      fc.pre(patience.lasts / patience.waits[0] < 2_000);
      const waits = waitsOf(patience, retryBaseMs, [], 0);
      expect(waits.length).toBeGreaterThan(0);
      const all = waits.reduce((sum, wait) => sum + wait, 0);
      const lastsMs = inMilliseconds(patience.lasts, retryBaseMs);
      // Each wait is at most a millisecond longer than asked for here, where time is whole milliseconds.
      expect(all).toBeLessThanOrEqual(lastsMs + 1);
      expect(all).toBeGreaterThan(lastsMs - waits.length - 1);
      const whole = waits.slice(0, -1);
      expect(whole).toEqual(whole.toSorted((one, other) => one - other));
      expect(whole[0] ?? waits[0]).toBeLessThanOrEqual(inMilliseconds(patience.waits[0], retryBaseMs));
    }),
  );
});

test("never sooner than the vendor asks for, and no longer than its patience but for that", () => {
  fc.assert(
    fc.property(
      anyPatience,
      anyBase,
      fc.array(fc.integer({ min: 0, max: 7_200_000 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 500 }),
      (patience, retryBaseMs, asked, lateMs) => {
        fc.pre(patience.lasts / patience.waits[0] < 2_000);
        const waits = waitsOf(patience, retryBaseMs, asked, lateMs);
        for (const [index, wait] of waits.entries()) {
          expect(wait).toBeGreaterThanOrEqual(asked[index] ?? 0);
          expect(wait).toBeLessThanOrEqual(
            Math.max(asked[index] ?? 0, inMilliseconds(patience.lasts, retryBaseMs)),
          );
        }
      },
    ),
  );
});

test("two troubles that alternate come to an end, and one that comes back after its time begins anew", () => {
  const patience: Patience = { waits: [60], lasts: 7_200 };
  const options = { retryBaseMs: 5_000, askedMs: 0 };
  const begun = new Date("2026-01-01T10:00:00Z");
  const at = (seconds: number) => new Date(begun.getTime() + seconds * 1_000);
  const { met } = meet(patience, undefined, begun, options);
  // In between the order met something else, for almost as long.
  expect(meet(patience, met, at(7_200), options)).toMatchObject({ met: { since: begun }, waitMs: null });
  expect(meet(patience, met, at(60 + 7_201), options)).toMatchObject({
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
])("%s: as promised in production", (name, first, hours) => {
  const patience = table.find((row) => row.name === name)?.patience;
  if (patience === undefined) throw new Error("There is no such row");
  const waits = waitsOf(patience, 5_000, [], 0);
  expect(waits.slice(0, first.length)).toEqual(first.map((seconds) => seconds * 1_000));
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(hours * 3_600_000);
});
