/**
 * Every kind of database failure under a stream of jobs and requests: its sessions are ended, it restarts, its connection is cut
 * or goes silent (`npm run test:drill -- sessions`). Nothing is lost, nothing hangs, and no process ends without logging the
 * reason.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import { drillSeed, reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { type OpenPayment, toCheckout } from "#tests/support/journey.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { until } from "#tests/support/until.ts";
import { readBooks } from "./ledger.ts";
import { insist } from "./purchases.ts";
import { tellOfStuck } from "./report-stuck.ts";

const rounds = 40;
const mailsARound = 10;
const concurrentClients = 4;
/** Longer than any timeout of the store, its proxy and a restart. */
const hangMs = 30_000;
const wanted = { family: "brio", item: "brio-desk" };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({
    ownDatabase: true,
    env: { HEARTBEAT_MS: "500", RETRY_BASE_MS: "300", DATABASE_STATEMENT_TIMEOUT_MS: "3000" },
  });
});
afterAll(() => fleet?.stop());

test(`loses nothing and hangs nowhere in ${rounds} outages (seed ${drillSeed})`, async () => {
  const { stack, context, webs, workers } = fleet;
  const random = seededRandom(drillSeed);
  const orders: OpenPayment[] = [];
  for (let n = 0; n < rounds; n += 1) orders.push(await toCheckout(stack.url, { wanted }));
  const asking = await startAsking();

  const ways: Record<string, () => Promise<unknown>> = {
    "sessions ended": () => fleet.cutSessions(),
    restarts: () => fleet.restartDatabase(random(200, 3_000)),
    "wire cut": async () => fleet.wire.cut(),
    "wire silent": async () => {
      const speakAgain = fleet.wire.silence();
      await sleep(random(500, 8_000));
      speakAgain();
    },
  };
  const counts: Record<string, number> = {};
  for (const [round, order] of orders.entries()) {
    const { paymentId } = await fleet.sides.controls.pay({ orderId: order.providerOrderId, webhook: false });
    await insist(() => queue(round, order.providerOrderId, paymentId));
    // By then some jobs have begun, and others have not.
    await sleep(random(20, 120));
    const names = Object.keys(ways);
    const name = names[round % names.length] ?? "";
    await ways[name]?.();
    counts[name] = (counts[name] ?? 0) + 1;
    await sleep(random(100, 600));
  }
  const total = await asking.stop();

  let left: string[] = [];
  await until(
    "all is done",
    async () => {
      left = (await insist(() => readBooks(fleet))).stuck;
      return left.length === 0;
    },
    { timeoutMs: 180_000, everyMs: 1_000 },
  ).catch(() => undefined);
  if (left.length > 0) await tellOfStuck(fleet);
  const { paid, fulfilledOnce, lost, doubled, invoicesMissing } = await readBooks(fleet);
  const ended = [...webs, ...workers].flatMap(({ name, endings }) => endings.map((how) => `${name}: ${how}`));
  const said = [...webs, ...workers].flatMap(({ lines }) =>
    lines.filter((line) => line.includes('"level":60')),
  );
  reportDrillResult("sessions", {
    ...counts,
    paid,
    "fulfilled once": fulfilledOnce,
    lost: lost.length,
    doubled: doubled.length,
    stuck: left.length,
    requests: total.requests,
    "of them refused while there was no database": total.refused,
    hung: total.hung.length,
    "processes ended and restarted": ended.length,
    "of them silently": Math.max(0, ended.length - said.length),
  });
  const faults = webs.flatMap(({ name, lines }) =>
    lines.filter((line) => line.includes('"level":50')).map((line) => `${name}: ${line}`),
  );
  expect({ lost, doubled, left, invoicesMissing, hung: total.hung, wrong: total.wrong, faults }).toEqual({
    lost: [],
    doubled: [],
    left: [],
    invoicesMissing: [],
    hung: [],
    wrong: [],
    faults: [],
  });
  expect([paid, fulfilledOnce]).toEqual([rounds, rounds]);
  expect(said.length, `${ended.length} processes ended: ${ended.join(", ")}`).toBeGreaterThanOrEqual(
    ended.length,
  );
  for (const { name, lines } of workers)
    expect(
      lines.filter((line) => !isJson(line)),
      name,
    ).toEqual([]);
  await until("both workers sign", async () => (await signing()) === workers.length);
  for (let n = 0; n < webs.length; n += 1)
    expect((await fetch(`${stack.url}/health`)).status, "a web answers").toBe(200);
  const mails = await context.db.selectFrom("mails").select("id").where("sent_at", "is", null).execute();
  expect(mails).toEqual([]);
}, 1_200_000);

/** Starts buyers and a load balancer that send requests all the time. */
async function startAsking() {
  const { stack, context } = fleet;
  const buyer = await signedIn(context, stack.url, await makePerson(context.db));
  const stopping = new AbortController();
  const counts = { requests: 0, refused: 0, hung: [] as string[], wrong: [] as string[] };
  const paths = [
    "/myorders",
    "/subscriptions",
    "/readyz",
    "/check/user?email=nobody@example.com",
    "/account",
  ];
  const clients = Array.from({ length: concurrentClients }, async (_, clientIndex) => {
    for (let n = clientIndex; !stopping.signal.aborted; n += 1) {
      const path = paths[n % paths.length] ?? "/";
      counts.requests += 1;
      const answer = buyer.get(path).then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
      const came = await Promise.race([answer, sleep(hangMs, null)]);
      if (came === null) counts.hung.push(path);
      else if (came === 502 || came === 503) counts.refused += 1;
      else if (came !== 200 && came !== 429) counts.wrong.push(`${path}: ${came}`);
      await sleep(20);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      return counts;
    },
  };
}

function queue(round: number, providerOrderId: string, providerPaymentId: string): Promise<void> {
  return fleet.context.db.transaction().execute(async (trx) => {
    const payment = { provider: "razorpay", account: "IN", providerOrderId, providerPaymentId } as const;
    await addJob(trx, "settle-payment", payment, { jobKey: `settle:${providerPaymentId}` });
    for (let n = 0; n < mailsARound; n += 1) {
      const recipient = `reader-${round}-${n}@example.com`;
      const data = { what: "A mail for a drill." };
      await queueMail(trx, { kind: "operator-alert", dedupeKey: recipient, recipient, data });
    }
  });
}

async function signing(): Promise<number> {
  const rows = await fleet.context.db
    .selectFrom("worker_heartbeats")
    .select("worker_id")
    .where("seen_at", ">", sql<Date>`now() - interval '2 seconds'`)
    .execute();
  return rows.length;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
