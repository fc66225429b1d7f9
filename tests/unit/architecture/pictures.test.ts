/** The pictures in docs/architecture.md are of the code as it is. */
import { expect, test } from "vitest";
import { withPictures } from "#tests/support/import-graph.ts";
import { textOf } from "#tests/support/tree.ts";

test("matches the output of npm run docs:diagrams", () => {
  const text = textOf("docs/architecture.md");
  expect(withPictures(text)).toBe(text);
});
