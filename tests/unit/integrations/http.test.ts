// Conversion of any provider's response, or its absence, to a value or an error.
import fc from "fast-check";
import { HttpResponse } from "msw";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type HttpRequest,
  type ProviderCall,
  parseResponse,
  pathOf,
  send,
} from "#server/integrations/http.ts";
import { secondsOfRetryAfter } from "#server/integrations/response.ts";
import { answering, failureOf, json, late, wire } from "./support.ts";

const server = wire();
const url = "https://provider.test/v1/things";
const shape = z.object({ id: z.string() });

function call(extra: Partial<HttpRequest> = {}) {
  return send({ provider: "gst", method: "GET", url, timeoutMs: 1000, ...extra }).then((answer) =>
    parseResponse(answer, shape),
  );
}

describe("a response", () => {
  const html = () => new Response("<html>Bad gateway</html>", { status: 502 });
  const cases: [string, () => Response, Record<string, unknown>][] = [
    [
      "429",
      json({ statusCode: 429, message: "slow" }, 429, { "retry-after": "7" }),
      { kind: "transient", status: 429, retryAfterSeconds: 7, description: "slow" },
    ],
    ["408", json({}, 408), { kind: "transient", status: 408, code: undefined }],
    [
      "500",
      json({ code: 10000, description: "Oops" }, 500),
      { kind: "transient", status: 500, code: "10000" },
    ],
    ["502 that is not JSON", html, { kind: "transient", status: 502, code: undefined }],
    [
      "503 with a date",
      json({}, 503, { "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT" }),
      { kind: "transient", retryAfterSeconds: 0 },
    ],
    [
      "400",
      json({ code: 600049, description: "No" }, 400),
      { kind: "refused", status: 400, code: "600049", description: "No" },
    ],
    [
      "400, nested",
      json({ error: { code: "BAD_REQUEST_ERROR", description: "No" } }, 400),
      { kind: "refused", code: "BAD_REQUEST_ERROR", description: "No" },
    ],
    [
      "400, Google's",
      json({ error: { code: 400, message: "No", status: "INVALID_ARGUMENT" } }, 400),
      { kind: "refused", code: "INVALID_ARGUMENT", description: "No" },
    ],
    [
      "400, OAuth's",
      json({ error: "invalid_grant", error_description: "No" }, 400),
      { kind: "refused", code: "invalid_grant", description: "No" },
    ],
    [
      "404 that is not JSON",
      () => new Response("gone", { status: 404 }),
      { kind: "refused", status: 404, code: undefined },
    ],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test" } }),
      { kind: "refused", status: 302, code: "unexpected_answer" },
    ],
    [
      "200 of another shape",
      json({ name: "x" }),
      { kind: "refused", status: 200, code: "unexpected_answer" },
    ],
    [
      "200 that is not JSON",
      () => new Response("<html>"),
      { kind: "refused", status: 200, code: "unexpected_answer" },
    ],
    ["200 with nothing", () => new Response(""), { kind: "refused", status: 200, code: "unexpected_answer" }],
    ["a reset connection", () => HttpResponse.error(), { kind: "transient", status: undefined }],
  ];

  test.each(cases)("becomes an error: %s", async (_name, reply, expected) => {
    server.use(answering(url, reply).handler);
    expect(await failureOf(call())).toMatchObject({ provider: "gst", ...expected });
  });

  test("becomes a value in the expected shape, without extra fields", async () => {
    server.use(answering(url, json({ id: "a", more: 1 })).handler);
    expect(await call()).toEqual({ id: "a" });
  });
});

test("treats a timeout as transient", async () => {
  server.use(late(url));
  expect(await failureOf(call({ timeoutMs: 30 }))).toMatchObject({
    kind: "transient",
    code: "timeout",
    status: undefined,
  });
});

test("redacts secrets, query strings and bodies in errors", async () => {
  server.use(answering(url, json({ code: "x", description: "Password Secret-1 is weak" }, 400)).handler);
  const error = await failureOf(
    call({
      method: "POST",
      url: `${url}?token=abc`,
      json: { password: "Secret-1" },
      secrets: ["Secret-1", ""],
    }),
  );
  expect(error.message).toBe("gst refused POST /v1/things (400, x)");
  expect(error.description).toBe("Password *** is weak");
});

test("shortens a long description", async () => {
  server.use(answering(url, json({ description: "x".repeat(5000) }, 400)).handler);
  expect((await failureOf(call())).description?.length).toBeLessThan(310);
});

test("reports every call to the log hook, without its query string", async () => {
  const calls: ProviderCall[] = [];
  const onCall = (one: ProviderCall) => calls.push(one);
  server.use(answering(url, json({ id: "a" }), () => HttpResponse.error()).handler);
  await call({ url: `${url}?secret=1`, requestId: "r-1", onCall });
  await failureOf(call({ onCall }));
  expect(calls).toMatchObject([
    { provider: "gst", method: "GET", path: "/v1/things", status: 200, requestId: "r-1" },
    { provider: "gst", method: "GET", path: "/v1/things", status: null, requestId: null },
  ]);
  expect(calls.every((one) => Number.isInteger(one.ms) && one.ms >= 0)).toBe(true);
});

test.each([
  ["120", 120],
  ["0", 0],
  ["Thu, 01 Jan 1970 00:01:30 GMT", 90],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  [null, undefined],
])("parses Retry-After %s as %s seconds", (value, seconds) => {
  expect(secondsOfRetryAfter(value, 0)).toBe(seconds);
});

test("escapes a value of a path to one segment, whatever it contains", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
      fc.pre(!/^\.*$/.test(value));
      const { pathname, search, hash } = new URL(`https://x.test${pathOf`/v1/a/${value}/b`}`);
      expect(pathname.split("/")).toHaveLength(5);
      expect(decodeURIComponent(pathname.split("/")[3] ?? "")).toBe(value);
      expect(search + hash).toBe("");
    }),
  );
  for (const value of ["", ".", ".."]) expect(() => pathOf`/v1/${value}`).toThrow(RangeError);
});
