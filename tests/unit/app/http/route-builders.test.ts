/**
 * Every loader and action of a route is made by one of the builders, which read the session, refuse foreign posts, limit
 * bodies and map errors (docs/decisions/security.md#every-route). Read from the sources.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it, test } from "vitest";

const appFolder = path.resolve(import.meta.dirname, "../../../../app");
const builders: Record<string, readonly string[]> = {
  loader: [
    "pageLoader",
    "apiLoader",
    "pageOrJsonLoader",
    "fileLoader",
    "downloadLoader",
    "postOnly",
    "postOnlyPage",
    "unknownEndpoint",
  ],
  action: [
    "formAction",
    "crossSiteFormAction",
    "rawAction",
    "jsonAction",
    "pageOrJsonAction",
    "getOnly",
    "unknownEndpoint",
  ],
};
const builderModules = ["http/page.ts", "api/shared/route.ts", "api/shared/page-or-json.ts"];
/** Builders that combine a page and a call. */
const joining = ["pageOrJsonLoader", "pageOrJsonAction"];
/** Ready-made loaders and actions, exported without a call. */
const ready: Record<string, readonly string[]> = {
  loader: ["postOnly", "postOnlyPage", "unknownEndpoint"],
  action: ["getOnly", "unknownEndpoint"],
};
const isReady = (name: string, exported: string) => ready[exported]?.includes(name) === true;

/** Lists the problems of a file's loader and action; empty when there are none. */
function problemsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const imported = new Map<string, string>();
  const problems: string[] = [];
  /** Whether a name of this file was imported from a builder module as a builder. */
  const isBuilder = (name: string, exported: string) => {
    const original = imported.get(name);
    return original !== undefined && (builders[exported] ?? []).includes(original);
  };
  /** Whether a builder is called, or a ready-made one is not; a combining builder takes only what builders made. */
  const isMade = (value: ts.Expression | undefined, exported: string): boolean => {
    if (value === undefined) return false;
    const isCalled = ts.isCallExpression(value);
    const made = isCalled ? value.expression : value;
    if (!ts.isIdentifier(made) || !isBuilder(made.text, exported)) return false;
    if (isCalled === isReady(made.text, exported)) return false;
    return (
      !isCalled || !joining.includes(made.text) || value.arguments.every((part) => isMade(part, exported))
    );
  };
  const fromBuilders = (specifier: ts.Expression | undefined) =>
    specifier !== undefined &&
    ts.isStringLiteral(specifier) &&
    builderModules.includes(path.relative(appFolder, path.resolve(path.dirname(file), specifier.text)));

  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !fromBuilders(statement.moduleSpecifier)) continue;
    const named = statement.importClause?.namedBindings;
    if (named === undefined || !ts.isNamedImports(named)) continue;
    for (const { name, propertyName } of named.elements) imported.set(name.text, (propertyName ?? name).text);
  }
  for (const statement of source.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (ts.isVariableStatement(statement) && isExported) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        const exported = name.getText();
        if (!Object.hasOwn(builders, exported)) continue;
        if (!isMade(initializer, exported)) problems.push(`${exported} is not made by a builder`);
      }
    }
    if (
      ts.isFunctionDeclaration(statement) &&
      isExported &&
      Object.hasOwn(builders, statement.name?.text ?? "")
    )
      problems.push(`${statement.name?.text} is a bare function`);
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      if (clause === undefined || !ts.isNamedExports(clause)) {
        problems.push("exports all of another module");
        continue;
      }
      for (const { name, propertyName } of clause.elements) {
        if (!Object.hasOwn(builders, name.text)) continue;
        const original = (propertyName ?? name).text;
        if (!isReady(original, name.text) || !fromBuilders(statement.moduleSpecifier))
          problems.push(`${name.text} is exported from elsewhere`);
      }
    }
  }
  return problems;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));
}

