/** Metrics count requests by the pattern of the route that answers them, as the router finds it. */
import { matchRoutes } from "@remix-run/react";
import type { RouteConfigEntry } from "@remix-run/route-config";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type BuiltRoute, patternsOf } from "#app/http/route-pattern.ts";
import routes from "#app/routes.ts";

/** Flattens the routes as the build lists them. */
function built(entries: readonly RouteConfigEntry[], parentId = "root"): BuiltRoute[] {
  return entries.flatMap(({ id, file, path, index, children = [] }) => {
    const own = id ?? file;
    return [{ id: own, parentId, path, index }, ...built(children, own)];
  });
}
const root: BuiltRoute = { id: "root", path: "" };
const all = Object.fromEntries([root, ...built(routes)].map((route) => [route.id, route]));
const patternOf = patternsOf(all);

type RouteObject = Parameters<typeof matchRoutes>[0][number];

const asRouter = (entries: readonly RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ id, file, path, index, caseSensitive = false, children = [] }) =>
    index === true
      ? { id: id ?? file, index: true }
      : { id: id ?? file, path: path ?? "", caseSensitive, children: asRouter(children) },
  );
const router: RouteObject[] = [{ id: "root", path: "", children: asRouter(routes) }];

/** Returns the pattern that the router itself finds. */
function byRouter(path: string): string {
  const matches = matchRoutes(router, path) ?? [];
  const parts = matches.flatMap(({ route }) => (route.path ?? "").split("/").filter((part) => part !== ""));
  return matches.length === 0 ? "none" : `/${parts.join("/")}`;
}

const words = Object.values(all).flatMap(({ path = "" }) => path.split("/"));
const word = fc.constantFrom(
  ...words.filter((each) => each !== "" && !/[:*]/.test(each)),
  "IN",
  "3f0c",
  "a%20b",
);

test("finds the same pattern as the router for any path", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (parts) => {
      const path = `/${parts.join("/")}`;
      expect(patternOf(path)).toBe(byRouter(path));
    }),
    { numRuns: 2_000 },
  );
});

test("finds a pattern for each route's own path", () => {
  const paths = Object.values(all).flatMap((route) => {
    const pattern = patternOf(`/${(route.path ?? "").replaceAll(/:\w+/g, "3f0c").replace("*", "anything")}`);
    return pattern === "none" ? [route.id] : [];
  });
  expect(paths).toEqual([]);
});

test("counts a page's data as the page, and an unknown address as the catch-all", () => {
  expect(patternOf("/_root.data")).toBe("/");
  expect(patternOf("/orders/3f0c/invoice.data")).toBe("/orders/:id/invoice");
  expect(patternOf("/orders/3f0c/invoice.pdf")).toBe("/orders/:id/invoice.pdf");
  expect(patternOf("/wp-login.php")).toBe("/*");
  expect(patternOf("/api/nothing/here")).toBe("/api/*");
});
