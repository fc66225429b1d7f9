/** The preload in front of remix-serve's own code, in a process as in production. */
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, expect, test } from "vitest";
import { buildIfNeeded } from "#sandbox/local/install.mjs";
import { builtPreload, projectFolder } from "#server/operations/built-commands.mjs";
import { type Child, startChild } from "#server/operations/child-process.ts";
import { eventually } from "#tests/support/until.ts";

let child: Child | undefined;
let lines: string[] = [];
beforeAll(() => buildIfNeeded(), 120_000);
afterEach(() => child?.kill());

async function serve(env: Record<string, string> = {}): Promise<string> {
  lines = [];
  child = startChild({
    name: "web",
    args: [
      ...["--import", builtPreload, "--import", "tsx"],
      path.join(projectFolder, "tests/integration/platform/plain-server.ts"),
    ],
    env: { ...process.env, ...env },
    onLine: (line) => lines.push(line),
  });
  return eventually(() => {
    const url = lines.find((line) => line.startsWith("http://"));
    if (url === undefined) throw new Error("The server does not listen yet");
    return url;
  });
}

const accessLines = () => lines.filter((line) => line.includes('"name":"access"'));

test("gives every request an id and an address that the client cannot choose", async () => {
  const url = await serve();
  const headers = {
    "x-request-id": "mine",
    "x-client-address": "6.6.6.6",
    "x-origin": "https://elsewhere.example",
    "x-forwarded-for": "6.6.6.6",
  };
  const response = await fetch(`${url}/facts`, { headers });
  const seen = await response.json();
  expect(seen.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(seen).toMatchObject({ clientAddress: "127.0.0.1", origin: null });
  expect(response.headers.get("x-request-id")).toBe(seen.requestId);
});

test("hides the Origin header from Remix's own check, and passes it to the app", async () => {
  const url = await serve();
  const seen = await (
    await fetch(`${url}/facts`, { headers: { Origin: "https://elsewhere.example" } })
  ).json();
  expect([seen.origin, seen.headers.origin]).toEqual(["https://elsewhere.example", undefined]);
});

test("keeps metadata separate for concurrent requests and on a kept-alive connection", async () => {
  const url = await serve();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
  const ask = (ms: number) =>
    new Promise<[string, unknown]>((resolve, reject) => {
      http
        .get(`${url}/facts?ms=${ms}`, { agent }, async (response) => {
          const { requestId } = JSON.parse(await text(response));
          resolve([requestId, response.headers["x-request-id"]]);
        })
        .on("error", reject);
    });
  const answers = await Promise.all([200, 0, 50, 10, 100, 0, 0, 30].map(ask));
  agent.destroy();
  for (const [inside, outside] of answers) expect(inside).toBe(outside);
  expect(new Set(answers.map(([inside]) => inside)).size).toBe(answers.length);
});

test("uses the address that a trusted proxy saw", async () => {
  const url = await serve({ TRUSTED_PROXIES: "1" });
  const response = await fetch(`${url}/facts`, { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.9" } });
  expect(await response.json()).toMatchObject({ clientAddress: "203.0.113.9" });
});

test("ignores forwarded addresses left of two trusted proxies", async () => {
  const url = await serve({ TRUSTED_PROXIES: "2" });
  const forwarded = "6.6.6.6, [2001:db8::9]:443, 10.0.0.2:8080";
  const response = await fetch(`${url}/facts`, { headers: { "x-forwarded-for": forwarded } });
  expect(await response.json()).toMatchObject({ clientAddress: "2001:db8::9" });
});

test("removes the host that a client forwards", async () => {
  const url = await serve();
  const seen = await (
    await fetch(`${url}/facts`, { headers: { "x-forwarded-host": "evil.example" } })
  ).json();
  expect(seen.headers["x-forwarded-host"]).toBeUndefined();
});

test("times out slow headers after 15 s, and slow requests after 30 s", {
  tags: ["full"],
}, async () => {
  const { port } = new URL(await serve());
  /** Sends a byte a second until the connection is cut. @returns the response received, and the duration in seconds */
  async function dribble(begin: string): Promise<{ received: string; seconds: number }> {
    const socket = net.connect(Number(port), "127.0.0.1");
    const startedAt = performance.now();
    let reported = "";
    socket.on("data", (chunk) => {
      reported += String(chunk);
    });
    socket.on("error", () => undefined);
    socket.write(begin);
    const drops = setInterval(() => socket.writable && socket.write("a"), 1_000);
    // A client that is cut while writing may see the reset before the response.
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drops);
    return { received: reported.slice(0, 12), seconds: (performance.now() - startedAt) / 1_000 };
  }
  const [headers, body] = await Promise.all([
    dribble("GET /headers HTTP/1.1\r\nHost: localhost\r\nX-Long: "),
    dribble("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"),
  ]);
  expect([headers.received, body.received]).toEqual(["HTTP/1.1 408", "HTTP/1.1 408"]);
  expect(headers.seconds).toBeGreaterThan(14);
  expect(body.seconds).toBeGreaterThan(29);
});

test("writes one line a request without tokens, and none for files", async () => {
  const url = await serve();
  await fetch(`${url}/resume/SECRET?jwt-token=SECRET`);
  await fetch(`${url}/assets/a.js`);
  await eventually(() => expect(accessLines()).toHaveLength(1));
  expect(JSON.parse(accessLines()[0] ?? "")).toMatchObject({
    level: 30,
    method: "GET",
    path: "/resume/[removed]",
    status: 200,
    requestId: expect.any(String),
    ms: expect.any(Number),
  });
  expect(lines.join("\n")).not.toContain("SECRET");
});

test("follows the log level", async () => {
  const url = await serve({ LOG_LEVEL: "error" });
  await fetch(`${url}/facts`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(accessLines()).toEqual([]);
});

test("answers running requests and exits when stopped, despite kept-alive connections", async () => {
  const url = await serve();
  const agent = new http.Agent({ keepAlive: true });
  const get = (where: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      http
        .get(`${url}${where}`, { agent }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode));
        })
        .on("error", reject);
    });
  await get("/facts");
  const slow = get("/slow");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const stopped = child?.stop();
  expect(await slow).toBe(200);
  await stopped;
  expect(await child?.ended).toBe("code 0");
  agent.destroy();
});

