/** The table of strict checks in docs/sandbox.md: each row names a file of the sandbox and an existing test. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const rows = textOf("docs/sandbox.md")
  .split("\n")
  .flatMap((line) => {
    const [, where, file, title] =
      /\| `([\w/-]+\.ts)` +\| `([\w/-]+\.test\.ts)`: (.*?) +\|$/.exec(line) ?? [];
    return where === undefined || file === undefined || title === undefined ? [] : [{ where, file, title }];
  });
const tests = filesUnder("tests", /\.test\.ts$/);
const sandbox = filesUnder("sandbox/vendors", /\.ts$/);

test("parses every row of the table", () => {
  const [, table = ""] = textOf("docs/sandbox.md").split("## What it is strict about");
  expect(rows).toHaveLength(table.split("\n").filter((line) => line.startsWith("| ")).length - 2);
});

test.each(rows)("$file: $title", ({ where, file, title }) => {
  expect(sandbox).toContain(`sandbox/vendors/${where}`);
  const found = tests.filter((each) => each.endsWith(`/${file}`));
  expect(found).toHaveLength(1);
  expect(textOf(found[0] ?? "")).toContain(title);
});
