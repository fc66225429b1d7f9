/**
 * Content-Security-Policy reports from any visitor: they are counted under a few known directives, and nothing else is stored.
 */
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { Metrics } from "#tests/support/metrics.ts";
import { freePorts } from "#tests/support/ports.ts";
import { startStore } from "#tests/support/store.ts";

const [metricsPort = 0] = await freePorts(1);
const { stack, context } = await startStore({ env: { METRICS_PORT: String(metricsPort) } });

const older = "application/csp-report";
const newer = "application/reports+json";

const send = (browser: HttpBrowser, type: string, body: string) =>
  browser.ask(paths.cspReports(), { method: "POST", headers: { "Content-Type": type }, body });
const visitor = () => new HttpBrowser(stack.url);
const report = (directive: unknown) => JSON.stringify({ "csp-report": { "violated-directive": directive } });
const counted = async (directive: string) =>
  (await Metrics.at(metricsPort)).value("csp_violations_total", { directive });

describe("a report about the Content-Security-Policy", () => {
  test("goes to the address in every page's policy", async () => {
    const { headers } = await visitor().get("/login");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain(`; report-uri ${paths.cspReports()}; report-to csp`);
    expect(headers.get("reporting-endpoints")).toBe(`csp="${paths.cspReports()}"`);
  });

  test.each([
    [
      "by report-uri",
      older,
      { "csp-report": { "effective-directive": "img-src", "blocked-uri": "https://x.example" } },
      "img-src",
    ],
    ["by an old browser", older, { "csp-report": { "violated-directive": "style-src 'self'" } }, "style-src"],
    [
      "by report-to",
      newer,
      [{ type: "csp-violation", body: { effectiveDirective: "script-src-elem" } }],
      "script-src",
    ],
    ["invented", older, { "csp-report": { "effective-directive": "evil" } }, "other"],
    [
      "of a prototype",
      newer,
      [{ type: "csp-violation", body: { effectiveDirective: "__proto__" } }],
      "other",
    ],
    ["without a directive", newer, [{ type: "csp-violation", body: {} }], "other"],
  ])("increments a counter: %s", async (_how, type, sent, directive) => {
    const before = await counted(directive);
    expect((await send(visitor(), type, JSON.stringify(sent))).status).toBe(204);
    expect(await counted(directive)).toBe(before + 1);
  });

  test("ignores reports of other types", async () => {
    const { text } = await Metrics.at(metricsPort);
    const other = [{ type: "deprecation", body: { id: "x" } }, { type: "network-error" }];
    expect((await send(visitor(), newer, JSON.stringify(other))).status).toBe(204);
    const ours = (all: string) => all.split("\n").filter((line) => line.startsWith("csp_violations_total"));
    expect(ours((await Metrics.at(metricsPort)).text)).toEqual(ours(text));
  });

  test.each([
    ["text", "text/plain", report("img-src"), 415],
    ["a form", "application/x-www-form-urlencoded", "a=b", 415],
    ["no JSON", older, "{", 400],
    ["a number", older, "1", 400],
    ["a directive that is a list", older, report(["img-src"]), 400],
    ["a directive of 3 kB", older, report("x".repeat(3_000)), 400],
    ["100 reports", newer, JSON.stringify(Array(100).fill({ type: "csp-violation", body: {} })), 400],
    ["17 kB", older, `${report("img-src")}${" ".repeat(17_000)}`, 413],
    ["1 MB", newer, " ".repeat(1_000_000), 413],
    ["brackets 8 kB deep", newer, "[".repeat(8_000), 400],
  ])("refuses %s", async (_what, type, body, status) => {
    expect((await send(visitor(), type, body)).status).toBe(status);
  });

  test("leaves no trace of its page in the database or the log", async () => {
    const secret = "https://store.example/resume/a-secret-token";
    const sent = JSON.stringify({
      "csp-report": { "document-uri": secret, "effective-directive": "img-src" },
    });
    await expectNoWrites(context.db, () => send(visitor(), older, sent));
    expect(stack.logs("web").join("\n")).not.toContain("a-secret-token");
  });

  test("returns 429 after 60 reports in ten minutes from one network", async () => {
    const flooder = visitor();
    let taken = 0;
    // A window may end in between and allow as many again.
    while (taken <= 120 && (await send(flooder, older, report("img-src"))).status === 204) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(60);
    expect((await send(flooder, older, report("img-src"))).status).toBe(429);
  });
});

test("logs no unexpected errors", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
