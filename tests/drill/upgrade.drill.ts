/**
 * The previous release is replaced by this one under traffic (`npm run test:drill -- upgrade`): the database is migrated, then
 * the webs and then the workers are stopped by SIGTERM one by one and started from the new build, as in docs/operate/upgrade.md.
 * No request fails, and every purchase is fulfilled once, regardless of which release handled each step.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { runCommand } from "#tests/support/command.ts";
// For the type of the value from the global set-up.
import type {} from "#tests/support/database-server.ts";
import { drillSeed, reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { postgresPrograms, startOwnPostgres } from "#tests/support/own-postgres.ts";
import { buildPreviousRelease, type PreviousRelease } from "#tests/support/previous-release.ts";
import { makeJobsDue } from "#tests/support/queue.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { until } from "#tests/support/until.ts";
import { readBooks } from "./ledger.ts";
import { kinds, planOf, purchase } from "./purchases.ts";

const buyersAtOnce = 4;
/** Milliseconds of traffic before the upgrade, between its steps, and after it. */
const phaseMs = 4_000;
/** Minimum number of purchases: each kind twice. */
const least = 2 * kinds.length;

const given = inject("databaseTemplate");
const hasServer = given.kind === "server" || postgresPrograms() !== undefined;

const cleanUps: (() => Promise<unknown>)[] = [];
let previous: PreviousRelease;
let fleet: Fleet;
beforeAll(async () => {
  if (!hasServer) return;
  let adminUrl = given.kind === "server" ? given.adminUrl : "";
  if (adminUrl === "") {
    const server = await startOwnPostgres({});
    cleanUps.push(() => server.stop());
    adminUrl = server.url;
  }
  previous = await buildPreviousRelease(adminUrl);
  cleanUps.push(() => previous.remove());
  fleet = await startFleet({
    release: previous,
    env: { HEARTBEAT_MS: "500", RETRY_BASE_MS: "300", SHUTDOWN_DELAY_MS: "500" },
  });
  cleanUps.push(() => fleet.stop());
}, 900_000);
afterAll(async () => {
  for (let last = cleanUps.pop(); last !== undefined; last = cleanUps.pop()) await last();
}, 120_000);

// The embedded database has one session, which a migration would take from everybody.
test.skipIf(!hasServer)(
  `fails no request and harms no order during an upgrade (seed ${drillSeed})`,
  async () => {
    const { stack, context, webs, workers, proxy } = fleet;
    const random = seededRandom(drillSeed);
    const plan = planOf(500, random);
    const givenUp: string[] = [];
    let begun = 0;
    let isOver = false;
    const buyers = Array.from({ length: buyersAtOnce }, async () => {
      for (let planned = plan.pop(); planned !== undefined && !isOver; planned = plan.pop()) {
        const { what, family, country, way } = planned;
        begun += 1;
        await purchase(fleet, planned).catch((error: unknown) =>
          givenUp.push(`${what} ${family} ${country} ${way}: ${error}`),
        );
      }
    });

    await sleep(phaseMs);
    const migrated = await runCommand(stack, "migrate");
    expect(migrated.how, migrated.said).toBe("code 0");
    const [, count = "0"] = /Ran (\d+)/.exec(migrated.said) ?? [];
    await sleep(phaseMs);
    for (const each of [...webs, ...workers]) {
      await each.end();
      await each.begin(projectFolder);
      await sleep(phaseMs / 2);
    }
    await until("enough was bought", () => begun >= least, { timeoutMs: 300_000, everyMs: 200 });
    isOver = true;
    await Promise.all(buyers);

    await until(
      "nothing is left to do",
      async () => {
        await makeJobsDue(context.db);
        return (await readBooks(fleet)).stuck.length === 0;
      },
      { timeoutMs: 180_000, everyMs: 2_000 },
    ).catch(() => undefined);
    const { paid, fulfilledOnce, lost, doubled, stuck, invoicesMissing } = await readBooks(fleet);
    const failures = [...proxy.failures];
    reportDrillResult("upgrade", {
      [`migrations on from ${previous.name.slice(0, 12)}`]: count,
      requests: proxy.passed(),
      "of them failed": failures.length,
      paid,
      "fulfilled once": fulfilledOnce,
      lost: lost.length,
      doubled: doubled.length,
      stuck: stuck.length,
      "invoices missing": invoicesMissing.length,
    });
    expect({ failures, lost, doubled, stuck, invoicesMissing, givenUp }).toEqual({
      failures: [],
      lost: [],
      doubled: [],
      stuck: [],
      invoicesMissing: [],
      givenUp: [],
    });
    expect(paid).toBeGreaterThanOrEqual(least);
    expect(fulfilledOnce).toBe(paid);
    expect(
      [...webs, ...workers].flatMap(({ name, endings }) => endings.map((how) => `${name}: ${how}`)),
    ).toEqual([]);
  },
  1_200_000,
);
