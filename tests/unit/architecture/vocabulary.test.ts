/**
 * Names that this project once used and that a reader of another store's code would not know; docs/glossary.md has the terms
 * that
 * replaced them. Names of stored and transmitted data stay, such as the query parameter `asked`.
 */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const retired =
  /\b(?:[Aa]sker|asked|[Tt]old|tell|toldRefund|entrance\w*|askTogether|[Pp]atience|giveFree|WaitingItem|Ordered)\b/;

function isNameOfData({ parent }: ts.Identifier): boolean {
  return ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent);
}

/** @returns the identifiers with a retired name, as "line: name" */
function retiredIn(file: string, text: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && retired.exec(node.text)?.[0] === node.text && !isNameOfData(node))
      found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test.each([
  ["const told = 1;", ["1: told"]],
  [
    "interface Asker {}\nfunction entranceOf(patience: number) { return patience; }",
    ["1: Asker", "2: entranceOf", "2: patience", "2: patience"],
  ],
  ["// Nobody told us.\nconst texts = { asked: 'We asked' };\nconst untold = texts;", []],
  ["const texts = { asked };", ["1: asked"]],
])("finds identifiers with a retired name: %j", (text, found) => {
  expect(retiredIn("sample.ts", text)).toEqual(found);
});

test("finds none in the code", () => {
  const files = ["app", "server", "db", "migrations", "sandbox", "tests"].flatMap((folder) =>
    filesUnder(folder, /\.(tsx?|mjs)$/),
  );
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) => {
    const text = textOf(file);
    return retired.test(text) ? retiredIn(file, text).map((name) => `${file}:${name}`) : [];
  });
  expect(found).toEqual([]);
});
