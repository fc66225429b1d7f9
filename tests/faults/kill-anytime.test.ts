/**
 * Kills at arbitrary times: the worker repeatedly during ten orders, a worker that only froze, the store while it checks a
 * payment, and the worker while it sends a mail.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import type { Context } from "#server/platform/context.ts";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { freeze } from "#tests/support/freeze-process.ts";
import { type OpenPayment, returnForm, toCheckout } from "#tests/support/journey.ts";
import { backdateCheckout } from "#tests/support/orders.ts";
import { exactlyOnce, outcomeOf, type Sides, unfinished } from "#tests/support/outcome.ts";
import {
  answerSignInAndConfirm,
  answerSignInNewTenant,
  freshPrefix,
  paidOrder,
} from "#tests/support/paid-order.ts";
import { prepareExistingTenant, prepareNewTenant } from "#tests/support/prepared-order.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { type SmtpRelay, startSmtpRelay } from "#tests/support/smtp-relay.ts";
import type { Stack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

const { faultAt, nameOf } = microsoftCalls;
const seed = 20_260_331;

let relay: SmtpRelay;
let world: FaultWorld;
let stack: Stack;
let context: Context;
let sides: Sides;
beforeAll(async () => {
  relay = await startSmtpRelay();
  world = await startFaultWorld({
    // Fewer workers than orders, so that a kill finds some orders begun and some not.
    env: { SMTP_URL: relay.url, WORKER_CONCURRENCY: "4", PROVIDER_TIMEOUT_MS: "30000" },
  });
  ({ stack, context, sides } = world);
  relay.leadTo(Number(stack.env.SANDBOX_SMTP_PORT));
});
afterAll(async () => {
  await world?.stop();
  await relay?.close();
});
beforeEach(() => sides.provider.faults());

test("loses and duplicates nothing when killed around proof, acceptance and purchase", async () => {
  const order = await paidOrder(stack);
  const domain = `${freshPrefix()}.onmicrosoft.com`;
  const placed = { id: order.id, email: order.email, domain, user: null };
  await stack.killWorker();
  await answerSignInAndConfirm(order, `boss@${domain}`);
  await stack.startWorker();
  await until("the proof has been checked", async () => (await invitationOf(order)).checked_at !== null);
  await stack.killWorker();
  await sides.provider.approve(domain);
  await sides.provider.faults(faultAt("check out", "slow", { delayMs: 1_000 }));
  await stack.startWorker();
  await until("the worker is buying", async () => (await invitationOf(order)).status === "accepted");
  await stack.killWorker();
  await stack.startWorker();
  await world.finished([{ placed }]);
  const { confirmations, ...outcome } = await outcomeOf(sides, placed);
  const { confirmations: _, ...expected } = exactlyOnce(placed);
  expect(outcome).toEqual(expected);
  expect(confirmations).toBeGreaterThan(0);
  const proofs = await context.db
    .selectFrom("control_proofs")
    .select("method")
    .where("order_id", "=", order.id)
    .execute();
  expect(proofs).toEqual([{ method: "sign-in" }]);
});

const invitationOf = ({ id }: Pick<OpenPayment, "id">) =>
  context.db
    .selectFrom("invitations")
    .select(["status", "checked_at"])
    .where("order_id", "=", id)
    .executeTakeFirstOrThrow();

describe("a worker that is killed repeatedly", () => {
  test(`fulfils ten orders exactly once each (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const orders = [];
    for (let n = 0; n < 10; n += 1) {
      orders.push(await (n % 3 === 2 ? prepareExistingTenant(world) : prepareNewTenant(world)));
    }
    // Every call takes a while, so that a kill happens during or between calls, not after the last.
    await sides.provider.faults({ match: { path: "^/partner-center" }, kind: "slow", delayMs: 300 });
    for (const { signIn } of orders) await signIn();
    const ids = orders.map((order) => order.placed.id);
    const placed = orders.map((order) => order.placed);
    const callsMade = async () => (await sides.provider.state()).journal.length;
    const interrupted = new Set<string>();
    for (let kill = 0; kill < 3; kill += 1) {
      const before = await callsMade();
      await until(
        "the worker is at work",
        async () => (await callsMade()) > before + 4 || (await unfinished(context, placed)).length === 0,
      );
      await sleep(random(0, 800));
      await stack.killWorker();
      const begun = await context.db
        .selectFrom("provider_requests")
        .innerJoin("orders", "orders.id", "provider_requests.order_id")
        .select("orders.id")
        .where("orders.id", "in", ids)
        .where("orders.fulfilment_status", "=", "running")
        .execute();
      for (const { id } of begun) interrupted.add(id);
      await stack.startWorker();
    }
    await sides.provider.faults();
    await world.finished(orders);
    for (const order of orders) {
      const { confirmations, ...outcome } = await order.outcome();
      const { confirmations: _, ...expected } = order.expected;
      expect(outcome).toEqual(expected);
      // A kill during a mail sends it again; the reader sees one, because of its Message-ID.
      expect(confirmations).toBeGreaterThan(0);
      const { email } = order.placed;
      const passed = relay.passed.filter(({ to }) => to === email).map(({ messageId }) => messageId);
      expect(new Set(passed)).toEqual(new Set(await messageIdsFor(email)));
    }
    expect(interrupted.size, "orders that a kill interrupted").toBeGreaterThan(2);
  });
});

/** Lists the Message-ID of each mail to `recipient`. */
async function messageIdsFor(recipient: string): Promise<string[]> {
  const rows = await context.db.selectFrom("mails").select("id").where("recipient", "=", recipient).execute();
  return rows.map(({ id }) => `<${id}@localhost>`);
}