test("stops under load without cutting requests, and closes kept-alive connections", {
  tags: ["full"],
}, async () => {
  for (let round = 0; round < 4; round += 1) {
    const url = await serve({ LOG_LEVEL: "silent" });
    const outcomes = { answered: 0, received: 0, cut: [] as string[] };
    /** Posts on one connection while it lasts; a new one is refused once the server has stopped listening. */
    async function client(): Promise<void> {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      let answeredAt = performance.now();
      while (true) {
        const idleMs = performance.now() - answeredAt;
        const how = await post(`${url}/body`, agent);
        answeredAt = performance.now();
        if (how === "refused") break;
        if (how === "told") outcomes.received += 1;
        if (how === "answered" || how === "told") outcomes.answered += 1;
        // A client that a busy machine delayed for longer may find its connection closed.
        else if (idleMs < 500) outcomes.cut.push(how);
        // Idle for a moment, like a proxy's connections.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      }
      agent.destroy();
    }
    const clients = Array.from({ length: 12 }, client);
    await eventually(() => expect(outcomes.answered).toBeGreaterThan(50));
    // Longer than any drain takes, so that it exits by itself even on a slow machine.
    await child?.stop(20_000);
    expect(await child?.ended).toBe("code 0");
    await Promise.all(clients);
    expect(outcomes.cut).toEqual([]);
    expect(outcomes.received).toBeGreaterThan(0);
  }
});

test("closes connections before a slow exit, so that no request is left unanswered", async () => {
  const url = new URL(await serve({ ENDING_MS: "1500" }));
  const connection = net.connect(Number(url.port), url.hostname);
  const closed = new Promise<number>((resolve) => connection.once("close", () => resolve(performance.now())));
  connection.write("GET /facts HTTP/1.1\r\nHost: store\r\n\r\n");
  await new Promise((resolve) => connection.once("data", resolve));
  await child?.stop(20_000);
  expect(await child?.ended).toBe("code 0");
  expect(performance.now() - (await closed)).toBeGreaterThan(1_000);
});

function post(url: string, agent: http.Agent): Promise<string> {
  return new Promise((resolve) => {
    const request = http.request(url, { method: "POST", agent }, (response) => {
      response.on("error", (error) => resolve(error.message));
      response
        .resume()
        .on("end", () => resolve(response.headers.connection === "close" ? "told" : "answered"));
    });
    request.on("error", (error) =>
      resolve(error.message.includes("ECONNREFUSED") ? "refused" : error.message),
    );
    request.end("a=1");
  });
}
