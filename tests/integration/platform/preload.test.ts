/** The preload in front of remix-serve's own parts, in a process as it is in production. */
import http from "node:http";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type Child, projectFolder, startChild } from "#server/commands/children.ts";

let child: Child | undefined;
let lines: string[] = [];
afterEach(() => child?.kill());

async function serve(env: Record<string, string> = {}): Promise<string> {
  lines = [];
  child = startChild({
    name: "web",
    args: [
      ...["--import", path.join(projectFolder, "server/web/preload.mjs")],
      path.join(projectFolder, "tests/integration/platform/plain-server.cjs"),
    ],
    env: { ...process.env, ...env },
    onLine: (line) => lines.push(line),
  });
  return vi.waitFor(() => {
    const url = lines.find((line) => line.startsWith("http://"));
    if (url === undefined) throw new Error("not listening yet");
    return url;
  }, 10_000);
}

const accessLines = () => lines.filter((line) => line.includes('"name":"access"'));

test("every request has an id and an address that the client cannot choose", async () => {
  const url = await serve();
  const headers = { "x-request-id": "mine", "x-client-address": "6.6.6.6", "x-forwarded-for": "6.6.6.6" };
  const response = await fetch(`${url}/headers`, { headers });
  const seen = await response.json();
  expect(seen["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(seen["x-client-address"]).toBe("127.0.0.1");
  expect(response.headers.get("x-request-id")).toBe(seen["x-request-id"]);
});

test("behind a trusted proxy the address is the one the proxy saw", async () => {
  const url = await serve({ TRUSTED_PROXIES: "1" });
  const response = await fetch(`${url}/headers`, { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.9" } });
  expect(await response.json()).toMatchObject({ "x-client-address": "203.0.113.9" });
});

test("the log has one line a request and no token; files are not logged", async () => {
  const url = await serve();
  await fetch(`${url}/resume/SECRET?jwt-token=SECRET`);
  await fetch(`${url}/assets/a.js`);
  await vi.waitFor(() => expect(accessLines()).toHaveLength(1), 5_000);
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

test("the log is as quiet as it is told to be", async () => {
  const url = await serve({ LOG_LEVEL: "error" });
  await fetch(`${url}/headers`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(accessLines()).toEqual([]);
});

test("asked to stop, it answers what is under way and ends, though a client keeps its connection", async () => {
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
  await get("/headers");
  const slow = get("/slow");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const askedAt = performance.now();
  const stopped = child?.stop();
  expect(await slow).toBe(200);
  await stopped;
  expect(await child?.ended).toBe("code 0");
  expect(performance.now() - askedAt).toBeLessThan(5_000);
  agent.destroy();
});
