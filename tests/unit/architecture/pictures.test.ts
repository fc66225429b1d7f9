/** The pictures in docs/architecture.md are of the code as it is. */
import { expect, test } from "vitest";
import { withPictures } from "#tests/support/import-graph.ts";
import { textOf } from "#tests/support/tree.ts";

test("npm run docs:diagrams would change nothing", () => {
  const text = textOf("docs/architecture.md");
  expect(withPictures(text)).toBe(text);
});
