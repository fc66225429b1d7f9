/**
 * Fifty thousand requests of every kind to one web, with their jobs in one worker (`npm run test:drill -- memory`): over the last
 * half neither grows. Memory is measured after a forced garbage collection, because between two collections a process may hold
 * any amount.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { drillSeed, reportDrillResult } from "#tests/support/drill-result.ts";
import { type Fleet, type SupervisedProcess, startFleet } from "#tests/support/fleet.ts";
import { reportsHeap } from "#tests/support/heap.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, freshEmail, type OpenPayment, returnForm, toCheckout } from "#tests/support/journey.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { until } from "#tests/support/until.ts";
import { readBooks } from "./ledger.ts";

const requests = 50_000;
const sampleEvery = 500;
const concurrentClients = 6;
/** Maximum growth over the last half, in MB per 10,000 requests. A leak of one page's data per request is some hundred. */
const mostSlope = 6;
const wanted = { family: "brio", item: "brio-desk" };

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ each: 1, env: reportsHeap });
});
afterAll(() => fleet?.stop());

test(`keeps web and worker at their size over ${requests} requests (seed ${drillSeed})`, async () => {
  const random = seededRandom(drillSeed);
  const [web] = fleet.webs;
  const [worker] = fleet.workers;
  if (web === undefined || worker === undefined) throw new Error("The fleet has no web or no worker");
  const asks = requestsOf(await bought());
  const samples: { sent: number; web: Memory; worker: Memory }[] = [];
  const unexpected = new Map<string, number>();
  let sent = 0;
  await Promise.all(
    Array.from({ length: concurrentClients }, async () => {
      while (sent < requests) {
        sent += 1;
        if (sent % sampleEvery === 0)
          samples.push({ sent, web: await memoryOf(web), worker: await memoryOf(worker) });
        const ask = drawn(asks, random);
        const status = await ask.send();
        if (status >= 500) unexpected.set(`${ask.name}: ${status}`, (unexpected.get(ask.name) ?? 0) + 1);
      }
    }),
  );
  await until("the jobs are done", async () => (await readBooks(fleet)).stuck.length === 0, {
    timeoutMs: 120_000,
    everyMs: 1_000,
  });

  const half = samples.filter((sample) => sample.sent > requests / 2);
  const slopes = {
    web: slopeOf(half.map(({ sent: count, web }) => [count, web.collected])),
    worker: slopeOf(half.map(({ sent: count, worker }) => [count, worker.collected])),
  };
  const last = half.at(-1);
  const most = (of: "web" | "worker") => Math.max(...samples.map((sample) => sample[of].resident));
  const { paid, fulfilledOnce } = await readBooks(fleet);
  reportDrillResult("memory", {
    requests: sent,
    "MB in web": last?.web.collected ?? 0,
    "MB in web for each 10,000 of the last half": slopes.web,
    "MB in web before a collection at most": most("web"),
    "MB in worker": last?.worker.collected ?? 0,
    "MB in worker for each 10,000 of the last half": slopes.worker,
    "MB in worker before a collection at most": most("worker"),
    paid,
    "fulfilled once": fulfilledOnce,
    "server errors": unexpected.size,
  });
  expect(Object.fromEntries(unexpected)).toEqual({});
  expect(fulfilledOnce).toBe(paid);
  expect([...web.endings, ...worker.endings]).toEqual([]);
  const seen = samples.map(
    ({ sent: count, web, worker }) => `${count}: ${web.collected} ${worker.collected}`,
  );
  expect(slopes.web, seen.join(", ")).toBeLessThan(mostSlope);
  expect(slopes.worker, seen.join(", ")).toBeLessThan(mostSlope);
}, 3_600_000);

interface Ask {
  name: string;
  /** Relative frequency. */
  weight: number;
  send(): Promise<number>;
}

