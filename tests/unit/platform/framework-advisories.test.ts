/**
 * Published vulnerabilities in the dependencies of Remix 2: fixed through `overrides` (package.json), or not reachable for a
 * client.
 */
import { createRequire } from "node:module";
import { afterEach, describe, expect, test, vi } from "vitest";
import { smallServer } from "#tests/support/small-server.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const require = createRequire(import.meta.url);
const { resolvePath }: typeof import("@remix-run/router") = require("@remix-run/router");

describe("a path resolved by React Router", () => {
  test.each(["//evil.example", "///evil.example/x", "https://evil.example", "//evil.example//x"])(
    "stays on this host: %s",
    (to) => {
      expect(resolvePath(to, "/login").pathname).toMatch(/^\/(?!\/)/);
    },
  );
});

/** The instance that Remix's server uses. Only encoding is safe with hostile data: the advisories concern decoding. */
const turboStream: { encode: (data: unknown) => ReadableStream<Uint8Array>; decode: unknown } = createRequire(
  require.resolve("@remix-run/server-runtime"),
)("turbo-stream");

describe("turbo-stream on the server", () => {
  afterEach(() => void vi.restoreAllMocks());

  const deep = `[${"[".repeat(50_000)}${"]".repeat(50_000)}]`;
  const flat = JSON.stringify([{ _1: 2 }, "name", ["E", "x", "Function"]]);
  test.each([
    ["a post of its format", "text/x-script", flat],
    ["a deep post of its format", "text/x-script", deep],
    ["a deep post of JSON", "application/json", deep],
    ["a deferred answer's format", "text/remix-deferred", `P0:${flat}`],
    [
      "a form with its format in a field",
      "application/x-www-form-urlencoded",
      `_=${encodeURIComponent(flat)}`,
    ],
  ])("does not decode %s", async (_what, type, body) => {
    const decode = vi.spyOn(turboStream, "decode" as never);
    const encode = vi.spyOn(turboStream, "encode");
    let read = "";
    const { answer } = smallServer(async ({ request }) => {
      read = await request.text();
      return null;
    });
    const headers = {
      "Content-Type": type,
      "X-Remix-Response": "yes",
      Cookie: `session=${encodeURIComponent(flat)}`,
    };
    for (const path of ["/one.data", "/one", "/one.data?_routes=root"]) {
      await answer(new Request(`http://store${path}`, { method: "POST", headers, body }));
      await answer(new Request(`http://store${path}`, { headers }));
    }
    expect(read).toBe(body);
    expect(encode).toHaveBeenCalled();
    expect(decode).not.toHaveBeenCalled();
  });

  test("stays unused by our code", () => {
    const ours = ["app", "server", "db"].flatMap((folder) => filesUnder(folder, /\.[mt]sx?$/));
    expect(ours.filter((file) => textOf(file).includes("turbo-stream"))).toEqual([]);
  });
});
