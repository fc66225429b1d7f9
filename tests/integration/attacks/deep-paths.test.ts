/** Paths deeper than any route, on which the router once spent half a second: each gets an ordinary 404. */
import { expect, test } from "vitest";
import { judgeOf, repeats } from "#tests/bench/cost/judge.ts";
import { startMeter } from "#tests/bench/cost/meter.ts";
import { send } from "#tests/bench/cost/send.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const { stack } = await startStore();

const deep: [what: string, path: string][] = [
  ["slashes", `/login${"/".repeat(7_900)}`],
  ["slashes before a file's ending", `/login${"/".repeat(7_900)}.css`],
  ["slashes inside a step", `/order/a${"/".repeat(7_900)}place-order`],
  ["slashes before data", `/subscriptions${"/".repeat(7_900)}x.data`],
  ["backslashes", `/desk/acts/order.refund${"\\".repeat(7_900)}`],
  ["blanks of segments", `/buy/more${"/%20".repeat(1_900)}`],
];

test.each(deep)("returns 404 for %s", async (_what, path) => {
  expect(await send(stack.url, { method: "GET", path, headers: {} })).toBe(404);
});

test("shows the page for unknown addresses and returns JSON for calls", async () => {
  const page = await new HttpBrowser(stack.url).get(`/login${"/".repeat(7_900)}`);
  expect(page.status).toBe(404);
  expect(page.text).toContain('<main id="main"');
  const call = await new HttpBrowser(stack.url).get(`/api/login${"/".repeat(7_900)}`);
  expect(JSON.parse(call.text)).toMatchObject({ error: expect.any(String) });
});

test.skipIf(process.platform !== "linux")(
  "spends no more on a deep path than on a few of its segments",
  async () => {
    const meter = await startMeter({ webPid: stack.webPid(), databaseUrl: stack.databaseUrl });
    const judge = judgeOf(stack.url, meter);
    try {
      for (const [about, path] of deep) {
        const of = (length: number) => ({
          ...{ kind: "path", who: "visitor" as const, about },
          make: () => ({ method: "GET", path: path.slice(0, length), headers: {} }),
        });
        const least = async (length: number) => {
          const costs = [];
          for (let n = 0; n < repeats; n += 1) costs.push((await judge.once(of(length), length)).web);
          return Math.min(...costs);
        };
        expect(await least(8_000), about).toBeLessThan(10 * (await least(60)));
      }
    } finally {
      await meter.stop();
    }
  },
);
