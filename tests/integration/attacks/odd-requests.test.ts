/** Requests that no regular client sends, with odd methods, hosts, addresses and bodies: each gets a complete response soon. */
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { describe, expect, test } from "vitest";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const { stack } = await startStore();
const { port } = new URL(stack.url);

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends the request unchanged and reads until the connection closes. */
async function raw(head: readonly string[], body = ""): Promise<RawAnswer> {
  const socket = net.connect(Number(port), "localhost");
  socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  await once(socket, "close");
  const [top = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = top.split("\r\n");
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2));
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers.map(([name = "", value = ""]) => [name.toLowerCase(), value])),
    body: rest.join("\r\n\r\n"),
  };
}

test.each([
  "bytes=2026-1",
  "bytes=5-2",
  "bytes=-",
  "bytes=0-0,5-6",
  "bytes=99999999999999999999-0",
  `bytes=${"9".repeat(7_000)}-1`,
  "items=3-1",
])("sends the whole file for an invalid Range: %.40s", async (range) => {
  for (const path of ["/icon-192.png", "/manifest.webmanifest", "/robots.txt"]) {
    const head = [`GET ${path} HTTP/1.1`, `Host: localhost:${port}`, `Range: ${range}`];
    expect((await raw(head)).status, path).toBe(200);
  }
  expect((await raw(["GET /health HTTP/1.1", `Host: localhost:${port}`])).status).toBe(200);
  expect(stack.unexpectedErrors()).toEqual([]);
});

describe("a request that no route can answer", () => {
  const host = `Host: localhost:${port}`;
  test.each<[what: string, head: string[], status: number]>([
    ["TRACE", ["TRACE / HTTP/1.1", host], 405],
    ["TRACE of a call", ["TRACE /check/user HTTP/1.1", host], 405],
    ["half an address", ["GET / HTTP/1.1", "Host: ["], 400],
    ["a percent sign", ["GET / HTTP/1.1", "Host: %"], 400],
    ["a space", ["GET / HTTP/1.1", "Host: a b"], 400],
    ["a path", ["GET / HTTP/1.1", "Host: a/b"], 400],
    ["a person", ["GET / HTTP/1.1", "Host: a@b"], 400],
    ["a port there is not", ["GET / HTTP/1.1", "Host: a:99999"], 400],
    ["a file", ["GET /robots.txt HTTP/1.1", "Host: ["], 400],
    ["a star for a path", ["OPTIONS * HTTP/1.1", host], 400],
  ])("gets an explanation, a request id and the security headers: %s", async (_what, head, status) => {
    const answer = await raw(head);
    expect(answer.status).toBe(status);
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["x-frame-options"]).toBe("DENY");
    expect(answer.headers["content-type"]).toContain("text/plain");
    expect(answer.body).not.toContain("<");
    if (status === 405) expect(answer.headers.allow).toBe("GET, HEAD, POST");
  });

  test.each(["localhost", "[::1]:3000", "store.example", "my_host:80", "127.0.0.1:1"])(
    "reaches the page with a valid host such as %s",
    async (name) => {
      expect((await raw(["GET /login HTTP/1.1", `Host: ${name}`])).status).toBe(200);
    },
  );

  test("reaches the page with its host in the address", async () => {
    expect((await raw([`GET http://localhost:${port}/login HTTP/1.1`, host])).status).toBe(200);
  });

  test.each(["x:99999", "[", "%", "evil.example"])("ignores X-Forwarded-Host: %s", async (name) => {
    const answer = await raw(["GET /login HTTP/1.1", host, `X-Forwarded-Host: ${name}`]);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain("evil.example");
  });
});

