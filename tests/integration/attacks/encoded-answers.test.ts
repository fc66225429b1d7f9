/**
 * Data that a client can make the store encode for browsers (turbo-stream), whose encoder and decoder are slow on deep nesting.
 */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { newOrder } from "#tests/bench/screens.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const { stack } = await startStore();

const { decode }: { decode: (stream: ReadableStream<Uint8Array>) => Promise<{ value: unknown }> } =
  createRequire(createRequire(import.meta.url).resolve("@remix-run/server-runtime"))("turbo-stream");

/** Depth that no regular response reaches. */
const deepest = 12;

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const nested = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;

test.each([
  ["dots", `quantity${".a".repeat(5_000)}=1`],
  ["brackets", `quantity${"[0]".repeat(5_000)}=1`],
  ["both", `quantity${"[a].b".repeat(2_000)}=1`],
  ["JSON in a field", `quantity=${encodeURIComponent(nested)}`],
  ["a state of the form library", `__state__=${encodeURIComponent(nested)}`],
  [
    "an intent of the form library",
    `__intent__=${encodeURIComponent(`{"type":"update","payload":${nested}}`)}`,
  ],
  ["the format itself", `quantity=${encodeURIComponent('[{"_1":2},"a",["E","x","Function"]]')}`],
])("responds to a form nested by %s with flat data and no error object", async (_what, body) => {
  const answer = await new HttpBrowser(stack.url).ask(`${newOrder}.data`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
    body,
  });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toContain("text/x-script");
  const stream = new Response(answer.text).body;
  if (stream === null) throw new Error("Expected a body");
  const { value } = await decode(stream);
  expect(value).toMatchObject({ data: { result: { status: "error" } } });
  expect(depthOf(value)).toBeLessThan(deepest);
  expect(answer.text).not.toMatch(/"(E|SanitizedError)",/);
});
