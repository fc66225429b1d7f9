import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readPlaywright, readVitest, verdictOf } from "#tests/support/verdict.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "hubs-verdict-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const result = (fullName: string, status: string, message = "") => ({
  fullName,
  status,
  failureMessages: message === "" ? [] : [message],
});
const file = (assertionResults: unknown[], status = "passed", message = "") => ({
  name: path.join(process.cwd(), "tests/unit/a.test.ts"),
  status,
  message,
  assertionResults,
});
const spec = (title: string, status: string, message = "") => ({
  title,
  file: "a.spec.ts",
  line: 7,
  tests: [{ projectName: "scripts-on", status, results: [{ errors: message === "" ? [] : [{ message }] }] }],
});

/** Returns the verdict on these reports; null stands for a program that ended before it wrote one. */
function verdictOn(vitest: unknown[] | null, playwright: { suites: unknown[]; errors?: unknown[] } | null) {
  const reports = { vitest: path.join(folder, "vitest"), playwright: path.join(folder, "playwright") };
  for (const each of Object.values(reports)) rmSync(each, { force: true });
  if (vitest !== null) writeFileSync(reports.vitest, JSON.stringify({ testResults: vitest }));
  if (playwright !== null) writeFileSync(reports.playwright, JSON.stringify({ errors: [], ...playwright }));
  const checks = { passed: 2, failures: [], skipped: [] };
  return verdictOf([checks, readVitest(reports.vitest), readPlaywright(reports.playwright)], ["Database: x"]);
}

const passing = { suites: [{ suites: [{ specs: [spec("buys", "expected")] }] }] };

describe("verdictOf", () => {
  test("adds up tests and checks, and ends with the counts", () => {
    const { text, failed } = verdictOn([file([result("a", "passed"), result("b", "passed")])], passing);
    expect(failed).toBe(0);
    expect(text).toBe("Database: x\n5 passed, 0 failed");
  });

  test("names each failure with the beginning of its error", () => {
    const { text, failed } = verdictOn(
      [file([result("adds", "failed", "Error: \u001b[31m1 is not 2\u001b[39m")], "failed")],
      { suites: [{ specs: [spec("buys", "unexpected", "no button")] }] },
    );
    expect(failed).toBe(2);
    expect(text).toContain("tests/unit/a.test.ts: adds\n    Error: 1 is not 2");
    expect(text).toContain("a.spec.ts:7 [scripts-on] buys\n    no button");
    expect(text).toMatch(/\n2 passed, 2 failed$/);
  });

  test("counts a test that passed only when it was repeated as failed", () => {
    expect(
      verdictOn([file([result("a", "passed")])], { suites: [{ specs: [spec("buys", "flaky")] }] }).failed,
    ).toBe(1);
  });

  test("counts unloadable files, a broken set-up and missing reports as failures", () => {
    expect(verdictOn([file([], "failed", "SyntaxError")], passing).text).toContain(
      "tests/unit/a.test.ts\n    SyntaxError",
    );
    expect(
      verdictOn([file([result("a", "passed")])], { ...passing, errors: [{ message: "no stack" }] }).failed,
    ).toBe(1);
    expect(verdictOn(null, null).failed).toBe(2);
  });

  test("lists skipped tests", () => {
    const { text, failed } = verdictOn([file([result("a", "passed"), result("b", "pending")])], passing);
    expect(failed).toBe(0);
    expect(text).toContain("Skipped (1):\n  tests/unit/a.test.ts: b\n");
  });
});
