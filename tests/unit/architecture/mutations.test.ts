/** The deliberate bugs of tests/mutations fit the code as it is: one that no longer applies finds nothing, and nobody would notice. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { filesUnder, projectFolder } from "#tests/support/tree.ts";

test("applies each deliberate bug to the code", () => {
  const diffs = filesUnder("tests/mutations", /\.diff$/);
  expect(diffs.length).toBeGreaterThan(150);
  const check = (diff: string) =>
    spawnSync("git", ["apply", "--check", "-C1", "--recount", diff], { cwd: projectFolder }).status;
  expect(diffs.filter((diff) => check(diff) !== 0)).toEqual([]);
});
