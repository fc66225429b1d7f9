/** The internal ports of web and worker: metrics follow events, contain no personal data, and readiness is correct. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { findItem } from "#server/catalogue/items.ts";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { createReadiness } from "#server/operations/monitoring/readiness.ts";
import { webArguments } from "#server/operations/web-arguments.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { insertVendorCosts } from "#tests/support/long-price-list.ts";
import { alertRules, dashboardExpressions, Metrics, seriesIn } from "#tests/support/metrics.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { freePorts } from "#tests/support/ports.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";
import { contextForStack } from "#tests/support/world.ts";

const [webPort = 0, workerPort = 0] = await freePorts(2);
const { stack, context, controls } = await startStore({
  worker: true,
  env: { METRICS_PORT: String(webPort), WORKER_METRICS_PORT: String(workerPort) },
});
const { db } = context;
const internal = { web: `http://127.0.0.1:${webPort}`, worker: `http://127.0.0.1:${workerPort}` };

const started: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function expectSoon(
  port: number,
  name: string,
  labels: Readonly<Record<string, string>>,
  value: number,
): Promise<void> {
  await expect.poll(async () => (await Metrics.at(port)).value(name, labels)).toBe(value);
}

const statusOf = async (url: string) => (await fetch(url)).status;

test("counts a purchase, a stuck order and a refund alike in web and worker", async () => {
  const before = await Metrics.at(workerPort);
  const inIndia = { provider: "microsoft", country: "IN" };
  const paid = before.value("orders_total", { ...inIndia, state: "paid" });
  const fulfilled = before.value("orders_total", { ...inIndia, state: "fulfilled" });
  const income = before.value("money_total", { kind: "paid", currency: "INR" });

  const order = await paidOrder(stack);
  const { total_minor } = await db
    .selectFrom("orders")
    .select("total_minor")
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  for (const port of [webPort, workerPort]) {
    await expectSoon(port, "orders_total", { ...inIndia, state: "paid" }, paid + 1);
    await expectSoon(port, "orders_open", { ...inIndia, state: "waiting_for_signin" }, 1);
    await expectSoon(port, "money_total", { kind: "paid", currency: "INR" }, income + total_minor / 100);
  }

  await answerSignInNewTenant(order, { prefix: freshPrefix() });
  await expectSoon(workerPort, "orders_total", { ...inIndia, state: "fulfilled" }, fulfilled + 1);
  const after = await Metrics.at(workerPort);
  expect(after.value("fulfilment_duration_seconds_count", { provider: "microsoft" })).toBe(1);
  expect(after.value("job_duration_seconds_count", { job: "fulfil-order", outcome: "done" })).toBeGreaterThan(
    0,
  );
  expect(after.value("provider_requests_total", { provider: "microsoft", outcome: "ok" })).toBeGreaterThan(0);
  expect(after.value("provider_request_duration_seconds_count", { provider: "smtp" })).toBeGreaterThan(0);
  expect(after.value("orders_open", { state: "waiting_for_signin" })).toBe(0);

  await refundPart(context, order.id, 12_300);
  await expectSoon(workerPort, "refunds_total", { result: "processed" }, 1);
  await expectSoon(webPort, "money_total", { kind: "refunded", currency: "INR" }, 123);

  const stuck = { fulfilment_status: "needs_attention", stage: "stage3" } as const;
  await db.updateTable("orders").set(stuck).where("id", "=", order.id).execute();
  await expectSoon(workerPort, "needs_attention", { kind: "order" }, 1);
});

test("counts failed payments and forged webhooks", async () => {
  const { providerOrderId } = await toCheckout(stack.url);
  await controls.pay({ orderId: providerOrderId, status: "failed", webhook: true });
  await expectSoon(workerPort, "payments_total", { result: "failed" }, 1);
  const heard = { provider: "razorpay", event: "payment.failed", result: "accepted" };
  await expectSoon(webPort, "webhook_total", heard, 1);

  const forged = await fetch(`${stack.url}/webhooks/razorpay`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Razorpay-Signature": "0".repeat(64) },
    body: JSON.stringify({ event: "payment.captured.by-a-stranger" }),
  });
  expect(forged.status).toBe(401);
  const metrics = await Metrics.at(webPort);
  expect(metrics.value("webhook_total", { provider: "razorpay", event: "unknown", result: "refused" })).toBe(
    1,
  );
  expect(metrics.text).not.toContain("stranger");
});

test("counts items sold close to their cost", async () => {
  const before = (await Metrics.at(workerPort)).value("price_margin_below_floor");
  const item = "microsoft-365-business-standard";
  const price = (await findItem(db, item))?.prices.find(
    ({ term, currency }) => term === "P1Y" && currency === "INR",
  );
  expect.assert(price);
  await insertVendorCosts(context, [item], Math.floor(price.amount.minor * 0.94));
  await expectSoon(workerPort, "price_margin_below_floor", {}, before);
  await insertVendorCosts(context, [item], Math.ceil(price.amount.minor * 0.96));
  for (const port of [webPort, workerPort])
    await expectSoon(port, "price_margin_below_floor", {}, before + 1);
});

test("counts logins by result", async () => {
  const post = (password: string) =>
    fetch(`${stack.url}/api/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        encodedEmail: Buffer.from("nobody@example.com").toString("base64"),
        encodedPassword: Buffer.from(password).toString("base64"),
      }),
    });
  const before = (await Metrics.at(webPort)).value("login_total", { result: "refused" });
  await post("wrong-Pass-1");
  expect((await Metrics.at(webPort)).value("login_total", { result: "refused" })).toBe(before + 1);
});

test("counts requests by route pattern, without those of the internal port", async () => {
  await fetch(`${stack.url}/orders/3f0c0000-0000-4000-8000-000000000000/invoice`, { redirect: "manual" });
  await fetch(`${stack.url}/no-such-page-of-acme?email=asha@example.com`);
  const metrics = await Metrics.at(webPort);
  const routes = metrics.valuesOf("http_request_duration_seconds_count", "route");
  expect(routes).toContain("/orders/:id/invoice");
  expect(routes).toContain("/*");
  expect(routes.filter((route) => /metrics|acme|3f0c/.test(route))).toEqual([]);
  expect(stack.logs("web").filter((line) => line.includes('"path":"/metrics"'))).toEqual([]);
});

test("contains no addresses, ids, domains or secrets", async () => {
  for (const port of [webPort, workerPort]) {
    const { text: reported } = await Metrics.at(port);
    expect(reported).not.toMatch(/@[\w-]+\./);
    expect(reported).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(reported).not.toContain("onmicrosoft.com");
    expect(reported).not.toMatch(/\b(?:order|pay|rfnd)_[A-Za-z0-9]{10,}/);
    const secrets = Object.entries(stack.env).filter(([name]) => /SECRET|PASSWORD|(?<!_)KEY/.test(name));
    for (const [, secret = ""] of secrets) if (secret.length > 8) expect(reported).not.toContain(secret);
  }
});

test("includes every series used by the dashboard and the alerts", async () => {
  const reported = [...(await Metrics.at(webPort)).names(), ...(await Metrics.at(workerPort)).names(), "up"];
  const requested = [...dashboardExpressions(), ...alertRules().map(({ expression }) => expression)];
  expect(requested.flatMap(seriesIn).filter((name) => !reported.includes(name))).toEqual([]);
});

test("omits figures that cannot be read, and reports the failure", async () => {
  await sql`alter table payment_providers rename to payment_providers_gone`.execute(db);
  try {
    await expectSoon(workerPort, "store_read_success", {}, 0);
    expect((await Metrics.at(workerPort)).names()).not.toContain("orders_total");
  } finally {
    await sql`alter table payment_providers_gone rename to payment_providers`.execute(db);
  }
  await expectSoon(workerPort, "store_read_success", {}, 1);
});

describe("readiness", () => {
  test("passes for web and worker while everything works", async () => {
    for (const base of Object.values(internal)) {
      expect(await statusOf(`${base}/livez`)).toBe(200);
      expect(await statusOf(`${base}/readyz`)).toBe(200);
      expect(await statusOf(`${base}/orders`)).toBe(404);
      expect((await fetch(`${base}/metrics`, { method: "POST" })).status).toBe(405);
    }
    expect(await statusOf(`${stack.url}/livez`)).toBe(200);
    expect(await statusOf(`${stack.url}/readyz`)).toBe(200);
    expect(await statusOf(`${stack.url}/metrics`)).toBe(404);
  });

  test("fails while a migration is missing; liveness still passes", async () => {
    const { rows } = await sql<{ name: string; timestamp: string }>`
      delete from kysely_migration where name = (select max(name) from kysely_migration)
      returning name, timestamp`.execute(db);
    const [gone] = rows;
    if (gone === undefined) throw new Error("Expected a migration");
    try {
      for (const base of Object.values(internal)) {
        const answer = await fetch(`${base}/readyz`);
        expect([answer.status, await answer.text()]).toEqual([503, "migrations\n"]);
        expect(await statusOf(`${base}/livez`)).toBe(200);
      }
      expect(await statusOf(`${stack.url}/readyz`)).toBe(503);
      expect(await statusOf(`${stack.url}/livez`)).toBe(200);
    } finally {
      await sql`insert into kysely_migration (name, timestamp) values (${gone.name}, ${gone.timestamp})`.execute(
        db,
      );
    }
    expect(await statusOf(`${stack.url}/readyz`)).toBe(200);
  });

  test("fails within about a second if the database does not answer", async () => {
    const [closed = 0] = await freePorts(1);
    const lost = contextForStack({
      ...stack.env,
      DATABASE_URL: `postgres://nobody@127.0.0.1:${closed}/none`,
    });
    const readiness = createReadiness(lost, []);
    expect(await readiness.check()).toBe("starting");
    readiness.begin();
    expect(await readiness.check()).toBe("database");
    await lost.db.destroy();
    await lost.healthDb.destroy();
  });

  test("fails first when web is stopped, which serves on during the delay", async () => {
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const web = startWeb({ port, metricsPort, delayMs: 3_000 });
    const url = `http://localhost:${port}`;
    await expect.poll(() => statusOf(`${url}/readyz`).catch(() => 0)).toBe(200);
    web.child.kill("SIGTERM");
    await expect.poll(() => statusOf(`${url}/readyz`)).toBe(503);
    expect(await (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).text()).toBe("stopping\n");
    expect(await statusOf(`${url}/login`)).toBe(200);
    expect(await statusOf(`${url}/livez`)).toBe(200);
    expect(await web.ended).toBe(0);
  });

  test("prevents the start of web on a used internal port, and names the setting", async () => {
    const [port = 0, taken = 0] = await freePorts(2);
    const squatter = createServer().listen(taken, "127.0.0.1");
    await once(squatter, "listening");
    try {
      const web = startWeb({ port, metricsPort: taken, delayMs: 0 });
      expect(await web.ended).toBe(1);
      expect(await web.said).toContain(`METRICS_PORT: cannot listen on 127.0.0.1:${taken}`);
    } finally {
      squatter.close();
    }
  });

  test("passes for a new worker on the port of one that has ended", async () => {
    await stack.stopWorker();
    await sleep(100);
    await expect(fetch(`${internal.worker}/livez`)).rejects.toThrow();
    await stack.startWorker();
    expect(await statusOf(`${internal.worker}/readyz`)).toBe(200);
  });
});

function startWeb({ port, metricsPort, delayMs }: { port: number; metricsPort: number; delayMs: number }) {
  const child = spawn(process.execPath, webArguments(), {
    cwd: projectFolder,
    env: {
      ...stack.env,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SHUTDOWN_DELAY_MS: String(delayMs),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  started.push(child);
  return {
    child,
    said: text(child.stderr),
    ended: once(child, "exit").then(([code, signal]) => code ?? signal),
  };
}
