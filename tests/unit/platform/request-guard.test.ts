import http from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { answerErrors, completeLeaving, repairUrl } from "#server/foundation/web/request-guard.ts";
import { portOf } from "./web-server.ts";

test.each([
  ["/", "/"],
  ["/search?q=%ff#x", "/search?q=%ff#x"],
  ["/caf%C3%A9", "/caf%C3%A9"],
  ["/reset-password/%ff", "/reset-password/%25ff"],
  ["/add/user/%E0%A4%A?x=%41", "/add/user/%25E0%25A4%25A?x=%41"],
  ["/%zz", "/%25zz"],
  ["/100%", "/100%25"],
  ["//evil.example/x", "//evil.example/x"],
  ["/%5c", "/%255c"],
  ["/a/%5C%5cb?next=%5c", "/a/%255C%255cb?next=%5c"],
  ["/%5c%ff", "/%255c%25ff"],
  ["http://store.example/login?next=/", "/login?next=/"],
  ["HTTP://STORE.example", "/"],
  ["http://evil.example/login", "http://evil.example/login"],
  ["http://store.example:1/", "http://store.example:1/"],
  ["http://store.example@evil.example/", "http://store.example@evil.example/"],
  ["*", "*"],
  [`${"/a".repeat(12)}?q=/a/b`, `${"/a".repeat(12)}?q=/a/b`],
  ["", ""],
])("repairs %s to %s", (url, mended) => {
  expect(repairUrl(url, "store.example")).toBe(mended);
});

test.each([
  ["segments", "/a".repeat(4_000)],
  ["slashes", `/login${"/".repeat(8_000)}`],
  ["backslashes", `/login${"\\".repeat(8_000)}`],
  ["slashes before the end of a step", `/order${"/".repeat(8_000)}place-order`],
  ["slashes after a host", `http://store.example${"/".repeat(8_000)}`],
  ["slashes before data", `/${"/".repeat(8_000)}.data`],
])("cuts a path of %s that no route could match", (_what, path) => {
  const [mended = "", query] = repairUrl(`${path}?q=${"/".repeat(20)}`, "store.example").split("?");
  expect(mended.split(/[\\/]/)).toHaveLength(14);
  expect(mended).toMatch(/\/-$/);
  expect(query).toBe(`q=${"/".repeat(20)}`);
});

describe("answerErrors", () => {
  /** Requests a listener's page once. */
  async function requestOf(listener: http.RequestListener) {
    const reported: unknown[] = [];
    const server = http.createServer(
      answerErrors(listener, { "X-Refusal": "yes" }, (error) => reported.push(error)),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${portOf(server)}/`;
    const outcome = await fetch(url).then(
      async (response) => ({ status: response.status, refusal: response.headers.get("X-Refusal") }),
      () => "cut off",
    );
    server.closeAllConnections();
    server.close();
    return { outcome, reported };
  }
  const error = new RangeError("A library could not read the request");

  test("answers 500 for a listener that throws, and reports the error", async () => {
    const { outcome, reported } = await requestOf(() => {
      throw error;
    });
    expect(outcome).toEqual({ status: 500, refusal: "yes" });
    expect(reported).toEqual([error]);
  });

  test("cuts off a response that has started", async () => {
    const { outcome, reported } = await requestOf((_request, response) => {
      response.writeHead(200, { "Content-Length": "10" }).write("half");
      throw error;
    });
    expect(outcome).not.toMatchObject({ status: 500 });
    expect(reported).toEqual([error]);
  });
});

describe("completeLeaving", () => {
  test.each([
    ["/login?next=/cart", "/login?next=/cart"],
    [`/login?next=${"x".repeat(2_048)}`, "/login"],
    [`/search#${"x".repeat(3_000)}`, "/search"],
    [`https://elsewhere.example/pay?${"x".repeat(9_000)}`, "https://elsewhere.example/pay"],
    [`/${"x".repeat(2_048)}?q=1`, "/"],
    [`/${"x".repeat(2_047)}`, `/${"x".repeat(2_047)}`],
  ])("shortens a Location above 2,048 characters: %.40s", (given, sent) => {
    const response = new http.ServerResponse(new http.IncomingMessage(new Socket()));
    completeLeaving(response, {});
    response.setHeader("Location", given);
    response.writeHead(302);
    expect(response.getHeader("Location")).toBe(sent);
  });
});
