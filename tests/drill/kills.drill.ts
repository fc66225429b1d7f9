/**
 * Two hundred purchases while the store's processes are killed and frozen, its database sessions cut, its vendors failing and
 * their webhooks lost, doubled and late (`npm run test:drill -- kills`). Every paid order is fulfilled once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { drillSeed, reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { makeJobsDue } from "#tests/support/queue.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { type SmtpRelay, startSmtpRelay } from "#tests/support/smtp-relay.ts";
import { until } from "#tests/support/until.ts";
import { letTimePass, startChaos } from "./chaos.ts";
import { heldOrDue, readBooks, readMails } from "./ledger.ts";
import { planOf, purchase } from "./purchases.ts";
import { tellOfStuck } from "./report-stuck.ts";

const purchases = 200;
/** Suits two cores, which also run all processes of the fleet. */
const buyersAtOnce = 6;
const heartbeatMs = 500;
const frozenMs = 8 * heartbeatMs;

let relay: SmtpRelay;
let fleet: Fleet;
beforeAll(async () => {
  relay = await startSmtpRelay();
  fleet = await startFleet({
    env: {
      SMTP_URL: relay.url,
      HEARTBEAT_MS: String(heartbeatMs),
      RETRY_BASE_MS: "300",
      PROVIDER_TIMEOUT_MS: "2000",
    },
  });
  relay.leadTo(Number(fleet.stack.env.SANDBOX_SMTP_PORT));
});
afterAll(async () => {
  await fleet?.stop();
  await relay?.close();
});

test(`fulfils ${purchases} purchases once each under kills and faults (seed ${drillSeed})`, async () => {
  const plan = planOf(purchases, seededRandom(drillSeed));
  const chaos = startChaos(fleet, seededRandom(drillSeed + 1), frozenMs);
  const givenUp: string[] = [];
  await Promise.all(
    Array.from({ length: buyersAtOnce }, async () => {
      for (let planned = plan.pop(); planned !== undefined; planned = plan.pop()) {
        const { what, family, country, way } = planned;
        await purchase(fleet, planned).catch(async (error: unknown) => {
          // Report the first at once: minutes later the state is gone.
          if (givenUp.push(`${what} ${family} ${country} ${way}: ${error}`) === 1) await tellOfStuck(fleet);
        });
      }
    }),
  );
  await chaos.stop();
  await until(
    "nothing is left to do",
    async () => {
      await letTimePass(fleet);
      await makeJobsDue(fleet.context.db);
      const { stuck } = await readBooks(fleet);
      return stuck.length === 0;
    },
    { timeoutMs: 240_000, everyMs: 2_000 },
  ).catch(() => tellOfStuck(fleet));

  const { paid, fulfilledOnce, lost, doubled, stuck, invoicesMissing } = await readBooks(fleet);
  const mails = await readMails(fleet.context, relay.passed);
  reportDrillResult("kills", {
    paid,
    "fulfilled once": fulfilledOnce,
    lost: lost.length,
    doubled: doubled.length,
    stuck: stuck.length,
    "invoices missing": invoicesMissing.length,
    "mails once": mails.once,
    "mails again under one Message-ID": mails.again.length,
    ...chaos.counts,
  });
  expect({ lost, doubled, stuck, invoicesMissing, givenUp, mails: mails.wrong }).toEqual({
    lost: [],
    doubled: [],
    stuck: [],
    invoicesMissing: [],
    givenUp: [],
    mails: [],
  });
  expect([paid, fulfilledOnce]).toEqual([purchases, purchases]);
  expect(await heldOrDue(fleet.context)).toEqual([]);
}, 1_800_000);
