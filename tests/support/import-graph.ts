/**
 * Which rooms of the project use which: a room is a folder, or a file that stands in none. For the test that no import runs back up,
 * and for the pictures in docs/architecture.md.
 */
import path from "node:path";
import ts from "typescript";
import { filesUnder, textOf } from "./tree.ts";

/** "orders": which other rooms its files import, and by which lines. */
export type Uses = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** A part of the project whose rooms are looked at. */
export interface GraphPart {
  name: string;
  files(): string[];
  /** @returns the room a file of the project stands in; null when it is not of this part */
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

/** @param textIn the text of a file, relative to the project */
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

/** @returns the file of the project that `from` names by `specifier`; null for a package */
function importedFile(from: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

/** The rooms that use one another, two at a time, with the lines by which each uses the other. */
export function pairsIn(uses: Uses): { rooms: string; one: readonly string[]; other: readonly string[] }[] {
  return [...uses].flatMap(([room, used]) =>
    [...used].flatMap(([below, one]) => {
      const other = uses.get(below)?.get(room);
      return other === undefined || room > below ? [] : [{ rooms: `${room} <-> ${below}`, one, other }];
    }),
  );
}

/** Rooms from the lowest up, each after all that it uses; those on a ring, and above one, are left over. */
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

/** The uses that a picture needs: one that leads on through another room is left out, since the arrows say it already. */
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

/** A part as a picture in Mermaid's language, the highest rooms on top. */
function pictureOf(part: GraphPart): string {
  const uses = usesOf(part, part.files());
  const name = (room: string) => `${room.replaceAll(/\W/g, "_")}["${room}"]`;
  const drawn = drawnUses(uses).map(([from, to]) => `  ${name(from)} --> ${name(to)}`);
  return ["```mermaid", "flowchart TD", ...drawn, "```"].join("\n");
}

/** The same text with its pictures drawn anew: each stands between `<!-- imports of NAME -->` and `<!-- end -->`. */
export function withPictures(text: string): string {
  return parts.reduce((drawn, part) => {
    const begin = `<!-- imports of ${part.name} -->`;
    const [before, after] = drawn.split(begin);
    const end = after?.indexOf("<!-- end -->") ?? -1;
    if (before === undefined || after === undefined || end < 0) throw new Error(`There is no ${begin}`);
    return `${before}${begin}\n\n${pictureOf(part)}\n\n${after.slice(end)}`;
  }, text);
}
