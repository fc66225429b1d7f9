/** A library that throws before the app has the request: Node would end the process and all other requests. */
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startStore } from "#tests/support/store.ts";

const throwing = pathToFileURL("tests/support/unreadable-icon.mjs").href;
const { stack } = await startStore({ env: { NODE_OPTIONS: `--import=${throwing}` } });

test.each<[what: string, headers: Record<string, string>]>([
  ["GET", {}],
  ["GET of a part", { Range: "bytes=0-9" }],
  ["GET without compression", { "Accept-Encoding": "identity" }],
])("%s: ends without a response, while the store continues", async (_what, headers) => {
  // The response's head was sent before, so no error can be sent.
  await expect(fetch(`${stack.url}/icon-192.png`, { headers })).rejects.toThrow("fetch failed");
  expect((await fetch(`${stack.url}/livez`)).status).toBe(200);
});

test("logs each as an error with its cause", () => {
  const faults = stack.unexpectedErrors();
  expect(faults).toHaveLength(3);
  for (const line of faults) {
    expect(line).toContain("a request could not be answered");
    expect(line).toContain("no such part");
  }
});
