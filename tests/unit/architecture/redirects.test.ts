/** A redirect to an address from the request passes `safeReturnPath`, directly or through `ownAddress`. */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Functions whose argument becomes a Location or Refresh header or a return path. */
const leading = new Set(["redirect", "redirectDocument", "redirectWith", "moveOn", "replace"]);
/** Parts of a request that its sender chooses. */
const fromRequest = /(\.pathname|\.search|\.searchParams|\burl\.href|\.referr?er)$/;
/** The module that parses and checks addresses. */
const excepted = "app/http/return-path.ts";

/** @returns the redirects to unchecked parts of a request, as "line: code" */
function uncheckedIn(text: string): string[] {
  const source = ts.createSourceFile("x.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const isUnchecked = (node: ts.Node): boolean => {
    if (
      ts.isCallExpression(node) &&
      /^(safeReturnPath|deskReturnPath|ownAddress)$/.test(node.expression.getText())
    )
      return false;
    if (ts.isPropertyAccessExpression(node) && fromRequest.test(node.getText())) return true;
    return ts.forEachChild(node, (child) => isUnchecked(child) || undefined) ?? false;
  };
  const add = (node: ts.Node) =>
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText()}`);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText();
      if (
        (leading.has(called) ||
          /^paths\.(login|loginCode|signup|continueAs|secondFactor|deskLogin|deskCode)$/.test(called)) &&
        node.arguments.some(isUnchecked)
      )
        add(node);
    }
    // A rebuilt address, used for a later redirect.
    if (
      ts.isTemplateExpression(node) &&
      !ts.isBinaryExpression(node.parent) &&
      /\.pathname\}.*\.search\}/.test(node.getText())
    )
      add(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("finds an unchecked redirect in each form", () => {
  const unchecked = [
    "redirect(url.pathname)",
    "throw redirect(url.pathname + 1, 303)",
    'redirect(url.searchParams.get("next") ?? "/")',
    `const here = \`\${url.pathname}\${url.search}\``,
    "paths.login(request.url.pathname)",
    "redirectWith(request, request.url.href, message)",
    "moveOn(request, 5, request.url.search)",
  ];
  for (const text of unchecked) expect(uncheckedIn(text), text).not.toEqual([]);
  const checked = ["redirect(ownAddress(url))", 'redirect(safeReturnPath(url.searchParams.get("next")))'];
  for (const text of checked) expect(uncheckedIn(text), text).toEqual([]);
});

test("checks every redirect to a part of a request", () => {
  const files = filesUnder("app", /\.tsx?$/).filter(
    (file) => file !== excepted && !file.startsWith("app/enhance/"),
  );
  expect(files.flatMap((file) => uncheckedIn(textOf(file)).map((place) => `${file}:${place}`))).toEqual([]);
});