const files = [
  path.join(appFolder, "root.tsx"),
  ...filesIn(path.join(appFolder, "pages")),
  ...["journey", "api", "resources"].flatMap((folder) => filesIn(path.join(appFolder, folder))),
];

test.each(files.map((file) => [path.relative(appFolder, file), file]))(
  "builds the loader and action of %s with a builder",
  (_name, file) => {
    expect(problemsIn(file, readFileSync(file, "utf8"))).toEqual([]);
  },
);

test("shows an error page for a refused download", () => {
  const offered = [...files, ...filesIn(path.join(appFolder, "desk"))].filter((file) =>
    /^export const loader = (downloadLoader|deskFileLoader)\(/m.test(readFileSync(file, "utf8")),
  );
  expect(offered.length).toBeGreaterThan(20);
  const without = offered.filter(
    (file) => !readFileSync(file, "utf8").includes("export { RouteErrorPage as ErrorBoundary }"),
  );
  expect(without).toEqual([]);
  // Downloads of Desk show Desk's error page.
  const atDesk = offered.filter((file) => file.includes("/desk/"));
  expect(
    atDesk.filter((file) => !readFileSync(file, "utf8").includes("export { deskHandle as handle }")),
  ).toEqual([]);
});

test("covers every file of routes.ts", () => {
  const routes = readFileSync(path.join(appFolder, "routes.ts"), "utf8");
  const named = [...routes.matchAll(/"((?:pages|journey|api|resources)\/[^"]+\.tsx?)"/g)].map(
    ([, file]) => file,
  );
  expect(named.length).toBeGreaterThan(15);
  for (const file of named) expect(files).toContain(path.join(appFolder, file ?? ""));
});

describe("the check", () => {
  const place = path.join(appFolder, "pages/some/route.tsx");
  const page = 'import { formAction, pageLoader } from "../../http/page.ts";\n';
  const api = 'import { apiLoader, jsonAction, postOnly, rawAction } from "../../api/shared/route.ts";\n';
  const joined = 'import { pageOrJsonLoader } from "../../api/shared/page-or-json.ts";\n';

  it.each([
    `${page}export const loader = pageLoader(z.unknown(), async () => null);`,
    `${page}export const action = formAction({});`,
    `${api}export const loader = apiLoader(query, async () => ({}));`,
    `${api}export const loader = postOnly;\nexport const action = rawAction(async () => ({}));`,
    'export { postOnly as loader } from "../../api/shared/route.ts";',
    'export { getOnly as action } from "../../api/shared/route.ts";',
    'export { unknownEndpoint as action, unknownEndpoint as loader } from "../../api/shared/route.ts";',
    `${api}export const action = jsonAction(body, async () => ({}));`,
    `${page}${api}${joined}export const loader = pageOrJsonLoader(pageLoader(p, show), apiLoader(q, tell));`,
    "export const meta = () => []; export default function Page() { return null; }",
  ])("accepts %j", (text) => {
    expect(problemsIn(place, text)).toEqual([]);
  });

  it.each([
    "export async function loader() { return null; }",
    "export async function action() { return null; }",
    "export const loader = async () => null;",
    "export const action = async ({ request }) => request;",
    "const loader = async () => null; export { loader };",
    'export * from "./other.ts";',
    'export { action } from "./other.ts";',
    "const pageLoader = (x) => x; export const loader = pageLoader(async () => null);",
    'import { pageLoader } from "./page.ts";\nexport const loader = pageLoader(async () => null);',
    `${page}export const action = pageLoader(z.unknown(), async () => null);`,
    `${page}export const loader = pageLoader;`,
    `${page}export const loader = wrap(pageLoader(z.unknown(), async () => null));`,
    `${api}export const loader = async (args) => postOnly(args);`,
    'export { getOnly as loader } from "../../api/shared/route.ts";',
    `${page}${joined}export const loader = pageOrJsonLoader(pageLoader(p, show), async () => new Response());`,
  ])("refuses %j", (text) => {
    expect(problemsIn(place, text)).not.toEqual([]);
  });
});
