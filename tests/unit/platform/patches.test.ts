/** The patches of dependencies (docs/decisions/patches.md): what they make quicker answers as it did. */
import { createRequire } from "node:module";
import type { RouteConfigEntry } from "@remix-run/route-config";
import type { AgnosticDataRouteObject, matchRoutes } from "@remix-run/router";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";

interface Router {
  matchRoutes: typeof matchRoutes;
}

const require = createRequire(import.meta.url);
const patched: Router = require("@remix-run/router");
/** Made from the same source, for browsers without modules: it has no patch. */
const plain: Router = require("@remix-run/router/dist/router.umd.js");

/** As Remix gives them to the router. */
function toRoute(entry: RouteConfigEntry, index: number, above = ""): AgnosticDataRouteObject {
  const id = `${above}/${index}`;
  const common = {
    id,
    ...(entry.path === undefined ? {} : { path: entry.path }),
    ...(entry.caseSensitive === undefined ? {} : { caseSensitive: entry.caseSensitive }),
  };
  return entry.index === true
    ? { ...common, index: true }
    : { ...common, children: (entry.children ?? []).map((child, place) => toRoute(child, place, id)) };
}

const tree = (): AgnosticDataRouteObject[] => [
  { id: "root", path: "", children: routes.map((entry, index) => toRoute(entry, index)) },
];

function addressesUnder(entries: readonly RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap((entry) => {
    const pattern = [above, entry.path].filter(Boolean).join("/");
    return [pattern, ...addressesUnder(entry.children ?? [], pattern)];
  });
}

const patterns = [...new Set(addressesUnder(routes))];
const values = ["7d4b0a9e-8c1f-4a52-9a39-0a2c2f1f6a11", "a%2Fb %E0%A4%B9"];
const addresses = patterns.flatMap((pattern) =>
  values.flatMap((value) => {
    const address = `/${pattern.replaceAll(/:\w+\??/g, value).replaceAll("*", `${value}/deep`)}`;
    return [address, `${address}/`, `${address}/more`, `/${address}`, address.toUpperCase()];
  }),
);

test("the router finds for every address what it found without its patch", () => {
  const [one, other] = [tree(), tree()];
  expect(addresses.length).toBeGreaterThan(1_000);
  const said = (router: Router, all: AgnosticDataRouteObject[], address: string) =>
    router.matchRoutes(all, { pathname: address })?.map(({ route, params, pathname, pathnameBase }) => ({
      id: route.id,
      params,
      pathname,
      pathnameBase,
    }));
  for (const address of addresses)
    expect(said(patched, one, address), address).toEqual(said(plain, other, address));
});

test("and ranks a list of routes once", () => {
  let reads = 0;
  const route = {
    id: "one",
    get path() {
      reads += 1;
      return "one/:two";
    },
  };
  const all = [route];
  const readsOf = (router: Router) => {
    router.matchRoutes(all, "/one/2");
    const before = reads;
    router.matchRoutes(all, "/one/3");
    return reads - before;
  };
  expect(readsOf(patched), "run npm run patch").toBe(0);
  expect(readsOf(plain)).toBeGreaterThan(0);
});
