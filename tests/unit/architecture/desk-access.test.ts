/**
 * Every Desk page checks access: its loader and action are built by app/desk/route-builders.ts. The pages of the sign-in itself
 * are
 * open and are listed here.
 */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { deskPages } from "#server/desk/roles.ts";
import { textOf } from "#tests/support/tree.ts";

/** Pages without a session check, open to everyone whose network may reach Desk. */
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

/**
 * Lists the builders of a module's loader and action with their page, such as `deskLoader "queue"`; "nothing" without a
 * builder.
 */
function builtWith(text: string): string[] {
  const exported = text.matchAll(
    /^export (?:async )?(?:const|function) (loader|action)\b([^\n]*(?:\n[^\n]*)?)/gm,
  );
  return [...exported].map(
    ([, , rest = ""]) =>
      /=\s*(\w+)\(\s*("\w+")?/.exec(rest)?.slice(1, 3).filter(Boolean).join(" ") ?? "nothing",
  );
}

test("builds every Desk page with a builder that checks access", () => {
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

test("checks the network on the sign-in pages", () => {
  for (const file of signedOutPages) {
    expect(modules, file).toContain(file);
    for (const found of builtWith(textOf(`app/${file}`)))
      expect(found, file).toMatch(/^signedOut(Loader|Action)$/);
  }
});

test("guards exactly one route with each access rule", () => {
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
])("recognises %s", (text, found) => {
  expect(builtWith(text)).toEqual(found);
});
