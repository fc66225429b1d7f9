/**
 * Requests per second of pages relative to the empty page, measured alternately so that other load on the machine affects all
 * equally. Each request renders its page: the process caches no copies.
 */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import * as paths from "#server/foundation/paths.ts";
import { projectFolder } from "#server/operations/built-commands.mjs";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { median } from "./budgets.ts";
import type { Places } from "./places.ts";
import { newOrder } from "./screens.ts";
import { printTable } from "./table.ts";

interface Target {
  name: string;
  url: string;
  cookie?: string;
}

const rounds = 9;
const seconds = 2;
const connections = 10;
const report = z.object({
  requests: z.object({ average: z.number() }),
  non2xx: z.number(),
  errors: z.number(),
});

/** Prints a table. A low ratio does not fail: investigate a page below a tenth of the empty page's rate. */
export async function benchThroughput(
  storeUrl: string,
  emptyPageUrl: string,
  { begun, atReview, paid, done, owner }: Places,
): Promise<void> {
  const page = (name: string, address: string, as?: HttpBrowser): Target => ({
    name,
    url: `${storeUrl}${address}`,
    ...(as === undefined ? {} : { cookie: cookieOf(as) }),
  });
  const pages = [
    page("login", paths.login()),
    page("sign up", paths.signup()),
    page("home", paths.home()),
    page("home, signed in", paths.home(), owner),
    page("1 Subscription Details, new", newOrder),
    page("2 Create Account, of one buyer", `${begun.path}/create-account`, begun.browser),
    page("3 Place Order, of one buyer", `${atReview.path}/place-order`, atReview.browser),
    page("4 Microsoft Sign-In, of one buyer", `${paid.path}/sign-in`, paid.browser),
    page("5 Order Processed, of one buyer", `${done.path}/order-processed`, done.browser),
    page("My Subscriptions", paths.subscriptions(), owner),
    page("My Orders", paths.myOrders(), owner),
  ];
  const [empty = [], ...measured] = await throughputOf([{ name: "empty page", url: emptyPageUrl }, ...pages]);
  const ratios = pages.map((each, index) => {
    const rates = measured[index] ?? [];
    // Ratio within each round, because the machine's own speed varies between rounds.
    return { ...each, rate: median(rates), ratio: median(rates.map((rate, at) => rate / (empty[at] ?? 0))) };
  });
  console.log("\nThroughput\n");
  printTable(
    ["page", "requests/s", "of the empty page"],
    [
      ["empty page", median(empty).toFixed(0), "1.00"],
      ...ratios.map(({ name, rate, ratio }) => [name, rate.toFixed(0), ratio.toFixed(2)]),
    ],
  );
}

export function cookieOf(browser: HttpBrowser): string {
  return Object.entries(browser.cookies())
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
}

/** @returns requests per second of each round, for each target, in the given order */
async function throughputOf(targets: readonly Target[]): Promise<number[][]> {
  for (const target of targets) await load(target, 1);
  const measured = targets.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, target] of targets.entries()) measured[index]?.push(await load(target, seconds));
  }
  return measured;
}

/** Generates load from a separate process, so that reading the server's log here does not slow it down. */
async function load({ name, url, cookie }: Target, duration: number): Promise<number> {
  const autocannon = path.join(projectFolder, "node_modules/.bin/autocannon");
  const headers = [
    "accept-encoding: gzip, deflate, br",
    ...(cookie === undefined ? [] : [`cookie: ${cookie}`]),
  ];
  const args = ["--json", "-c", String(connections), "-d", String(duration)];
  const { stdout } = await promisify(execFile)(autocannon, [
    ...args,
    ...headers.flatMap((header) => ["-H", header]),
    url,
  ]);
  const { requests, non2xx, errors } = report.parse(JSON.parse(stdout));
  if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} refused, ${errors} failed`);
  return requests.average;
}