describe("a worker that wakes up after it was declared dead", () => {
  test("finds its order done by another worker, and does nothing twice", async () => {
    await stack.killWorker();
    const sleeper = await startAnotherWorker("sleeper");
    const order = await prepareNewTenant(world);
    try {
      await sides.provider.faults(faultAt("make cart", "slow", { delayMs: 3_000, times: 1 }));
      await order.signIn();
      const begun = async () => (await sides.provider.calls((call) => nameOf(call) === "make cart")).length;
      const before = await begun();
      await until("the cart is requested", async () => (await begun()) > before);
      await freeze(sleeper.signal, stack.databaseUrl);
      await stack.presumeWorkersDead();
      await stack.startWorker();
      await world.finished([order]);
      sleeper.signal("SIGCONT");
      // It gets the response for its cart, and continues from there.
      await until("the frozen worker wakes up", () => sleeper.lines.some((line) => line.includes("/carts")));
      await sleep(500);
    } finally {
      sleeper.signal("SIGCONT");
      await sleeper.child.stop();
    }
    expect(await order.outcome()).toEqual(order.expected);
    expect(sleeper.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  async function startAnotherWorker(
    name: string,
  ): Promise<{ child: Child; lines: string[]; signal(signal: NodeJS.Signals): void }> {
    const lines: string[] = [];
    const child = startChild({
      name,
      args: builtCommandArguments("worker"),
      env: stack.env,
      onLine: (line) => lines.push(line),
    });
    await until("the other worker is ready", () => lines.some((line) => line.includes("is ready")));
    return {
      child,
      lines,
      signal(signal) {
        if (child.pid !== undefined) process.kill(child.pid, signal);
      },
    };
  }
});

describe("a returned payment whose check was killed", () => {
  /** Leaves a payment that was returned and recorded, but not checked. */
  async function killedInReturn(webhook: boolean): Promise<OpenPayment> {
    const order = await toCheckout(stack.url);
    await sides.provider.webhooks(webhook ? "late" : "never", 2_500);
    const paid = await sides.controls.pay({ orderId: order.providerOrderId, webhook });
    await sides.provider.faults({
      match: { method: "GET", path: `^/razorpay/v1/payments/${paid.paymentId}$` },
      kind: "hang-before",
      times: 1,
    });
    const answer = order.browser
      .post("/payments/return", returnForm(order.providerOrderId, paid))
      .then(() => "answered")
      .catch(() => "cut off");
    await until(
      "the payment is being checked",
      async () => (await sides.provider.state()).faults.length === 0,
    );
    await stack.killWeb();
    expect(await answer).toBe("cut off");
    expect(await paymentsOf(order)).toEqual(["returned"]);
    expect(await stageOf(order)).toBe("stage2");
    await stack.startWeb();
    return order;
  }

  const paymentsOf = async ({ id }: OpenPayment) => {
    const rows = await context.db
      .selectFrom("payments")
      .select("status")
      .where("order_id", "=", id)
      .execute();
    return rows.map(({ status }) => status);
  };
  const stageOf = async ({ id }: OpenPayment) => {
    const { stage } = await context.db
      .selectFrom("orders")
      .select("stage")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return stage;
  };

  /** Expects that the buyer continues with the sign-in, and the order is fulfilled once. */
  async function goesOn(order: OpenPayment): Promise<void> {
    await until("the order is paid", async () => (await stageOf(order)) === "stage3");
    expect(await paymentsOf(order)).toEqual(["captured"]);
    expect((await order.browser.get(order.path)).location).toBe(`${order.path}/sign-in`);
    const prefix = freshPrefix();
    await answerSignInNewTenant(order, { prefix });
    const domain = `${prefix}.onmicrosoft.com`;
    const whole = { id: order.id, email: order.email, domain, user: `owner@${domain}` };
    await world.finished([{ placed: whole }]);
    expect(await outcomeOf(sides, whole)).toEqual(exactlyOnce(whole));
  }

  test("settles through the webhook", async () => {
    await goesOn(await killedInReturn(true));
  });

  test("settles through the sweep without a webhook", async () => {
    const order = await killedInReturn(false);
    // 16 minutes later. The sweep is a cron job, so the test adds it now.
    await backdateCheckout(context.db, order.id, 16);
    await sql`select graphile_worker.add_job('sweep-payments')`.execute(context.db);
    await goesOn(order);
  });

  test("settles through its job if the provider failed before the store was killed", async () => {
    const order = await toCheckout(stack.url);
    const paid = await sides.controls.pay({ orderId: order.providerOrderId, webhook: false });
    await sides.provider.faults({
      match: { method: "GET", path: `^/razorpay/v1/payments/${paid.paymentId}$` },
      kind: "500",
      times: 1,
    });
    await order.browser.post("/payments/return", returnForm(order.providerOrderId, paid));
    expect(await stageOf(order)).toBe("stage2");
    await stack.killWeb();
    const due = await sql<{ id: string }>`
      select graphile_worker.reschedule_jobs(array[id], run_at => now())
      from graphile_worker.jobs where key = ${`settle:${paid.paymentId}`}`.execute(context.db);
    expect(due.rows).toHaveLength(1);
    await until("the order is paid", async () => (await stageOf(order)) === "stage3");
    await stack.startWeb();
    await goesOn(order);
  });
});

describe("mail", () => {
  /** Queues a mail without an order for the worker. */
  async function queued(): Promise<string> {
    const recipient = `reader-${freshPrefix()}@example.com`;
    await context.db.transaction().execute((trx) =>
      queueMail(trx, {
        kind: "operator-alert",
        dedupeKey: recipient,
        recipient,
        data: { what: "A mail for a test." },
      }),
    );
    return recipient;
  }
  const isSent = async (recipient: string) => {
    const { sent_at } = await context.db
      .selectFrom("mails")
      .select("sent_at")
      .where("recipient", "=", recipient)
      .executeTakeFirstOrThrow();
    return sent_at !== null;
  };

  test("repeats a mail with the same Message-ID if killed before the server's reply", async () => {
    relay.fallSilentAfterNext();
    const recipient = await queued();
    const received = () => sides.controls.inbox(recipient);
    await until("the mail has arrived", async () => (await received()).length === 1);
    await stack.killWorker();
    expect(await isSent(recipient)).toBe(false);
    await stack.startWorker();
    await until("the mail is marked as sent", () => isSent(recipient));
    expect(await received()).toHaveLength(2);
    const passed = relay.passed.filter(({ to }) => to === recipient).map(({ messageId }) => messageId);
    expect(passed).toHaveLength(2);
    expect([...new Set(passed)]).toEqual(await messageIdsFor(recipient));
  });

  test("sends a mail once, later, if no mail server answers", async () => {
    await relay.close();
    const order = await prepareNewTenant(world);
    await order.signIn();
    const confirmation = context.db
      .selectFrom("mails")
      .select("id")
      .where("order_id", "=", order.placed.id)
      .where("kind", "=", "order-confirmation");
    await until("the order is fulfilled", async () => (await confirmation.execute()).length === 1);
    await until(
      "a try has failed",
      async () =>
        (
          await sql<{ attempts: number }>`
            select attempts from graphile_worker.jobs
            where last_error is not null and key = ${`mail:${(await confirmation.executeTakeFirstOrThrow()).id}`}`.execute(
            context.db,
          )
        ).rows.length === 1,
    );
    await relay.open();
    await world.finished([order]);
    expect(await order.outcome()).toEqual(order.expected);
  });
});

test("logs no unexpected errors", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
