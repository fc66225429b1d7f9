/**
 * Families stand below what uses them: the engine that carries orders out and the rules of orders know them, never back, and neither
 * knows one of them by name. Types alone may still be asked for from above; what runs may not.
 */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

interface Import {
  file: string;
  /** From the project's folder. */
  of: string;
}

/** What a file loads when it runs: what is imported as a type alone is not among it. */
function loadedBy(file: string): Import[] {
  const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  return tree.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: from } = statement;
    if (from === undefined || !ts.isStringLiteral(from) || isOfTypes(statement)) return [];
    return [{ file, of: pathOf(file, from.text) }];
  });
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (clause === undefined) return false;
  const named = clause.namedBindings;
  const areTypes =
    named !== undefined && ts.isNamedImports(named) && named.elements.every(({ isTypeOnly }) => isTypeOnly);
  return clause.isTypeOnly || (areTypes && clause.name === undefined);
}

function pathOf(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".")
    ? new URL(specifier, `file:///${file}`).pathname.slice(1)
    : `package:${specifier}`;
}

const loaded = (...folders: string[]) =>
  folders.flatMap((folder) => filesUnder(folder, /\.tsx?$/)).flatMap(loadedBy);
const said = ({ file, of }: Import) => `${file} -> ${of}`;

test("families, stored steps and credentials load nothing of what uses them", () => {
  const above = /^server\/(orders|fulfilment|billing|mail|desk|operations)\/|^app\/|^sandbox\//;
  const imports = loaded(
    "server/catalogue/families",
    "server/platform/stored-steps",
    "server/accounts/credentials",
  );
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter(({ of }) => above.test(of)).map(said)).toEqual([]);
});

test("the engine, the rules of orders and the pages load no family by name", () => {
  const aFamily = /^(server|app)\/families\/[a-z]+\//;
  const imports = loaded(
    "server/fulfilment",
    "server/orders",
    "server/orders/subscriptions",
    "server/mail",
    "server/operations/jobs",
    "app/journey",
    "app/pages",
    "app/ui",
    "app/http",
    "app/forms",
  );
  expect(imports.length).toBeGreaterThan(300);
  expect(imports.filter(({ of }) => aFamily.test(of)).map(said)).toEqual([]);
});

test("a family loads no other", () => {
  const imports = loaded("server/catalogue/families", "app/families").filter(
    ({ file, of }) =>
      /families\/[a-z]+\//.test(file) && /families\/[a-z]+\//.test(of) && familyOf(file) !== familyOf(of),
  );
  expect(imports.map(said)).toEqual([]);
});

function familyOf(path: string): string | undefined {
  return /families\/([a-z]+)\//.exec(path)?.[1];
}
