/** Static files: compressed once, served in the encoding that the browser accepts, and never from outside their folder. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesFrom, packFiles } from "#server/foundation/web/files.ts";
import { portOf } from "./web-server.ts";

const scratch = mkdtempSync(path.join(tmpdir(), "hubs-files-"));
const folder = path.join(scratch, "client");
const script = `console.log("${"once and again ".repeat(50)}");`;
let server: http.Server;

beforeAll(async () => {
  mkdirSync(path.join(folder, "assets"), { recursive: true });
  mkdirSync(path.join(folder, ".vite"));
  writeFileSync(path.join(folder, "assets/page-abc.js"), script);
  writeFileSync(path.join(folder, "assets/tiny.js"), "1;");
  writeFileSync(path.join(folder, "assets/picture.avif"), Buffer.alloc(1_000));
  writeFileSync(path.join(folder, "favicon.ico"), "icon");
  writeFileSync(path.join(folder, "social.png"), "picture");
  writeFileSync(path.join(folder, "offline.html"), "<p>offline</p>");
  writeFileSync(path.join(folder, "icon.svg"), `<svg>${"<g/>".repeat(200)}</svg>`);
  writeFileSync(path.join(folder, ".vite/manifest.json"), JSON.stringify({ secret: "x".repeat(500) }));
  writeFileSync(path.join(scratch, "secret.txt"), "not for browsers");
  packFiles(folder);
  const files = filesFrom(folder);
  server = http.createServer((request, response) =>
    files(request, response, () => response.writeHead(404).end("the app's own")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(scratch, { recursive: true, force: true });
});

interface Raw {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a raw request: `fetch` would normalise the path and decompress the body. */
function ask(url: string, { method = "GET", ...headers }: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: portOf(server), path: url, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    request.once("error", reject);
    request.end();
  });
}

describe("packing", () => {
  test("writes two compressed copies of what compresses well, and skips the rest", () => {
    expect(readdirSync(path.join(folder, "assets")).sort()).toEqual([
      "page-abc.js",
      "page-abc.js.br",
      "page-abc.js.gz",
      "picture.avif",
      "tiny.js",
    ]);
  });
});

describe("serving", () => {
  test.each([
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip, deflate", "gzip", gunzipSync],
    ["identity", undefined, (body: Buffer) => body],
    ["", undefined, (body: Buffer) => body],
  ] as const)("answers '%s' with a matching encoding", async (accepted, encoding, unpack) => {
    const { status, headers, body } = await ask("/assets/page-abc.js", { "Accept-Encoding": accepted });
    expect(status).toBe(200);
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers["content-type"]).toBe("text/javascript");
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers.vary).toBe("Accept-Encoding");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(unpack(body).toString()).toBe(script);
  });

  test("caches files with a content hash permanently, and others for an hour", async () => {
    const cacheOf = async (url: string) => (await ask(url)).headers["cache-control"];
    expect(await cacheOf("/assets/page-abc.js")).toBe("max-age=31536000,immutable");
    expect(await cacheOf("/icon.svg")).toBe("public,max-age=3600");
  });

  test("declares each file's type, and lets other sites embed the social picture only", async () => {
    for (const [url, type, elsewhere] of [
      ["/favicon.ico", "image/x-icon", "same-origin"],
      ["/icon.svg", "image/svg+xml", "same-origin"],
      ["/offline.html", "text/html;charset=utf-8", "same-origin"],
      ["/assets/page-abc.js", "text/javascript", "same-origin"],
      ["/social.png", "image/png", "cross-origin"],
    ] as const) {
      const { headers } = await ask(url);
      expect(headers["content-type"], url).toBe(type);
      expect(headers["x-content-type-options"], url).toBe("nosniff");
      expect(headers["cross-origin-resource-policy"], url).toBe(elsewhere);
    }
  });

  test("sends documents with headers that forbid frames, scripts and foreign referrers", async () => {
    const { headers } = await ask("/offline.html");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.* frame-ancestors 'none'/);
    expect(headers["content-security-policy"]).not.toContain("script-src");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["referrer-policy"]).toBe("same-origin");
  });

  test("answers HEAD with the same headers and no body", async () => {
    const head = await ask("/assets/page-abc.js", { method: "HEAD", "Accept-Encoding": "br" });
    const get = await ask("/assets/page-abc.js", { "Accept-Encoding": "br" });
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  });

  test("answers 304 for a file that the browser has", async () => {
    const { headers } = await ask("/icon.svg");
    const again = await ask("/icon.svg", { "If-None-Match": headers.etag ?? "" });
    expect(again.status).toBe(304);
  });

  test.each([
    "/assets/gone.js",
    "/assets/",
    "/assets",
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "//secret.txt",
    "/.vite/manifest.json",
    "/.vite/manifest.json.br",
    "/assets/%",
    "/assets/page-abc",
  ])("leaves %s to the app", async (url) => {
    const { status, body } = await ask(url, { "Accept-Encoding": "br" });
    expect([status, body.toString()]).toEqual([404, "the app's own"]);
  });

  test("leaves a POST to a file's address to the app", async () => {
    expect((await ask("/icon.svg", { method: "POST" })).status).toBe(404);
  });
});

test.each([
  "bytes=0-1",
  "bytes=5-1",
  "bytes=2026-1",
  "bytes=-1",
  "bytes=99999-",
  "bytes=0-0,2-3",
  "bytes=9e99-0",
  "bytes=",
  "lines=1-2",
])("sends the whole file for Range: %s", async (Range) => {
  const answer = await ask("/favicon.ico", { Range });
  expect(answer.status).toBe(200);
  expect(answer.body.toString()).toBe("icon");
});
