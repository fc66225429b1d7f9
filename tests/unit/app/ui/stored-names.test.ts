/** Names of companies, people and plans appear as stored, including in headings and badges. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

test("keeps the case of letters in every stylesheet", () => {
  const styles = filesUnder("app/styles", /\.css$/);
  expect(styles.length).toBeGreaterThan(20);
  expect(styles.filter((path) => /text-transform|small-caps/.test(textOf(path)))).toEqual([]);
});
