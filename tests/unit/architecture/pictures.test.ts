/** The diagrams in docs/architecture.md match the code. */
import { expect, test } from "vitest";
import { withPictures } from "#tests/support/import-graph.ts";
import { textOf } from "#tests/support/tree.ts";

test("matches the output of npm run docs:diagrams", () => {
  const text = textOf("docs/architecture.md");
  expect(withPictures(text)).toBe(text);
});
