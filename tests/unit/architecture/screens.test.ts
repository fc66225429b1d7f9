/** The bench visits every screen there is: its table and routes.ts name the same modules. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { screens, withoutScreen } from "#tests/bench/screens.ts";

const filesOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children = [] }) => [file, ...filesOf(children)]);
const sourceOf = (file: string) => readFileSync(path.resolve("app", file), "utf8");

test("every page is visited, and nothing that is gone", () => {
  const pages = new Set(filesOf(routes).filter((file) => sourceOf(file).includes("export default")));
  expect(pages.size).toBeGreaterThan(30);
  const named = new Set([...screens.map(({ file }) => file), ...withoutScreen]);
  expect([...named].sort()).toEqual([...pages].sort());
});

test("those said to be hydrated are those whose route asks for it", () => {
  const asking = screens.filter(({ file }) => /handle\b.*hydrate: true/.test(sourceOf(file)));
  expect(screens.filter(({ hydrated }) => hydrated)).toEqual(asking);
  expect(asking.length).toBeGreaterThan(5);
});

test("no two have the same name", () => {
  const names = screens.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
