/**
 * No page of the desk is without a door: each is built by the builders of app/desk/route-builders.ts, which ask who comes in. What signs in is
 * open, and is listed here.
 */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { deskPages } from "#server/desk/roles.ts";
import { textOf } from "#tests/support/tree.ts";

/** Open to whoever may reach the desk at all. */
const signedOutPages = [
  "desk/login/route.tsx",
  "desk/code/route.tsx",
  "desk/account-setup/route.tsx",
  "desk/logout.ts",
  "desk/end-impersonation.ts",
];

const modules = (routes as RouteConfigEntry[])
  .filter(({ path = "" }) => path === "desk" || path.startsWith("desk/"))
  .map(({ file }) => file);

/** What a module's loader and action are built with: "deskLoader("queue"". */
function builtWith(text: string): string[] {
  const exported = text.matchAll(
    /^export (?:async )?(?:const|function) (loader|action)\b([^\n]*(?:\n[^\n]*)?)/gm,
  );
  return [...exported].map(
    ([, , rest = ""]) =>
      /=\s*(\w+)\(\s*("\w+")?/.exec(rest)?.slice(1, 3).filter(Boolean).join(" ") ?? "nothing",
  );
}

test("each page of the desk has its door", () => {
  expect(modules.length).toBeGreaterThan(8);
  const open = modules
    .filter((file) => !signedOutPages.includes(file))
    .filter((file) => {
      const found = builtWith(textOf(`app/${file}`));
      return (
        found.length === 0 || found.some((builder) => !/^desk(Loader|Action|FileLoader) "\w+"$/.test(builder))
      );
    });
  expect(open).toEqual([]);
});

test("what signs in asks for the network", () => {
  for (const file of signedOutPages) {
    expect(modules, file).toContain(file);
    for (const found of builtWith(textOf(`app/${file}`)))
      expect(found, file).toMatch(/^signedOut(Loader|Action)$/);
  }
});

test("each door has its page, which no other door opens", () => {
  const opened = modules.flatMap((file) => {
    const named = builtWith(textOf(`app/${file}`)).map((found) => /"(\w+)"/.exec(found)?.[1]);
    return [...new Set(named.filter((name) => name !== undefined))];
  });
  expect(opened.toSorted()).toEqual(Object.keys(deskPages).sort());
});

test.each([
  ["export const loader = pageLoader(z.unknown(), async () => ({}));", ["pageLoader"]],
  ["export async function loader({ request }) {", ["nothing"]],
  ['export const action = deskAction("queue", {', ['deskAction "queue"']],
  ['export const loader = deskLoader(\n  "queue",', ['deskLoader "queue"']],
])("%s is recognised", (text, found) => {
  expect(builtWith(text)).toEqual(found);
});
