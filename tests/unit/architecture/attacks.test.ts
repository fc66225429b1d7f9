/** The README lists every attack test, so that readers can see which attacks are covered. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const folder = "tests/integration/attacks";

test("lists every attack file in the README, and no file that is gone", () => {
  const rows = [...textOf(`${folder}/README.md`).matchAll(/^\| `([^`]+)` +\| (\S.*) \|$/gm)];
  const listed = rows.map(([, file = ""]) => `${folder}/${file}`);
  expect(listed.sort()).toEqual(filesUnder(folder, /\.test\.ts$/));
});
