/** The linter of phrases: which lines it refuses, and which lines of a repository it reads. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { problemsIn, subjectProblems } from "#tests/support/lint-words.mjs";
import { projectFolder } from "#tests/support/tree.ts";

const folder = mkdtempSync(path.join(tmpdir(), "lint-words-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a line", () => {
  test.each([
    ["server/orders/draft.ts", "/** What a buyer sees. */"],
    ["server/orders/draft.ts", "  // The price is computed anew."],
    ["server/orders/draft.ts", '  log.info("the operator was told");'],
    ["docs/operate/deploy.md", "Whoever runs the store reads this."],
    ["tests/unit/orders/draft.test.ts", 'test("the draft is kept", () => {'],
  ])("refuses %s: %s", (file, line) => {
    expect(problemsIn(file, line)).not.toEqual([]);
  });

  test.each([
    ["server/orders/draft.ts", "/** Returns the draft; null when it has expired. */"],
    ["server/orders/draft.ts", "const anew = alone + told;"],
    ["server/foundation/languages/hindi/cart.ts", '  none: "anew",'],
    ["server/foundation/languages/english/cart.ts", '  none: "Nothing of it", // spec'],
    ["tests/unit/orders/draft.test.ts", 'test("keeps the draft for 90 days", () => {'],
    ["tests/e2e/purchase.spec.ts", 'test("A buyer pays and receives the licences", async () => {'],
  ])("accepts %s: %s", (file, line) => {
    expect(problemsIn(file, line)).toEqual([]);
  });
});

describe("the subject of a commit", () => {
  test.each(["Add quotes with a held price", "desk: Show why an order stopped"])("accepts %s", (subject) => {
    expect(subjectProblems(subject)).toEqual([]);
  });

  test.each(["Quotes have a held price", `Add ${"much ".repeat(20)}`])("refuses %s", (subject) => {
    expect(subjectProblems(subject)).toHaveLength(1);
  });
});

describe("a repository", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  const write = (text: string) => writeFileSync(path.join(folder, "README.md"), text);
  const lint = () => {
    try {
      const script = path.join(projectFolder, "tests/support/lint-words.mjs");
      execFileSync("node", [script], {
        cwd: folder,
        env: { ...process.env, LINT_BASE: "base" },
        stdio: "pipe",
      });
      return "";
    } catch (error) {
      if (error instanceof Error && "stderr" in error) return String(error.stderr);
      throw error;
    }
  };

  test("reads only lines added since the base, without those of ignored commits", () => {
    git("init", "--quiet", "--initial-branch=work");
    write("The first line is anew.\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "Add a page");
    git("branch", "base");
    expect(lint()).toBe("");

    write("The first line is anew.\nThe second line is anew.\n");
    expect(lint()).toContain("README.md:2");
    git("commit", "--all", "--quiet", "--message", "Rename it");
    expect(lint()).toContain("README.md:2");

    writeFileSync(path.join(folder, ".git-blame-ignore-revs"), git("rev-parse", "HEAD"));
    expect(lint()).toBe("");
    write("The first line is anew.\nThe second line is anew.\nThe third line is anew.\n");
    expect(lint()).toMatch(/^README\.md:3 /);
  });
});
