/**
 * Imports go one way (app -> server -> db; migrations import none of them). No `any`, no stray process.env, no floating
 * promise. The
 * real tree complies, and the linter with the real settings refuses every kind of violation.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { filesUnder, projectFolder, run, textOf } from "#tests/support/tree.ts";

const imports = "lint/style/noRestrictedImports";
const env = "lint/style/noProcessEnv";
const any = "lint/suspicious/noExplicitAny";
const globals = "lint/style/noRestrictedGlobals";
const promises = "lint/nursery/noFloatingPromises";
const rules = [imports, env, any, globals, promises];

const report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

/** @returns "path: rule", sorted; only for the rules of this file */
async function lint(folder: string): Promise<string[]> {
  const args = ["lint", "--reporter=json", "--max-diagnostics=none", "."];
  const { stdout, output } = await run("biome", args, folder);
  expect(stdout, output).not.toBe("");
  const { diagnostics } = report.parse(JSON.parse(stdout));
  return diagnostics
    .filter(({ category }) => rules.includes(category))
    .map(({ category, location }) => `${location.path}: ${category}`)
    .sort();
}

const use = (specifier: string) => `import { it } from "${specifier}";\nexport const mine = it;\n`;
const floating = "async function work(): Promise<void> {}\nexport function begin(): void {\n  work();\n}\n";

const fetching = 'export const reply = () => fetch("https://example.com/");\n';

/** One file for each violation. */
const broken: readonly [file: string, text: string, rule: string][] = [
  ["server/app-by-name.ts", use("#app/params.ts"), imports],
  ["server/app-by-path.ts", use("../app/params.ts"), imports],
  ["server/orders/app-by-longer-path.ts", use("../../app/journey/steps.ts"), imports],
  [
    "server/app-for-a-type.ts",
    'import { it } from "#app/http/return-path.ts";\nexport type Mine = it;\n',
    imports,
  ],
  ["server/app-passed-on.ts", 'export { it } from "../app/params.ts";\n', imports],
  ["server/app-when-needed.ts", 'export const load = () => import("#app/params.ts");\n', imports],
  ["server/react.ts", use("react"), imports],
  ["server/react-part.ts", use("react/jsx-runtime"), imports],
  ["server/remix.ts", use("@remix-run/node"), imports],
  ["db/server-by-name.ts", use("#server/foundation/errors.ts"), imports],
  ["db/server-by-path.ts", use("../server/foundation/errors.ts"), imports],
  ["db/tables/server-by-longer-path.ts", use("../../server/foundation/errors.ts"), imports],
  ["db/app-by-name.ts", use("#app/params.ts"), imports],
  ["db/app-by-path.ts", use("../app/params.ts"), imports],
  ["db/react.ts", use("react"), imports],
  ["migrations/db-by-name.ts", use("#db/ids.ts"), imports],
  ["migrations/db-by-path.ts", use("../db/ids.ts"), imports],
  ["migrations/server-by-name.ts", use("#server/foundation/errors.ts"), imports],
  ["migrations/server-by-path.ts", use("../server/foundation/errors.ts"), imports],
  ["migrations/app-by-path.ts", use("../app/params.ts"), imports],
  ["app/api/a-page.ts", use("../pages/cart/route.tsx"), imports],
  ["app/journey/a-page-by-name.ts", use("#app/pages/cart/route.tsx"), imports],
  ["app/api/a-query.ts", use("#db/orders/orders.ts"), imports],
  ["app/api/a-query-by-path.ts", use("../../db/orders/orders.ts"), imports],
  [
    "app/pages/cart/a-query.ts",
    'import * as orders from "#db/orders/orders.ts";\nexport const mine = orders;\n',
    imports,
  ],
  [
    "app/pages/cart/a-query-when-needed.ts",
    'export const load = () => import("#db/orders/orders.ts");\n',
    imports,
  ],
  [
    "app/pages/cart/a-query-under-another-name.ts",
    'import { it as It } from "#db/orders/orders.ts";\nexport const mine = It;\n',
    imports,
  ],
  ["app/root-query.ts", 'export { it } from "#db/client.ts";\n', imports],
  ["app/env.ts", "export const home = process.env.HOME;\n", env],
  ["server/env-here-too.ts", "export const home = process.env.HOME;\n", env],
  ["server/env-imported.ts", 'import { env } from "node:process";\nexport const home = env.HOME;\n', env],
  ["db/env.ts", "export const home = globalThis.process.env.HOME;\n", env],
  ["app/http/fetches.ts", fetching, globals],
  ["server/orders/fetches.ts", fetching, globals],
  ["server/operations/commands/fetches.ts", fetching, globals],
  ["db/fetches.ts", fetching, globals],
  ["app/pages/cart/undici.ts", 'export { request } from "undici";\n', imports],
  ["app/params-axios.ts", use("axios"), imports],
  ["server/integrations/undici.ts", 'export { request } from "undici";\n', imports],
  ["server/integrations/https.ts", 'import https from "node:https";\nexport const mine = https;\n', imports],
  ["server/integrations/http-request.ts", 'export { request } from "node:http";\n', imports],
  ["server/integrations/http-get.ts", 'export { get } from "http";\n', imports],
  ["db/http2.ts", 'export { connect } from "node:http2";\n', imports],
  ["app/any.ts", "export const anything: any = 1;\n", any],
  ["tests/any.ts", "export const anything: any = 1;\n", any],
  ["app/floating.ts", floating, promises],
  ["server/floating.ts", floating, promises],
  ["db/floating.ts", floating, promises],
  ["tests/floating.ts", floating, promises],
];

