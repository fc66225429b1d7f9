/**
 * Families are a lower layer: fulfilment and the order rules import the registry of families, never the reverse, and none of
 * them
 * imports a family by name. Only type imports may point upwards.
 */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

interface Import {
  file: string;
  /** Path from the project folder. */
  of: string;
}

/** Lists the imports of a file that exist at run time. Type-only imports do not count. */
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

test("keeps families, stored steps and credentials from importing their callers", () => {
  const above = /^server\/(orders|fulfilment|billing|mail|desk|operations)\/|^app\/|^sandbox\//;
  const imports = loaded(
    "server/catalogue/families",
    "server/platform/stored-steps",
    "server/accounts/credentials",
  );
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter(({ of }) => above.test(of)).map(said)).toEqual([]);
});

test("keeps fulfilment, order rules and pages from importing a family by name", () => {
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

test("keeps a family from importing another", () => {
  const imports = loaded("server/catalogue/families", "app/families").filter(
    ({ file, of }) =>
      /families\/[a-z]+\//.test(file) && /families\/[a-z]+\//.test(of) && familyOf(file) !== familyOf(of),
  );
  expect(imports.map(said)).toEqual([]);
});

function familyOf(path: string): string | undefined {
  return /families\/([a-z]+)\//.exec(path)?.[1];
}
