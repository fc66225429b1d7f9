/**
 * Rooms import each other in one direction only: the rooms of app/ and of server/ (folders, and top-level files) and the
 * project's
 * top-level folders. No two import each other, and no longer cycle exists. Then each can be read and changed with knowledge
 * only of
 * the rooms below it.
 */
import { describe, expect, test } from "vitest";
import { pairsIn, parts, sortByDependency, usesOf } from "#tests/support/import-graph.ts";
import { filesUnder } from "#tests/support/tree.ts";

describe.each(parts.map((part) => [part.name, part] as const))("%s", (_name, part) => {
  const uses = usesOf(part, part.files());

  test("lets no two rooms import each other", () => {
    expect(uses.size).toBeGreaterThan(2);
    expect(pairsIn(uses)).toEqual([]);
  });

  test("orders the rooms so that each imports only earlier ones", () => {
    expect(sortByDependency(uses).left).toEqual([]);
  });
});

test("matches the order of server/ rooms in docs/architecture.md", () => {
  const rooms = [
    "foundation",
    "integrations",
    "platform",
    "accounts",
    "catalogue",
    "orders",
    "fulfilment",
    "billing",
    "desk",
    "privacy",
    "mail",
    "operations",
  ];
  const server = parts.find(({ name }) => name === "server");
  const uses = server === undefined ? new Map() : usesOf(server, server.files());
  expect([...uses.keys()].sort()).toEqual([...rooms].sort());
  for (const [index, room] of rooms.entries())
    expect(
      [...uses.get(room).keys()].filter((used) => !rooms.slice(0, index).includes(used)),
      room,
    ).toEqual([]);
});

test("keeps the sandbox out of what runs in production", () => {
  const production = ["app", "server", "db", "migrations"];
  const roomOf = (file: string) => file.split("/")[0] ?? null;
  const uses = usesOf(
    { roomOf },
    production.flatMap((folder) => filesUnder(folder, /\.(tsx?|mjs)$/)),
  );
  for (const folder of production) expect([...(uses.get(folder)?.keys() ?? [])]).not.toContain("sandbox");
});

test("finds no cycle of files, type imports included", () => {
  const files = ["app", "server", "db", "sandbox"].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  expect(files.length).toBeGreaterThan(1_000);
  expect(sortByDependency(usesOf({ roomOf: (file) => file }, files)).left).toEqual([]);
});

const server = { roomOf: (file: string) => file.split("/")[1] ?? null };

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
])("finds %s", (_what, files: Readonly<Record<string, string>>) => {
  const uses = usesOf(server, Object.keys(files), (file) => files[file] ?? "");
  expect(pairsIn(uses)).toHaveLength(1);
  expect(sortByDependency(uses).left).toHaveLength(2);
});

test("finds a cycle of three rooms that has no pair", () => {
  const ring = { a: "b", b: "c", c: "a" };
  const files = Object.entries(ring).map(([from, to]) => [`server/${from}/x.ts`, `import "../${to}/x.ts";`]);
  const uses = usesOf(
    server,
    files.map(([file = ""]) => file),
    (wanted) => files.find(([file]) => file === wanted)?.[1] ?? "",
  );
  expect(pairsIn(uses)).toEqual([]);
  expect(sortByDependency(uses).left).toHaveLength(3);
});
