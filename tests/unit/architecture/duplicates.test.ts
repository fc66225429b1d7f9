/** A rule that stands twice is changed once: no ten lines of the product stand in two places. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const runLength = 10;
/** Of a module or a style sheet; or a line of an index, which exports what another module has. */
const anImport = /^(?:@?import|export \{[^}]*\} from)\s[^;]*;$/gm;

/** Where each run of so many lines stands: "file:line" of its first line; blank lines and the imports of a module do not count. */
function runsOf(files: readonly { file: string; text: string }[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { file, text } of files) {
    const lines = text
      .replace(anImport, (found) => found.replaceAll(/[^\n]/g, ""))
      .split("\n")
      .map((line, index) => ({ line: line.trim(), number: index + 1 }))
      .filter(({ line }) => line !== "");
    for (let start = 0; start + runLength <= lines.length; start += 1) {
      const run = lines
        .slice(start, start + runLength)
        .map(({ line }) => line)
        .join("\n");
      places.set(run, [...(places.get(run) ?? []), `${file}:${lines[start]?.number}`]);
    }
  }
  return places;
}

const twice = (files: readonly { file: string; text: string }[]) =>
  [...runsOf(files).values()].filter((places) => places.length > 1);

test("no ten lines stand twice", () => {
  const files = ["app", "server", "db", "sandbox"]
    .flatMap((folder) => filesUnder(folder, /\.(tsx?|mjs|css)$/))
    .map((file) => ({ file, text: textOf(file) }));
  expect(files.length).toBeGreaterThan(400);
  expect(twice(files)).toEqual([]);
});

test("the search finds what stands twice", () => {
  const lines = Array.from({ length: runLength }, (_, index) => `rule(${index});`);
  const text = lines.join("\n");
  expect(
    twice([
      { file: "one.ts", text: `first();\n${text}` },
      { file: "two.ts", text },
    ]),
  ).toEqual([["one.ts:2", "two.ts:1"]]);
  expect(twice([{ file: "one.ts", text }])).toEqual([]);
});
