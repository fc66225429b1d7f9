/** The benchmark visits every screen: its table and routes.ts name the same modules. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { screens, withoutScreen } from "#tests/bench/screens.ts";

const filesOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children = [] }) => [file, ...filesOf(children)]);
const sourceOf = (file: string) => readFileSync(path.resolve("app", file), "utf8");

test("visits every page, and no page that is gone", () => {
  const pages = new Set(filesOf(routes).filter((file) => sourceOf(file).includes("export default")));
  expect(pages.size).toBeGreaterThan(30);
  const named = new Set([...screens.map(({ file }) => file), ...withoutScreen]);
  expect([...named].sort()).toEqual([...pages].sort());
});

test("marks as hydrated exactly the routes that hydrate", () => {
  const asking = screens.filter(({ file }) => /handle\b.*hydrate: true/.test(sourceOf(file)));
  expect(screens.filter(({ hydrated }) => hydrated)).toEqual(asking);
  expect(asking.length).toBeGreaterThan(5);
});

test("gives every screen a different name", () => {
  const names = screens.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
