/**
 * docs/operate/reference-deployment as in production: TLS and a micro-cache in front of two webs, which share PostgreSQL through
 * PgBouncer, and a worker. Requires nginx, PgBouncer and PostgreSQL; otherwise the tests are skipped, with the reason in the title.
 */
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDb, createPool, isTransientDbError } from "#db/client.ts";
import type { OrderId } from "#db/ids.ts";
import type { Context } from "#server/platform/context.ts";
import { readWorkerEnv } from "#server/platform/env.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import {
  type RunningDeployment,
  startDeployment,
  whyNoDeployment,
} from "#tests/support/running-deployment.ts";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";
import { until } from "#tests/support/until.ts";
import { contextForStack } from "#tests/support/world.ts";

const template = inject("databaseTemplate");
const why = whyNoDeployment(template);
const brio = { family: "brio", item: "brio-desk" };
const statementMs = 1_500;

let box: RunningDeployment;
/** A context with a direct connection to PostgreSQL, like a worker's. */
let context: Context;
beforeAll(async () => {
  if (why !== null || template.kind !== "server") return;
  box = await startDeployment(template, { DATABASE_STATEMENT_TIMEOUT_MS: String(statementMs) });
  context = contextForStack(box.env.worker);
  // Only for Browserless clients; the `client` below trusts the proxy's certificate and nothing else.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
});
afterAll(async () => {
  await context?.db.destroy();
  await box?.stop();
});

