/** Dashboards and alerts use existing series, each alert has a runbook, and the document lists exactly the existing series. */
import fc from "fast-check";
import { collectDefaultMetrics, Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { labelOf, processRegistry } from "#server/integrations/metrics/process-metrics.ts";
import { storeRegistry } from "#server/integrations/metrics/store-metrics.ts";
import { type Counted, cumulative } from "#server/operations/monitoring/cumulative.ts";
import { alertRules, anchorsOf, dashboardExpressions, read, seriesIn } from "#tests/support/metrics.ts";

/** Series that Prometheus itself adds for each target. */
const ofPrometheus = ["up"];

function defaultNames(): string[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry.getMetricsAsArray().map(({ name }) => name);
}

const own = [...processRegistry.getMetricsAsArray(), ...storeRegistry.getMetricsAsArray()].map(
  ({ name }) => name,
);
const all = [...own, ...defaultNames(), ...ofPrometheus];

test("exports every series of the dashboard and of the alerts", () => {
  const named = [...dashboardExpressions(), ...alertRules().map(({ expression }) => expression)].flatMap(
    seriesIn,
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !all.includes(name))).toEqual([]);
});

test("finds series in an expression, and ignores functions and labels", () => {
  expect(seriesIn('sum by (le) (rate(gone_seconds_bucket{a="b"}[5m])) / on(x) max(up) > 0')).toEqual([
    "gone_seconds",
    "up",
  ]);
});

test("links each alert to a heading of the runbooks", () => {
  const rules = alertRules();
  expect(rules.length).toBeGreaterThan(15);
  const anchors = anchorsOf("runbooks.md");
  const lost = rules.filter(
    ({ runbook }) => !anchors.some((anchor) => runbook === `docs/operate/runbooks.md#${anchor}`),
  );
  expect(lost).toEqual([]);
  expect(rules.filter(({ expression }) => expression === "")).toEqual([]);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

test("documents exactly the series of the store", () => {
  const rows = [...read("metrics.md").matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) +\|/gm)];
  const documented = rows.flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
  );
  expect(documented.toSorted()).toEqual(own.toSorted());
});

describe("a label with an external value", () => {
  test("takes one of at most 60 values of its kind, all plain words", () => {
    const made = Array.from({ length: 100 }, (_, index) => labelOf("test", `event.${index}`));
    expect(new Set(made).size).toBe(61);
    expect(made.at(-1)).toBe("other");
    expect(labelOf("test", "event.3")).toBe("event.3");
    for (const text of ["asha@example.com", "a b", "", '"}', "x".repeat(61), null])
      expect(labelOf("test 2", text)).toBe("other");
  });
});

test("counts all rows, however late rows commit and whenever it is read", async () => {
  const minute = 60_000;
  const row = fc.record({ at: fc.integer({ min: 0, max: 1_000 }), late: fc.integer({ min: 0, max: 14 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.array(fc.integer({ min: 0, max: 1_100 })), async (rows, asks) => {
      let now = 0;
      const readSpans: { from: Date | null; until: Date | null }[] = [];
      const total = cumulative(
        async ({ from, until }): Promise<Counted<"kind">[]> => {
          readSpans.push({ from, until });
          // A row is visible once its transaction has committed, up to 14 minutes after its own time.
          const seen = rows.filter(({ at, late }) => at + late <= now);
          const within = seen.filter(
            ({ at }) =>
              (from === null || at * minute >= from.getTime()) &&
              (until === null || at * minute < until.getTime()),
          );
          return within.map(() => ({ labels: { kind: "row" }, amount: 1 }));
        },
        { now: () => new Date(now * minute) },
      );
      for (const ask of asks.toSorted((one, other) => one - other)) {
        now = ask;
        const [counted] = await total();
        expect(counted?.amount ?? 0).toBe(rows.filter(({ at, late }) => at + late <= now).length);
      }
      // Only one query reads the whole past.
      expect(readSpans.filter(({ from }) => from === null).length).toBeLessThanOrEqual(1);
    }),
  );
});