/** A buyer with a fulfilled order. */
async function bought(): Promise<OpenPayment> {
  const order = await toCheckout(fleet.stack.url, { wanted });
  await pay(order);
  return order;
}

async function pay({ browser, providerOrderId }: OpenPayment): Promise<void> {
  const paid = await fleet.sides.controls.pay({ orderId: providerOrderId });
  await browser.post("/payments/return", returnForm(providerOrderId, paid));
}

/** Pages with and without a session, calls, documents and posts, in a store's usual proportions. */
function requestsOf(order: OpenPayment): Ask[] {
  const { url } = fleet.stack;
  const { browser: buyer } = order;
  const get = (name: string, path: string, weight: number, browser = buyer): Ask => ({
    name,
    weight,
    send: async () => (await browser.get(path)).status,
  });
  const visitor = new HttpBrowser(url);
  const json = { Accept: "application/json" };
  const step = paths.newOrder({ family: "microsoft", item: "microsoft-365-business-basic", country: "IN" });
  return [
    get("home", paths.home(), 10, visitor),
    get("home, signed in", paths.home(), 10),
    get("login", paths.login(), 5, visitor),
    get("step 1", step, 8, visitor),
    get("my orders", paths.myOrders(), 10),
    get("my subscriptions", paths.subscriptions(), 10),
    get("account", paths.account(), 4),
    get("cart", paths.cart(), 4),
    get("closure", `${order.path}/order-processed`, 5),
    get("invoice", paths.invoice(order.id), 4),
    get("invoice in PDF", paths.invoicePdf(order.id), 2),
    get("nothing there", "/no/such/page", 2, visitor),
    get("health", "/health", 5, visitor),
    {
      name: "stage, a call",
      weight: 6,
      send: async () => (await buyer.get(paths.stage(order.id), json)).status,
    },
    {
      name: "a new order",
      weight: 6,
      async send() {
        await beginOrder(new HttpBrowser(url), { wanted });
        return 303;
      },
    },
    {
      name: "a wrong password",
      weight: 1,
      send: async () =>
        (await new HttpBrowser(url).post(paths.login(), { email: freshEmail(), password: "not-mine" }))
          .status,
    },
    {
      name: "a purchase",
      weight: 0.5,
      async send() {
        await pay(await toCheckout(url, { wanted }));
        return 303;
      },
    },
  ];
}

function drawn(asks: readonly Ask[], random: (from: number, to: number) => number): Ask {
  const total = asks.reduce((sum, { weight }) => sum + weight, 0);
  let left = (random(0, 1_000_000) / 1_000_000) * total;
  for (const ask of asks) {
    left -= ask.weight;
    if (left < 0) return ask;
  }
  throw new RangeError("No request has a weight");
}

/** Resident memory, in MB. */
interface Memory {
  resident: number;
  /** Memory after a garbage collection. */
  collected: number;
}

async function memoryOf(kept: SupervisedProcess): Promise<Memory> {
  const pid = kept.pid();
  if (pid === undefined) throw new Error(`${kept.name} does not run`);
  const resident = residentMb(kept);
  const answers = () => kept.lines.filter((line) => line.includes('"heapUsed"')).length;
  const before = answers();
  process.kill(pid, "SIGUSR2");
  await until(`${kept.name} has collected its garbage`, () => answers() > before, { everyMs: 20 });
  return { resident, collected: residentMb(kept) };
}

/** Resident memory from /proc, or from `ps`. */
function residentMb(kept: SupervisedProcess): number {
  const status = `/proc/${kept.pid()}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(kept.pid())], { encoding: "utf8" });
  return Math.round(Number(kilobytes) / 1_024);
}

/** Slope of the least-squares line through the points, in MB per 10,000 requests. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const along = points.reduce((sum, [count, mb]) => sum + (count - x) * (mb - y), 0);
  const across = points.reduce((sum, [count]) => sum + (count - x) ** 2, 0);
  return Math.round((along / across) * 10_000 * 10) / 10;
}