interface Answered {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

let addresses = 0;
/** Returns a client with a kept-alive connection and its own address, since the store's rate limits are per address. */
function client() {
  addresses += 1;
  const localAddress = `127.0.${1 + Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
  const agent = new Agent({ ca: box.certificate, keepAlive: true, localAddress });
  return (path: string, options: { headers?: Record<string, string>; form?: Record<string, string> } = {}) =>
    new Promise<Answered>((resolve, reject) => {
      const body = options.form === undefined ? null : new URLSearchParams(options.form).toString();
      const clientRequest = request(
        new URL(path, box.url),
        {
          agent,
          method: body === null ? "GET" : "POST",
          headers: {
            ...(body !== null && {
              "Sec-Fetch-Site": "same-origin",
              "Content-Type": "application/x-www-form-urlencoded",
              "Content-Length": String(Buffer.byteLength(body)),
            }),
            ...options.headers,
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.once("error", reject);
          response.once("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      clientRequest.once("error", reject);
      clientRequest.end(body);
    });
}

describe.skipIf(why !== null)(`the box${why === null ? "" : ` (not run: ${why})`}`, () => {
  test("fulfils a purchase through proxy and pooler, from the first page to the last", async () => {
    const order = await toCheckout(box.url, { wanted: brio });
    const { paymentId } = await sandboxControls(box.sandboxUrl).pay({ orderId: order.providerOrderId });
    await until("the order is fulfilled", async () => (await statusOf(order.id)) === "done");
    const payment = await context.db
      .selectFrom("payments")
      .select(["provider_payment_id", "status"])
      .where("order_id", "=", order.id)
      .execute();
    expect(payment).toEqual([{ provider_payment_id: paymentId, status: "captured" }]);
    const page = await order.browser.get(`${order.path}/order-processed`);
    expect(page.status).toBe(200);
    expect(box.logs().filter((line) => line.includes('"level":50') || line.includes('"level":60'))).toEqual(
      [],
    );
  });

  test("redirects browsers to TLS, and produces https addresses there", async () => {
    const plain = await fetch(`${box.plainUrl}/login?next=%2Fcart`, { redirect: "manual" });
    expect([plain.status, plain.headers.get("location")]).toEqual([308, `${box.url}/login?next=%2Fcart`]);

    const ask = client();
    const home = await ask("/");
    expect(home.headers["strict-transport-security"]).toContain("max-age=");
    const form = { term: "P1Y", quantity: "2" };
    const begun = await ask(`/order/${brio.family}/${brio.item}/IN`, { form, headers: { Origin: box.url } });
    expect(begun.status).toBe(303);
    expect(new URL(String(begun.headers.location), box.url).origin).toBe(box.url);
    expect(String(begun.headers["set-cookie"])).toMatch(/__Host-[^;]+;.*Secure/);
    const foreign = await ask(`/order/${brio.family}/${brio.item}/IN`, {
      form,
      headers: { Origin: box.url.replace("https:", "http:"), "Sec-Fetch-Site": "cross-site" },
    });
    expect(foreign.status).toBe(403);
  });

  test("ignores the address that a client claims", async () => {
    const ask = client();
    const attempts = [];
    for (let n = 0; n < 70; n += 1)
      attempts.push(
        await ask(`/check/user?email=nobody${n}@example.com`, {
          headers: { "X-Forwarded-For": `203.0.113.${n}` },
        }),
      );
    expect(attempts.at(-1)?.status).toBe(429);
    expect((await client()("/check/user?email=nobody@example.com")).status).toBe(200);
  });

  test("caches home for visitors without a cookie only, separately per encoding", async () => {
    const ask = client();
    const cacheOf = async (headers: Record<string, string>) => {
      const answer = await ask("/?kept", { headers });
      expect(answer.status).toBe(200);
      return answer.headers["x-cache"];
    };
    const gzip = { "Accept-Encoding": "gzip" };
    expect([await cacheOf(gzip), await cacheOf(gzip)]).toEqual(["MISS", "HIT"]);
    const brotli = { "Accept-Encoding": "br" };
    expect([await cacheOf(brotli), await cacheOf(brotli)]).toEqual(["MISS", "HIT"]);
    const cookie = { ...gzip, Cookie: "country=IN" };
    expect([await cacheOf(cookie), await cacheOf(cookie)]).toEqual(["BYPASS", "BYPASS"]);
    expect(await cacheOf({ ...gzip, Authorization: "Bearer none" })).toBe("BYPASS");
    expect(await cacheOf(gzip)).toBe("HIT");

    // A personal page, which must not be cached for later visitors.
    const member = await signedIn(context, box.url, await makePerson(context.db));
    expect((await member.get("/myorders")).headers.get("x-cache")).toBe("BYPASS");
    const stranger = await ask("/myorders");
    expect([stranger.status, stranger.headers["x-cache"]]).toEqual([302, "MISS"]);
    expect((await ask("/myorders")).headers["x-cache"]).toBe("MISS");
  });

  test("retries the requests of a killed web at the other, without a failed page", async () => {
    const traffic = startTraffic();
    await traffic.after(60);
    await box.killWeb("web-1");
    await traffic.after(150);
    await box.startWeb("web-1");
    await traffic.after(60);
    const failed = await traffic.end();
    expect(failed.filter(({ method }) => method === "GET")).toEqual([]);
  });

  test("loses no request when webs are stopped in turn", async () => {
    const traffic = startTraffic();
    await traffic.after(60);
    for (const name of ["web-1", "web-2"] as const) {
      await box.stopWeb(name);
      await traffic.after(60);
      await box.startWeb(name);
      // The other web stops only after nginx has found this one healthy, within a second (fail_timeout).
      await sleep(1_500);
      await traffic.after(60);
    }
    expect(await traffic.end()).toEqual([]);
  });

  test("shares twenty PostgreSQL sessions between all webs, without leaking timeouts", async () => {
    const named = `${box.pooledUrl}?application_name=many`;
    const pools = Array.from({ length: 6 }, () =>
      createPool(named, 10, () => undefined, { statementMs: 5_000, lockMs: 4_000 }, "transaction"),
    );
    const said = await Promise.all(
      pools.flatMap((pool) =>
        Array.from({ length: 10 }, async () => {
          const { rows } = await sql<{ limit: string }>`
            select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') as limit,
              pg_sleep(0.05)`.execute(createDb(pool));
          return rows[0]?.limit;
        }),
      ),
    );
    expect(new Set(said)).toEqual(new Set(["5s 4s"]));
    const sessions = await context.pool.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'many'",
    );
    expect(sessions.rowCount).toBeGreaterThan(1);
    expect(sessions.rowCount).toBeLessThanOrEqual(20);
    await Promise.all(pools.map((pool) => pool.end()));

    const plain = createPool(box.pooledUrl, 1, () => undefined, {}, "transaction");
    const { rows } = await plain.query("select current_setting('statement_timeout') as limit");
    expect(rows).toEqual([{ limit: "0" }]);
    await plain.end();
  });

  test("cancels slow statements and lock waits of pages behind the pooler", async () => {
    const locker = await context.pool.connect();
    try {
      await locker.query("begin");
      await locker.query("lock table catalogue_items in access exclusive mode");
      const ask = client();
      const answer = await ask("/dashboard");
      expect(answer.status).toBe(503);
      expect(answer.headers["retry-after"]).toBe("5");
    } finally {
      await locker.query("rollback");
      locker.release();
    }
    expect((await client()("/dashboard")).status).toBe(200);
  });

  test("responds 503 when no session of the pooler is free", async () => {
    const holders = createPool(box.pooledUrl, 20, () => undefined, {}, "transaction");
    const held = await Promise.all(Array.from({ length: 20 }, () => holders.connect()));
    try {
      await Promise.all(held.map((each) => each.query("begin")));
      const answer = await client()("/check/user?email=waiting@example.com");
      expect(answer.status).toBe(503);
      expect(answer.headers["retry-after"]).toBe("5");
    } finally {
      await Promise.all(held.map((each) => each.query("rollback")));
      for (const each of held) each.release();
      await holders.end();
    }
    expect((await client()("/check/user?email=waiting@example.com")).status).toBe(200);
  });

  test("treats sessions ended by PostgreSQL as transient, and continues with new ones", async () => {
    const pool = createPool(box.pooledUrl, 1, () => undefined, { statementMs: 30_000 }, "transaction");
    const db = createDb(pool);
    const slow = sql`select pg_sleep(20)`.execute(db).catch((error: unknown) => error);
    await until("the statement is running", async () => (await cut("query like 'select pg_sleep(20)%'")) > 0);
    expect(isTransientDbError(await slow)).toBe(true);
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await db.destroy();
  });

  test("refuses a web without the pooler setting, and a worker through the pooler", async () => {
    const web = createPool(box.pooledUrl, 1, () => undefined, { statementMs: 1_000 });
    await expect(web.query("select 1")).rejects.toThrow(/unsupported startup parameter/);
    await web.end();
    expect(() => readWorkerEnv({ ...box.env.web })).toThrow(/DATABASE_POOLER/);
  });
});

async function statusOf(id: OrderId): Promise<string> {
  return (await readOrder(context.db, id)).fulfilment_status;
}

/** Ends the sessions of this database that match a condition. @returns their number */
async function cut(condition: string): Promise<number> {
  const { rowCount } = await context.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  );
  return rowCount ?? 0;
}

interface Failed {
  method: "GET" | "POST";
  path: string;
  how: string;
}

/** Starts eight clients that request in a loop: public pages, pages with a cookie, files, forms. */
function startTraffic() {
  const failed: Failed[] = [];
  let answered = 0;
  let isOver = false;
  const cookie = { Cookie: "country=IN" };
  const visits = [
    { path: "/" },
    { path: "/login", headers: cookie },
    { path: `/order/${brio.family}/${brio.item}/IN`, form: { term: "P1Y", quantity: "2" } },
    { path: "/", headers: cookie },
    { path: "/icons.svg" },
  ];
  const clients = Array.from({ length: 8 }, async (_, index) => {
    const ask = client();
    for (let n = index; !isOver; n += 1) {
      const { path, ...options } = visits[n % visits.length] ?? { path: "/" };
      const how = await ask(path, options).then(
        ({ status }) => (status < 400 ? null : String(status)),
        (error: Error) => error.message,
      );
      if (how !== null) failed.push({ method: "form" in options ? "POST" : "GET", path, how });
      answered += 1;
      await sleep(5);
    }
  });
  return {
    /** Waits for the given number of further responses. */
    async after(count: number): Promise<void> {
      const from = answered;
      await until("the traffic continues", () => answered >= from + count);
    },
    async end(): Promise<Failed[]> {
      isOver = true;
      await Promise.all(clients);
      expect(answered).toBeGreaterThan(100);
      return failed;
    },
  };
}
