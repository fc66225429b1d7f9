/** The patches of dependencies (docs/decisions/patches.md): what they make quicker answers as it did. */
import { createRequire } from "node:module";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import type { AgnosticDataRouteObject, matchRoutes } from "@remix-run/router";
import { Component, type ElementType, type Key, type ReactElement } from "react";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { smallServer } from "#tests/support/small-server.ts";

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

test("matches every address as the router without its patch does", { tags: ["full"] }, () => {
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

test("loaders are given the request itself, unless it has what is to be taken away", async () => {
  const { answer, requests } = smallServer();
  await answer(new Request("http://store/one?index=1&a=%20b"));
  await answer(new Request("http://store/one?item=index&a=%20b"));
  const [first, , second, third] = requests.map(({ url }) => url);
  expect(first).toBe("http://store/one?a=+b&index=1");
  expect([second, third]).toEqual(Array(2).fill("http://store/one?item=index&a=%20b"));
  expect(requests[2], "run npm run patch").toBe(requests[3]);
  await answer(new Request("http://store/one?index&_routes=one"));
  expect(requests.at(-1)?.url).toBe("http://store/one");
});

test("the data of a page is encoded when it is read, and then once", async () => {
  const { answer, contexts, encodings } = smallServer();
  await answer(new Request("http://store/one"));
  await answer(new Request("http://store/one"));
  expect(encodings(), "run npm run patch").toBe(0);
  const [context, other] = contexts;
  const stream = context?.serverHandoffStream;
  expect(encodings()).toBe(1);
  expect(context?.serverHandoffStream).toBe(stream);
  expect(encodings()).toBe(1);
  expect(await new Response(stream).text()).toContain("loaderData");
  expect(context?.routeModules, "run npm run patch").toBe(other?.routeModules);
  expect(Object.keys(context?.routeModules ?? {})).toEqual(["root", "one"]);
});

interface JsxRuntime {
  jsx: (type: ElementType, props: object, key?: Key) => ReactElement;
}

/** React loads the file of production where it is told so; both are asked for by name here. */
const jsxRuntime = (file: string): JsxRuntime =>
  require(path.join(path.dirname(require.resolve("react")), "cjs", file));
const patchedJsx = jsxRuntime("react-jsx-runtime.production.min.js");
/** Made from the same source, for who profiles a page: it has no patch. */
const plainJsx = jsxRuntime("react-jsx-runtime.profiling.min.js");

class WithDefaults extends Component {
  static defaultProps = { size: 1, colour: "green" };
}
const shown = () => null;

test.each<[string, ElementType, object, Key?]>([
  ["an element", "a", { href: "/", children: "home" }],
  ["one with a key", "a", { href: "/" }, 7],
  ["a component", shown, { of: [1] }, "one"],
  ["a key among what was spread", shown, { key: "spread", of: 1 }],
  ["no key, but the word", shown, { key: undefined, of: 1 }, "given"],
  ["a reference", "input", { ref: () => undefined, name: "one" }],
  ["defaults", WithDefaults, { size: 2, colour: undefined }],
])("React makes of %s what it made without its patch", (_, type, props, key) => {
  expect(patchedJsx.jsx(type, props, key)).toEqual(plainJsx.jsx(type, props, key));
});

test("and does not copy what an element is given", () => {
  const props = { href: "/" };
  expect(patchedJsx.jsx("a", props).props, "run npm run patch").toBe(props);
  expect(plainJsx.jsx("a", props).props).not.toBe(props);
});
