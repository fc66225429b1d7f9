/**
 * Imports between rooms of the project: a room is a folder, or a file outside of one. Used by the test that no import points
 * upwards, and for the diagrams in docs/architecture.md.
 */
import path from "node:path";
import ts from "typescript";
import { filesUnder, textOf } from "./tree.ts";

/** Imports of each room ("orders") by imported room, with the importing lines. */
export type Uses = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** A part of the project whose rooms are examined. */
export interface GraphPart {
  name: string;
  files(): string[];
  /** @returns the room of a file of the project; null when it is not in this part */
  roomOf(file: string): string | null;
}

const sources = /\.(tsx?|mjs)$/;

/** The rooms of a folder: "orders" for server/orders/find.ts, "root.tsx" for app/root.tsx. */
function roomsIn(folder: string): GraphPart {
  return {
    name: folder,
    files: () => filesUnder(folder, sources),
    roomOf: (file) => (file.startsWith(`${folder}/`) ? (file.split("/")[1] ?? null) : null),
  };
}

const wholes = ["app", "server", "db", "migrations", "sandbox"];
const whole: GraphPart = {
  name: "whole",
  files: () => wholes.flatMap((folder) => filesUnder(folder, sources)),
  roomOf: (file) => wholes.find((folder) => file.startsWith(`${folder}/`)) ?? null,
};

export const parts: readonly GraphPart[] = [whole, roomsIn("app"), roomsIn("server")];

/** @param textIn reads a file, relative to the project */
export function usesOf(part: Pick<GraphPart, "roomOf">, files: readonly string[], textIn = textOf): Uses {
  const uses = new Map<string, Map<string, string[]>>();
  for (const file of files) {
    const room = part.roomOf(file) ?? "";
    const mine = uses.get(room) ?? new Map<string, string[]>();
    uses.set(room, mine);
    for (const { fileName } of ts.preProcessFile(textIn(file), true, true).importedFiles) {
      const imported = importedFile(file, fileName);
      const below = imported === null ? null : part.roomOf(imported);
      if (below === null || below === room) continue;
      if (!uses.has(below)) uses.set(below, new Map());
      mine.set(below, [...(mine.get(below) ?? []), `${file} -> ${imported}`]);
    }
  }
  return uses;
}

/** @returns the file of the project that `from` imports as `specifier`; null for a package */
function importedFile(from: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

/** Pairs of rooms that import each other, with the importing lines of both. */
export function pairsIn(uses: Uses): { rooms: string; one: readonly string[]; other: readonly string[] }[] {
  return [...uses].flatMap(([room, used]) =>
    [...used].flatMap(([below, one]) => {
      const other = uses.get(below)?.get(room);
      return other === undefined || room > below ? [] : [{ rooms: `${room} <-> ${below}`, one, other }];
    }),
  );
}

/** Rooms in topological order, each after its imports; rooms on a cycle, and those above one, are in `left`. */
export function sortByDependency(uses: Uses): { order: string[]; left: string[] } {
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

/** The imports to draw: one that another path already implies is left out. */
function drawnUses(uses: Uses): [from: string, to: string][] {
  const reach = (room: string): Set<string> => {
    const found = new Set<string>();
    const walk = (at: string): void => {
      for (const below of uses.get(at)?.keys() ?? []) {
        if (found.has(below)) continue;
        found.add(below);
        walk(below);
      }
    };
    walk(room);
    return found;
  };
  return [...uses.keys()].sort().flatMap((room) => {
    const direct = [...(uses.get(room)?.keys() ?? [])].sort();
    return direct
      .filter((below) => !direct.some((other) => other !== below && reach(other).has(below)))
      .map((below): [string, string] => [room, below]);
  });
}

/** A part as a Mermaid diagram, with the highest rooms on top. */
function pictureOf(part: GraphPart): string {
  const uses = usesOf(part, part.files());
  const name = (room: string) => `${room.replaceAll(/\W/g, "_")}["${room}"]`;
  const drawn = drawnUses(uses).map(([from, to]) => `  ${name(from)} --> ${name(to)}`);
  return ["```mermaid", "flowchart TD", ...drawn, "```"].join("\n");
}

/** The text with its diagrams redrawn, each between `<!-- imports of NAME -->` and `<!-- end -->`. */
export function withPictures(text: string): string {
  return parts.reduce((drawn, part) => {
    const begin = `<!-- imports of ${part.name} -->`;
    const [before, after] = drawn.split(begin);
    const end = after?.indexOf("<!-- end -->") ?? -1;
    if (before === undefined || after === undefined || end < 0) throw new Error(`There is no ${begin}`);
    return `${before}${begin}\n\n${pictureOf(part)}\n\n${after.slice(end)}`;
  }, text);
}