describe("a path that cannot be decoded", () => {
  const json = { Accept: "application/json", "Content-Type": "application/json" };
  test.each([
    ["GET", "/reset-password/%ff"],
    ["POST", "/reset-password/%ff"],
    ["GET", "/add/user/%E0%A4%A"],
    ["POST", "/add/user/%E0%A4%A"],
    ["GET", "/check/%ff"],
    ["POST", "/api/subscription/%zz"],
  ])("returns JSON below a call's path: %s %s", async (method, path) => {
    const answer = await new HttpBrowser(stack.url).ask(path, {
      method,
      headers: json,
      ...(method === "POST" && { body: '{"password":"a-good-Pass-1"}' }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(JSON.parse(answer.text)).toMatchObject({
      error: expect.any(String),
      requestId: answer.headers.get("x-request-id"),
    });
  });

  const noPage = /There is no page at|We could not find that page/;
  const deadLink = /part of (it|the link) is missing/;
  test.each([
    ["GET", "/resume/%ff", deadLink],
    ["POST", "/resume/%ff", deadLink],
    ["GET", "/order/%E0%A4%A", noPage],
    ["GET", "/%", noPage],
    ["GET", "/invite/%c3%28", deadLink],
  ])("shows a page of the store elsewhere: %s %s", async (method, path, words) => {
    const browser = new HttpBrowser(stack.url);
    const answer = method === "POST" ? await browser.post(path, {}) : await browser.get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).toContain('<main id="main"');
    expect(answer.text).toMatch(words);
  });
});

describe("a post without Sec-Fetch-Site", () => {
  const login = (origin: string) =>
    new HttpBrowser(stack.url).post("/login", { email: "" }, { "Sec-Fetch-Site": null, Origin: origin });

  test("counts as the store's own only with the Origin's scheme, too", async () => {
    expect((await login(stack.url)).status).toBe(400);
    expect((await login(stack.url.replace("http:", "https:"))).status).toBe(403);
    expect((await login(`ftp://localhost:${port}`)).status).toBe(403);
  });
});

describe("an unread request body", () => {
  /** Sends a body and waits until the connection closes. @returns the status, 0 if there was no response */
  async function upload(path: string, bytes: number, headers: Record<string, string> = {}) {
    // Keep-alive as in browsers: with "Connection: close" the server would close at once.
    const agent = new http.Agent({ keepAlive: true });
    const request = http.request(`${stack.url}${path}`, {
      method: "POST",
      agent,
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Site": "same-origin",
        "Content-Length": bytes,
        ...headers,
      },
    });
    const answered = new Promise<number>((resolve) => {
      request.on("response", (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on("error", () => resolve(0));
    });
    const closed = new Promise<void>((resolve) => request.on("close", () => resolve()));
    request.end(Buffer.alloc(bytes, "a"));
    const status = await answered;
    await closed;
    agent.destroy();
    return status;
  }

  test.concurrent.each([
    ["/login", 413],
    ["/api/login", 415],
    ["/health", 405],
    ["/no-such-page", 405],
  ])("blocks neither sender nor connection: 10 MB to %s", async (path, status) => {
    expect(await upload(path, 10 * 1024 * 1024)).toBe(status);
  });

  test("gets 413 for a slightly larger body and keeps the connection open", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (method: string, path: string, body: Buffer) =>
      new Promise<{ status: number; socket: net.Socket }>((resolve, reject) => {
        const request = http.request(
          `${stack.url}${path}`,
          { method, agent, headers: { ...form, "Content-Length": body.length } },
          (response) => {
            const { socket } = response;
            response.resume().on("end", () => resolve({ status: response.statusCode ?? 0, socket }));
          },
        );
        request.on("error", reject);
        request.end(body);
      });
    const form = {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
    };
    const refused = await ask("POST", "/login", Buffer.alloc(200 * 1024, "a"));
    const after = await ask("GET", "/health", Buffer.alloc(0));
    expect([refused.status, after.status]).toEqual([413, 200]);
    expect(after.socket).toBe(refused.socket);
    agent.destroy();
  });

  test("closes the connection of a sender that stops after the response", async () => {
    const startedAt = performance.now();
    const answer = await raw(
      ["POST /health HTTP/1.1", `Host: localhost:${port}`, "Content-Length: 1000000"],
      "a".repeat(1_000),
    );
    expect(answer.status).toBe(405);
    expect(performance.now() - startedAt).toBeLessThan(9_000);
  });
});

test("logs no unexpected errors", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
