/**
 * The database is lost in the middle of purchases, and restored to a moment some seconds before (`npm run test:drill -- restore`). The
 * drill follows docs/operate/backup.md, and compares the books of the store, its payment provider and its vendors: each payment is
 * fulfilled once, or reported as one for a forgotten order, and no number is given twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "#tests/support/command.ts";
import { drillSeed, reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { postgresPrograms } from "#tests/support/own-postgres.ts";
import { makeJobsDue } from "#tests/support/queue.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { until } from "#tests/support/until.ts";
import { heldOrDue } from "./ledger.ts";
import { planOf, purchase } from "./purchases.ts";

const buyersAtOnce = 4;
/** Milliseconds of purchases before the base backup, and between it and the restored moment. */
const [beforeMs, archivedMs] = [5_000, 12_000];
const gapsMs = [5_000, 9_000] as const;
/** A customer of the drill has 10 licences, and orders 5 more, once. */
const maxSeats = 15;

/** Holds of orders that need attention, and jobs that check whether a buyer has approved us. */
const ofPersons = /^(hold|job check-invitation)/;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({
    ownDatabase: "archived",
    env: { HEARTBEAT_MS: "300", RETRY_BASE_MS: "300", PROVIDER_TIMEOUT_MS: "2000" },
  });
});
afterAll(() => fleet?.stop());

test.skipIf(postgresPrograms() === undefined)(
  `buys nothing twice and reports losses after a restore (seed ${drillSeed})`,
  async () => {
    const { stack, context, webs, workers, database } = fleet;
    if (database === null) throw new Error("The fleet has no separate database");
    const random = seededRandom(drillSeed);
    const shopping = shop(random);
    await sleep(beforeMs);
    await database.backUp();
    await sleep(archivedMs);
    const restoredTo = new Date();
    const paidBefore = await capturedPayments();
    await sleep(random(...gapsMs));
    const numbersBefore = await numbersIn();
    await database.lose();
    shopping.stop();

    await Promise.all([...webs, ...workers].map((each) => each.end()));
    await database.restore(restoredTo);
    const numbersRestored = await numbersIn();
    const forgottenNumbers = [...numbersBefore].filter((number) => !numbersRestored.has(number));
    const { how, said } = await runCommand(stack, "after-restore", "--to", restoredTo.toISOString());
    expect(["code 0", "code 2"], said).toContain(how);
    const again = await runCommand(stack, "after-restore", "--to", restoredTo.toISOString());
    expect(["code 0", "code 2"], again.said).toContain(again.how);
    expect(again.said).toContain("0 payments were found again");
    const persons = [...said.matchAll(/^(\S+) {2}needs attention: (.*)$/gm)].map(([line]) => line);
    const forgotten = [
      ...said.matchAll(/payment (\S+) of .* is for an order that isn't in the restored database/g),
    ].map(([, id = ""]) => id);

    for (const each of [...webs, ...workers]) await each.begin();
    await shopping.ended;
    let left: string[] = [];
    await until(
      "nothing is left to do",
      async () => {
        await makeJobsDue(context.db);
        left = [
          ...(await heldOrDue(context)).filter((what) => !ofPersons.test(what)),
          ...(await ordersUnderWay()),
        ];
        return left.length === 0;
      },
      { timeoutMs: 240_000, everyMs: 2_000 },
    ).catch(() => undefined);

    const captured = [...(await capturedPayments())];
    const known = await paymentsKnown();
    const lost = captured.filter((id) => !known.has(id) && !forgotten.includes(id));
    const doubled = await boughtTwice();
    const numbersAfter = await numbersIn();
    const givenTwice = forgottenNumbers.filter((number) => numbersAfter.has(number));
    reportDrillResult("restore", {
      "payments captured": captured.length,
      "of them after the moment": captured.filter((id) => !paidBefore.has(id)).length,
      "of orders that are forgotten, and told": forgotten.length,
      lost: lost.length,
      doubled: doubled.length,
      stuck: left.length,
      "for a person": persons.length,
      "numbers given twice": givenTwice.length,
    });
    expect({ lost, doubled, left, givenTwice }).toEqual({ lost: [], doubled: [], left: [], givenTwice: [] });
    expect(captured.length).toBeGreaterThan(10);
    // Without a gap the test would show nothing.
    expect(said).toMatch(/^[1-9]\d* payments were found again|forgotten/m);
  },
  900_000,
);

/** Buyers who begin one purchase after another, and do not give up while the store is down. */
function shop(random: (from: number, to: number) => number): { stop(): void; ended: Promise<unknown> } {
  let isOver = false;
  const plan = planOf(500, random);
  const buyers = Array.from({ length: buyersAtOnce }, async () => {
    for (let planned = plan.pop(); planned !== undefined && !isOver; planned = plan.pop())
      // An order that the restored database does not have cannot be continued.
      await purchase(fleet, planned).catch(() => undefined);
  });
  return {
    stop() {
      isOver = true;
    },
    ended: Promise.all(buyers),
  };
}

async function capturedPayments(): Promise<Set<string>> {
  const { razorpay } = await fleet.sides.controls.state();
  return new Set(razorpay.payments.filter(({ status }) => status === "captured").map(({ id }) => id));
}

async function paymentsKnown(): Promise<Set<string>> {
  const rows = await fleet.context.db.selectFrom("payments").select("provider_payment_id").execute();
  return new Set(rows.map(({ provider_payment_id }) => provider_payment_id));
}

/** The numbers of all invoices and credit notes. */
async function numbersIn(): Promise<Set<string>> {
  const { rows } = await sql<{ number: string }>`
    select number from invoices union all select number from credit_notes`.execute(fleet.context.db);
  return new Set(rows.map(({ number }) => number));
}

/** Orders in progress that only the store can continue: neither done nor waiting for a person. */
async function ordersUnderWay(): Promise<string[]> {
  const rows = await fleet.context.db
    .selectFrom("orders")
    .select(["id", "fulfilment_status"])
    .where("fulfilment_status", "in", ["queued", "running"])
    .execute();
  return rows.map(({ id, fulfilment_status }) => `${id}: ${fulfilment_status}`);
}

/** Vendor accounts with two subscriptions, and subscriptions with more seats than this drill orders. */
async function boughtTwice(): Promise<string[]> {
  const { partnerCenter, google } = await fleet.sides.provider.state();
  const accounts = [
    ...partnerCenter.subscriptions.map(({ customerId }) => customerId),
    ...google.entitlements.map(({ customerName, sku }) => `${customerName} ${sku}`),
  ];
  const seats = [
    ...partnerCenter.subscriptions.map(({ id, quantity }) => ({ id, count: quantity })),
    ...google.entitlements.map(({ name, numUnits }) => ({ id: name, count: numUnits })),
  ];
  return [
    ...accounts.filter((account, index) => accounts.indexOf(account) !== index),
    ...seats.filter(({ count }) => count > maxSeats).map(({ id, count }) => `${id}: ${count} licenses`),
  ];
}
