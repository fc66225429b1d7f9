/**
 * The database repeatedly ends every session of the store, as a restart or failover does, while jobs arrive. Runs on PostgreSQL
 * only: the embedded database has one session and ends with it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import type { Context } from "#server/platform/context.ts";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { fulfilledOnce, storeSide } from "#tests/support/outcome.ts";
import { onServer } from "#tests/support/template.ts";
import { until } from "#tests/support/until.ts";

const rounds = 20;
const mailsARound = 10;
const brio = { family: "brio", item: "brio-desk" };

const template = inject("databaseTemplate");
let world: FaultWorld;
let context: Context;
const workers: { child: Child; lines: string[]; ended: string | null }[] = [];
beforeAll(async () => {
  if (template.kind === "embedded") return;
  // The other worker, not the test, must find that a worker cut off during a job is dead.
  world = await startFaultWorld({ worker: false, env: { HEARTBEAT_MS: "200" } });
  ({ context } = world);
});
afterAll(async () => {
  await Promise.all(workers.map(({ child }) => child.stop()));
  await world?.stop();
});

test.skipIf(template.kind === "embedded")(
  "survives twenty cuts under load with two workers: nothing lost or duplicated",
  async () => {
    const orders = [];
    for (let n = 0; n < rounds; n += 1) orders.push(await toCheckout(world.stack.url, { wanted: brio }));
    workers.push(startKept("first"), startKept("second"));
    for (const { lines } of workers) await until("the worker is ready", () => isReady(lines));

    for (const [round, { providerOrderId }] of orders.entries()) {
      const { paymentId } = await world.sides.controls.pay({ orderId: providerOrderId, webhook: false });
      await insist(() => queue(round, { providerOrderId, providerPaymentId: paymentId }));
      // By then some jobs have begun and others have not.
      await sleep(20 + 10 * (round % 7));
      await cutSessions();
    }

    const placed = orders.map(({ id, email }) => ({ id, email, domain: "", user: null }));
    await until("all orders are done", async () =>
      (await insist(() => Promise.all(placed.map(({ id }) => fulfilmentOf(id))))).every(
        (is) => is === "done",
      ),
    );
    await until("all mail is sent", async () => (await insist(() => unsentMails())) === 0);
    for (const order of placed) {
      const { outcome } = await storeSide(world.sides, order);
      // Each mail row is sent; one cut off after the mail server accepted it is sent again with the same Message-ID.
      expect({ ...outcome, confirmations: 1 }).toEqual(fulfilledOnce);
    }
    const invoices = await context.db.selectFrom("invoices").select("serial").orderBy("serial").execute();
    expect(invoices.map(({ serial }) => serial)).toEqual(orders.map((_, index) => index + 1));

    expect(workers.map(({ ended }) => ended)).toEqual([null, null]);
    await until("both workers send heartbeats", async () => (await signing()) === 2);
    for (const { lines } of workers) expect(lines.filter((line) => !isJson(line))).toEqual([]);
    expect((await fetch(`${world.stack.url}/health`)).status).toBe(200);
    expect(world.stack.unexpectedErrors().filter((line) => line.includes("ended with"))).toEqual([]);
  },
);

/** Starts a worker with its supervisor, as `npm run worker` does. */
function startKept(name: string) {
  const lines: string[] = [];
  const child = startChild({
    name,
    args: builtCommandArguments("worker-supervisor"),
    env: world.stack.env,
    onLine: (line) => lines.push(line),
  });
  const worker: (typeof workers)[number] = { child, lines, ended: null };
  void child.ended.then((how) => {
    worker.ended = how;
  });
  return worker;
}

const isReady = (lines: readonly string[]) => lines.some((line) => line.includes("is ready"));

function queue(round: number, payment: { providerOrderId: string; providerPaymentId: string }) {
  return context.db.transaction().execute(async (trx) => {
    await addJob(
      trx,
      "settle-payment",
      { provider: "razorpay", account: "IN", ...payment },
      { jobKey: `settle:${payment.providerPaymentId}` },
    );
    for (let n = 0; n < mailsARound; n += 1) {
      const recipient = `reader-${round}-${n}@example.com`;
      const data = { what: "A mail for a test." };
      await queueMail(trx, { kind: "operator-alert", dedupeKey: recipient, recipient, data });
    }
  });
}

async function cutSessions(): Promise<void> {
  if (template.kind === "embedded") return;
  const { pathname } = new URL(world.stack.databaseUrl);
  await onServer(
    template.adminUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${pathname.slice(1)}'`,
  );
}

/** Retries, because the test's own connections are cut as well. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(50);
    }
  }
}

async function fulfilmentOf(id: OrderId): Promise<string> {
  const order = await readOrder(context.db, id);
  return order.fulfilment_status;
}

async function unsentMails(): Promise<number> {
  const rows = await context.db.selectFrom("mails").select("id").where("sent_at", "is", null).execute();
  return rows.length;
}

async function signing(): Promise<number> {
  const rows = await context.db
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
