/**
 * The rooms of server/ (its folders, and each file that stands in none) use each other one way only: no two use one another, and
 * no ring of several leads back to where it began. Then each can be read, and changed, knowing only what lies below it.
 */
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** "orders": which other rooms its files import, and by which lines. */
type Uses = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** @returns "context.ts" for server/context.ts, "orders" for server/orders/find.ts */
function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** @returns the file of server/ that `from` names by `specifier`, relative to the project; null for anything else */
function importedFile(from: string, specifier: string): string | null {
  const file = specifier.startsWith("#")
    ? specifier.slice(1)
    : specifier.startsWith(".")
      ? path.posix.join(path.posix.dirname(from), specifier)
      : "";
  return file.startsWith("server/") ? file : null;
}

function usesOf(files: readonly string[], textIn: (file: string) => string): Uses {
  const uses = new Map<string, Map<string, string[]>>();
  for (const file of files) {
    const mine = uses.get(roomOf(file)) ?? new Map<string, string[]>();
    uses.set(roomOf(file), mine);
    for (const { fileName } of ts.preProcessFile(textIn(file), true, true).importedFiles) {
      const imported = importedFile(file, fileName);
      if (imported === null || roomOf(imported) === roomOf(file)) continue;
      const lines = mine.get(roomOf(imported)) ?? [];
      mine.set(roomOf(imported), [...lines, `${file} -> ${imported}`]);
    }
  }
  return uses;
}

/** The rooms that use one another, two at a time, with the lines by which each uses the other. */
function pairsIn(uses: Uses): { rooms: string; one: readonly string[]; other: readonly string[] }[] {
  return [...uses].flatMap(([room, used]) =>
    [...used].flatMap(([below, one]) => {
      const other = uses.get(below)?.get(room);
      return other === undefined || room > below ? [] : [{ rooms: `${room} <-> ${below}`, one, other }];
    }),
  );
}

/** Rooms from the lowest up, each after all that it uses; those on a ring, and above one, are left over. */
function ordered(uses: Uses): { order: string[]; left: string[] } {
  const order: string[] = [];
  let left = [...uses.keys()];
  while (true) {
    const next = left.filter((room) =>
      [...(uses.get(room)?.keys() ?? [])].every((used) => order.includes(used)),
    );
    if (next.length === 0) return { order, left };
    order.push(...next);
    left = left.filter((room) => !next.includes(room));
  }
}

const server = usesOf(filesUnder("server", /\.(ts|mjs)$/), textOf);

test("no two rooms use each other", () => {
  expect(server.size).toBeGreaterThan(20);
  expect(pairsIn(server)).toEqual([]);
});

test("there is an order of rooms in which each uses only those before it", () => {
  const { order, left } = ordered(server);
  expect(left).toEqual([]);
  expect(order.indexOf("outbox")).toBeLessThan(order.indexOf("orders"));
  expect(order.indexOf("orders")).toBeLessThan(order.indexOf("payments"));
  expect(order.indexOf("payments")).toBeLessThan(order.indexOf("jobs"));
});

test.each([
  [
    "a pair",
    { "server/a/x.ts": 'import { b } from "#server/b/y.ts";', "server/b/z.ts": 'import "../a/x.ts";' },
  ],
  [
    "a pair of types, with a file in no folder",
    { "server/a/x.ts": 'import type { B } from "../b.ts";', "server/b.ts": 'export * from "./a/x.ts";' },
  ],
  [
    "a pair behind a dynamic import",
    {
      "server/a/x.mjs": 'const b = await import("#server/b/y.ts");',
      "server/b/y.ts": 'import "../a/x.mjs";',
    },
  ],
])("%s is found", (_what, files: Readonly<Record<string, string>>) => {
  const uses = usesOf(Object.keys(files), (file) => files[file] ?? "");
  expect(pairsIn(uses)).toHaveLength(1);
  expect(ordered(uses).left).toHaveLength(2);
});

test("a ring of three is found, which has no pair", () => {
  const ring = { a: "b", b: "c", c: "a" };
  const files = Object.entries(ring).map(([from, to]) => [`server/${from}/x.ts`, `import "../${to}/x.ts";`]);
  const uses = usesOf(
    files.map(([file = ""]) => file),
    (wanted) => files.find(([file]) => file === wanted)?.[1] ?? "",
  );
  expect(pairsIn(uses)).toEqual([]);
  expect(ordered(uses).left).toHaveLength(3);
});
