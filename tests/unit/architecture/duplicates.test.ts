/** A duplicated rule tends to be changed in one place only: the product's code repeats no ten lines. */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const runLength = 10;
/** Import of a module or a style sheet, or re-export of an index file. */
const anImport = /^(?:@?import|export \{[^}]*\} from)\s[^;]*;$/gm;

/** Maps each run of `runLength` lines to its places, as "file:line" of the first line. Blank lines and imports do not count. */
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

test("repeats no ten lines", () => {
  const files = ["app", "server", "db", "sandbox"]
    .flatMap((folder) => filesUnder(folder, /\.(tsx?|mjs|css)$/))
    .map((file) => ({ file, text: textOf(file) }));
  expect(files.length).toBeGreaterThan(400);
  expect(twice(files)).toEqual([]);
});

test("finds a repeated run of lines", () => {
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