/** Files that must stay allowed, so that a rule that refuses everything fails too. */
const fine: readonly [file: string, text: string][] = [
  ["app/resources/the-invoice-of-a-page.ts", use("../pages/invoice/open-invoice.ts")],
  ["app/pages/cart/of-another-page.tsx", use("../steps/new-change.ts")],
  ["app/uses-server.ts", use("#server/foundation/errors.ts")],
  ["app/uses-db-types.ts", 'import type { it } from "#db/ids.ts";\nexport type Mine = it;\n'],
  ["app/pages/cart/uses-an-id.ts", use("#db/ids.ts")],
  [
    "app/pages/cart/uses-a-type.ts",
    'import type { It } from "#db/orders/order.ts";\nexport type Mine = It;\n',
  ],
  ["server/uses-db.ts", use("#db/ids.ts")],
  ["server/orders/uses-a-neighbour.ts", use("../pricing/money.ts")],
  ["server/platform/env.ts", "export const home = process.env.HOME;\n"],
  ["app/enhance/fetches.ts", fetching],
  ["sandbox/vendors/fetches.ts", fetching],
  ["server/foundation/web/serves.ts", 'export { createServer } from "node:http";\n'],
  ["db/uses-kysely.ts", use("kysely")],
  ["migrations/uses-kysely.ts", use("kysely")],
  ["tests/uses-all.ts", `${use("#app/params.ts")}export { other } from "#db/ids.ts";\n`],
];

const scratch = mkdtempSync(path.join(tmpdir(), "hubs-lint-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("excuses no file from the import direction", () => {
  const sources = ["app", "server", "db", "migrations"].flatMap((folder) =>
    filesUnder(folder, /\.[mc]?[jt]sx?$/),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => /biome-ignore.*noRestrictedImports/.test(textOf(file)))).toEqual([]);
});

test("refuses each violation and nothing else", async () => {
  for (const file of ["biome.json", ".gitignore", "package.json"]) {
    copyFileSync(path.join(projectFolder, file), path.join(scratch, file));
  }
  for (const [file, text] of [...broken, ...fine]) {
    mkdirSync(path.dirname(path.join(scratch, file)), { recursive: true });
    writeFileSync(path.join(scratch, file), text);
  }
  expect(await lint(scratch)).toEqual(broken.map(([file, , rule]) => `${file}: ${rule}`).sort());
});
