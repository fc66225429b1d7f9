/** Planned faults of the sandbox, its mail and GSTINs, and the conditions in which it refuses to run. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { reasonToRefuse } from "#sandbox/vendors/guard.ts";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { openStore } from "#sandbox/vendors/state.ts";
import { basic, post, start } from "./support.ts";

let running: RunningSandbox;
beforeAll(async () => {
  running = await start();
});
beforeEach(() => running.reset());
afterAll(() => running.stop());

const faults = (list: unknown) => post(`${running.url}/control/faults`, list);
const order = () =>
  post(`${running.url}/razorpay/v1/orders`, { amount: 500, currency: "INR" }, { authorization: basic });
const ordersMade = () => running.snapshot().razorpay.orders.length;

test("responds with 429, 500 or a delay, the requested number of times", async () => {
  await faults([
    { match: { method: "post", path: "^/razorpay/v1/orders" }, kind: "429", times: 1, retryAfterSeconds: 7 },
  ]);
  const limited = await order();
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
  expect((await order()).status).toBe(200);

  await faults([{ match: { path: "orders" }, kind: "500" }]);
  expect((await order()).status).toBe(500);
  expect((await order()).status).toBe(500);

  await faults([{ match: { path: "orders" }, kind: "slow", delayMs: 60, times: 1 }]);
  const before = performance.now();
  expect((await order()).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThan(50);
  // Control endpoints work during any fault.
  await faults([{ match: { path: "." }, kind: "reset" }]);
  expect((await fetch(`${running.url}/control/state`)).status).toBe(200);
  expect((await fetch(`${running.url}/inbox.json`)).status).toBe(200);
  expect((await faults([{ match: { path: "(" }, kind: "500" }])).status).toBe(400);
});

test("loses the effect with a reset before it, and keeps it with a reset after it", async () => {
  await faults([{ match: { path: "orders" }, kind: "reset", times: 1 }]);
  await expect(order()).rejects.toThrow();
  expect(ordersMade()).toBe(0);
  await faults([{ match: { path: "orders" }, kind: "reset-after", times: 1 }]);
  await expect(order()).rejects.toThrow();
  expect(ordersMade()).toBe(1);
});

test("loses the effect with a 404 or 500 before it, and keeps it with a 500 after it", async () => {
  for (const [kind, status, made] of [
    ["404", 404, 0],
    ["500", 500, 0],
    ["500-after", 500, 1],
  ] as const) {
    await faults([{ match: { path: "orders" }, kind, times: 1 }]);
    expect((await order()).status).toBe(status);
    expect(ordersMade()).toBe(made);
  }
});

test("applies a fault only to requests with a matching body", async () => {
  const another = { match: { path: "orders", body: '"amount":700' }, kind: "500", times: 1 };
  await faults([another]);
  expect((await order()).status).toBe(200);
  await faults([{ ...another, match: { path: "orders", body: '"amount":500' } }]);
  expect((await order()).status).toBe(500);
  expect((await faults([{ ...another, match: { path: "orders", body: "(" } }])).status).toBe(400);
});

test("hangs before and after the effect", async () => {
  const impatient = () =>
    fetch(`${running.url}/razorpay/v1/orders`, {
      method: "POST",
      headers: { authorization: basic, "content-type": "application/json" },
      body: JSON.stringify({ amount: 500, currency: "INR" }),
      signal: AbortSignal.timeout(300),
    });
  for (const [kind, made] of [
    ["timeout", 0],
    ["hang-before", 0],
    ["hang-after", 1],
  ] as const) {
    await faults([{ match: { path: "orders" }, kind, times: 1 }]);
    await expect(impatient()).rejects.toThrow();
    expect(ordersMade()).toBe(made);
  }
  expect(running.snapshot().journal.at(-1)).toMatchObject({ method: "POST", status: undefined });
});

test("stores mail, newest first, and shows it with its links", async () => {
  const transport = createTransport({ url: running.smtpUrl, auth: { user: "any", pass: "thing" } });
  await transport.sendMail({ from: "store@example.com", to: "a@example.com", subject: "First", text: "one" });
  await transport.sendMail({
    from: "store@example.com",
    to: "b@example.com",
    subject: "Sécond <b>",
    text: "Open http://localhost:3000/reset?a=1&b=2. Thank you",
    html: '<p>Open <a href="http://localhost:3000/reset">this</a></p>',
  });
  transport.close();
  const messages = await (await fetch(`${running.url}/inbox.json`)).json();
  expect(messages).toMatchObject([
    { to: "b@example.com", subject: "Sécond <b>", html: expect.stringContaining("href") },
    {
      to: "a@example.com",
      subject: "First",
      text: expect.stringContaining("one"),
      receivedAt: expect.any(String),
    },
  ]);
  expect(await (await fetch(`${running.url}/inbox.json?to=A@example.com`)).json()).toHaveLength(1);
  const list = await (await fetch(`${running.url}/inbox`)).text();
  expect(list).toContain("Sécond &lt;b&gt;");
  const view = await (await fetch(`${running.url}/inbox/${messages[0].id}`)).text();
  expect(view).toContain('<a href="http://localhost:3000/reset?a=1&amp;b=2">');
  expect(view).toContain("<iframe");
});

test("knows active, cancelled and missing GSTINs", async () => {
  const look = (
    GSTIN: string,
    headers: Record<string, string> = { "x-client-id": "i", "x-client-secret": "s" },
  ) => post(`${running.url}/gst/verification/gstin`, { GSTIN }, headers);
  const found = await (await look("29AABCB1234C1ZA")).json();
  expect(found).toMatchObject({
    gst_in_status: "Active",
    principal_place_split_address: { state: "Karnataka" },
  });
  expect(await (await look("27AAPFU0939F1ZV")).json()).toMatchObject({
    gst_in_status: "Active",
    principal_place_split_address: { state: "Maharashtra" },
  });
  expect(await (await look("33AAACS4321K1ZM")).json()).toMatchObject({ gst_in_status: "Cancelled" });
  const missing = await look("29AABCB9999C1ZA");
  expect(missing.status).toBe(200);
  expect(await missing.json()).toMatchObject({ valid: false, message: "GSTIN Doesn't Exist" });
  expect((await look("29AABCB1234C1ZA", {})).status).toBe(401);
});

test("sets an unreadable state file aside, each under a different name", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "sandbox-"));
  try {
    const file = path.join(folder, "sandbox.json");
    for (const damaged of ["first", "second"]) {
      await writeFile(file, damaged);
      await openStore(file, () => undefined);
      await sleep(5);
    }
    const kept = (await readdir(folder)).filter((name) => name.endsWith(".unreadable")).sort();
    expect(await Promise.all(kept.map((name) => readFile(path.join(folder, name), "utf8")))).toEqual([
      "first",
      "second",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("responds to health checks, unknown paths and unreadable bodies", async () => {
  expect((await fetch(`${running.url}/health`)).status).toBe(200);
  expect((await fetch(`${running.url}/nothing`)).status).toBe(404);
  const broken = await fetch(`${running.url}/razorpay/v1/orders`, {
    method: "POST",
    headers: { authorization: basic, "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
});

test("refuses real credentials in production only", () => {
  expect(reasonToRefuse({ NODE_ENV: "production", RAZORPAY_KEY_ID: "rzp_live_1" })).toBeDefined();
  expect(
    reasonToRefuse({ NODE_ENV: "production", PARTNER_CENTER_URL: "https://api.partnercenter.microsoft.com" }),
  ).toBeDefined();
  expect(
    reasonToRefuse({ NODE_ENV: "production", RAZORPAY_API_URL: "http://127.0.0.1.example.com" }),
  ).toBeDefined();
  expect(
    reasonToRefuse({
      NODE_ENV: "production",
      RAZORPAY_KEY_ID: "rzp_test_1",
      RAZORPAY_API_URL: "http://localhost:3100/razorpay",
      PARTNER_CENTER_URL: "http://[::1]:3100",
    }),
  ).toBeUndefined();
  expect(reasonToRefuse({ RAZORPAY_KEY_ID: "rzp_live_1" })).toBeUndefined();
});
