/** No log line contains a token or a password, regardless of how it was written. */
import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { loggablePath, logOptions, redactTokens } from "#server/foundation/log-options.ts";
import { newToken } from "#server/foundation/security/token.ts";

/** @returns the line that a log writes for one event */
function written(write: (log: pino.Logger) => void): string {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  write(pino(logOptions("debug", "test"), sink).child({ requestId: "an-id" }));
  const text = lines.join("");
  expect(JSON.parse(text)).toMatchObject({ name: "test", requestId: "an-id" });
  return text;
}

const token = newToken();
const jwt = `eyJhbGciOiJIUzI1NiJ9.${"e".repeat(80)}.${newToken()}`;
const escaped = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;

test.each<[what: string, write: (log: pino.Logger) => void]>([
  ["a path", (log) => log.info({ path: `/resume/${token}` }, "refused")],
  ["a path with escapes", (log) => log.info({ path: `/res%75me/${escaped}` }, "refused")],
  ["an address", (log) => log.info({ url: `http://store/invite/${token}?next=/` }, "refused")],
  ["an address under another name", (log) => log.info({ place: { to: `/resume/${token}` } }, "x")],
  ["a message", (log) => log.debug(`POST /resume/${token}`)],
  ["a message with arguments", (log) => log.warn("POST %s", `/resume/${token}`)],
  ["an error's message", (log) => log.error({ err: new Error(`No route /resume/${token}`) }, "failed")],
  ["an error's cause", (log) => log.error(new Error("x", { cause: new Error(`/resume/${token}`) }))],
  ["a token after a line break", (log) => log.error(new Error(`first\n${token}`))],
  ["a token after a control character", (log) => log.error(new Error(`first\u0001${token}`))],
  ["a token after a backslash", (log) => log.error(new Error(`first\\${token}`))],
  ["a child's binding", (log) => log.child({ link: `/resume/${token}` }).info("x")],
  ["an array", (log) => log.info({ links: [`/resume/${token}`] }, "x")],
  ["an escaped slash before it", (log) => log.info(`/resume%2F${token}`)],
  ["a field named token", (log) => log.info({ token: "short", user: { password: "short" } }, "x")],
])("removes the token from %s", (_what, write) => {
  const text = written(write);
  // Shorter fragments are useless to an attacker.
  for (let at = 0; at + 8 <= token.length; at += 1) expect(text).not.toContain(token.slice(at, at + 8));
  expect(text).not.toContain("short");
  expect(text).toContain("[removed]");
});

test("removes the payload and the signature of a session's token", () => {
  const text = written((log) => log.info({ url: `/?jwt-token=${jwt}` }, `/?jwt-token=${jwt}`));
  const [, payload = "", signature = ""] = jwt.split(".");
  expect(text).not.toContain(payload);
  expect(text).not.toContain(signature);
});

test.each([
  '{"orderId":"3f0c0000-0000-4000-8000-000000000000","msg":"payment settled"}',
  '{"path":"/order/3f0c0000-0000-4000-8000-000000000000/microsoft/microsoft-365-business-basic/IN/place-order"}',
  '{"stack":"Error: x\\n    at run (file:///srv/build/server/index.js:100:20)"}',
])("leaves %s unchanged", (line) => {
  expect(redactTokens(line)).toBe(line);
});

test.each([
  ["/", "/"],
  ["/search?q=word&jwt-token=abc", "/search"],
  ["/reset-password/SECRET", "/reset-password/[removed]"],
  ["/reset/password/SECRET/more?x=1", "/reset/password/[removed]"],
  ["/set-password/SECRET.data?_routes=x", "/set-password/[removed]"],
  ["/invite/SECRET", "/invite/[removed]"],
  ["/resume/SECRET", "/resume/[removed]"],
  ["/approve/SECRET?sign=in", "/approve/[removed]"],
  ["/requests/SECRET?paid=1", "/requests/[removed]"],
  ["/RESUME/SECRET", "/RESUME/[removed]"],
  ["//resume//SECRET", "/resume/[removed]"],
  ["/res%75me/SECRET", "/resume/[removed]"],
  ["/resume%2FSECRET", "/resume/[removed]"],
  ["/order/resume/SECRET", "/order/resume/[removed]"],
  ["/search%3Fjwt-token=SECRET", "/search"],
  ["/%E0%A4%A", "[unreadable]"],
  ["/reset-password", "/reset-password"],
])("logs %s as %s", (url, path) => {
  expect(loggablePath(url)).toBe(path);
});

test("shortens long texts of an error, and cuts quoted URLs to their paths", () => {
  const quoting = Object.assign(new TypeError("Invalid URL"), {
    input: `/resume/${token}?a=${"b".repeat(9_000)}`,
  });
  const line = written((log) => log.error({ err: quoting }, "unhandled error"));
  expect(JSON.parse(line)).toMatchObject({
    err: { type: "TypeError", message: "Invalid URL", input: "/resume/[removed]" },
  });
  const long = written((log) => log.error({ err: new Error(" x".repeat(50_000)) }, "unhandled error"));
  expect(long.length).toBeLessThan(9_000);
});
