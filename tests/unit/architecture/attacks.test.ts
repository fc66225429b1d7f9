/** The list of attacks that have been thought of is complete: a file without its line is one that nobody knows of. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const folder = "tests/integration/attacks";

test("every attack has its line in the list, and each line its file", () => {
  const rows = [...textOf(`${folder}/README.md`).matchAll(/^\| `([^`]+)` +\| (\S.*) \|$/gm)];
  const listed = rows.map(([, file = ""]) => `${folder}/${file}`);
  expect(listed.sort()).toEqual(filesUnder(folder, /\.test\.ts$/));
});
