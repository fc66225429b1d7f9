/** Requests for the routes of other addresses (`/__manifest`): Remix searches all routes for each part of each address. */
import { expect, test } from "vitest";
import { send } from "#tests/bench/cost/send.ts";
import { routesVersion } from "#tests/bench/cost/walk.ts";
import { newOrder } from "#tests/bench/screens.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const { stack } = await startStore();
const version = await routesVersion(new HttpBrowser(stack.url));
const statusOf = (path: string, method = "GET") => send(stack.url, { method, path, headers: {} });
const readRequests = (query: string) => `/__manifest?version=${version}&${query}`;

function addresses(count: number): string {
  return Array.from({ length: count }, (_, n) => `p=/desk/${n}`).join("&");
}

test.each([
  ["one deep address", readRequests(`p=/w1${"/a".repeat(3_500)}`)],
  ["one deep address below a known route", readRequests(`p=/order${"/a".repeat(30)}`)],
  ["encoded slashes", readRequests(`p=${"%2fa".repeat(1_500)}`)],
  ["empty segments", readRequests(`p=${"/".repeat(7_000)}`)],
  ["the deep address after a short one", readRequests(`p=/login&p=${"/a".repeat(3_000)}`)],
  // Remix itself refuses addresses longer than 7,680 characters.
  ["many addresses", readRequests(addresses(500))],
  ["one address more than a page asks for", readRequests(addresses(9))],
  ["an address with dots", `/x/..${readRequests(`p=${"/a".repeat(3_000)}`)}`],
  ["an address with escaped dots", `/x/%2E%2e${readRequests(`p=${"/a".repeat(3_000)}`)}`],
  ["an address with a backslash", `/x\\..\\__manifest?version=${version}&p=${"/a".repeat(3_000)}`],
  ["an encoded parameter", `/__manifest?version=${version}&%70=${"/a".repeat(3_000)}`],
])("refuses %s", async (_what, path) => {
  expect(await statusOf(path)).toBe(400);
  expect(await statusOf(path, "POST")).toBe(400);
});

test("returns a step's own form and its next addresses", async () => {
  const order = `/order/7d4b0a9e-8c1f-4a52-9a39-0a2c2f1f6a11/microsoft/microsoft-365-business-basic/IN`;
  const answer = await new HttpBrowser(stack.url).get(
    readRequests(`p=${newOrder}&p=${order}/create-account&p=${order}/order-processed`),
  );
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("order/order-processed");
});
