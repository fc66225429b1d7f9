/**
 * A browser's translator may replace any text node of a page. React finds a text that is the only child of an element through
 * the
 * element, but holds the node of a text between siblings: it would update a removed node, or crash when it removes the text.
 * So on hydrated pages every text with siblings has its own element.
 */
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { screens } from "#tests/bench/screens.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Modules that only the server renders, or that replace a text together with its keyed element. */
const excepted = new Set([
  "app/desk/header.tsx",
  "app/ui/footer.tsx",
  "app/ui/search-form.tsx",
  "app/ui/breakable.tsx",
  "app/ui/text.tsx",
]);

/** Slots of a component; the browser test covers their contents: `children`, `props.children`, `actions`. */
const slot = /^(props\.)?(children|actions)$/;

/** Whether an expression yields elements or nothing, and never a text. */
function isElement(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): boolean {
  const isOne = (inner: ts.Expression) => isElement(inner, constants);
  if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) return true;
  if (node.kind === ts.SyntaxKind.NullKeyword) return true;
  if (ts.isParenthesizedExpression(node)) return isOne(node.expression);
  if (ts.isConditionalExpression(node)) return isOne(node.whenTrue) && isOne(node.whenFalse);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return isOne(node.right);
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return slot.test(node.text) || (value !== undefined && isOne(value));
  }
  if (ts.isPropertyAccessExpression(node)) return slot.test(node.getText());
  if (ts.isCallExpression(node) && /\.(map|flatMap)$/.test(node.expression.getText())) {
    const [made] = node.arguments;
    return made !== undefined && ts.isArrowFunction(made) && !ts.isBlock(made.body) && isOne(made.body);
  }
  return false;
}

const isConditional = (node: ts.JsxChild): boolean =>
  ts.isJsxExpression(node) && node.expression !== undefined && !ts.isStringLiteral(node.expression);

/** @returns the texts with siblings in the JSX of a module, as "line: text" */
function bareTextsIn(text: string): string[] {
  const source = ts.createSourceFile("x.tsx", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const constants = new Map<string, ts.Expression>();
  const found: string[] = [];
  const look = (parent: ts.JsxElement | ts.JsxFragment) => {
    const children = parent.children.filter(
      (child) =>
        !(ts.isJsxText(child) && child.containsOnlyTriviaWhiteSpaces) &&
        !(ts.isJsxExpression(child) && child.expression === undefined),
    );
    if (children.length < 2 && !ts.isJsxFragment(parent)) return;
    for (const child of children) {
      const isBlank = ts.isJsxText(child)
        ? child.text.trim() === ""
        : ts.isJsxExpression(child) && child.getText() === '{" "}';
      // React never removes a blank between permanent elements, and never inserts anything before it.
      if (
        isBlank &&
        !ts.isJsxFragment(parent) &&
        !children.some((one) => one !== child && isConditional(one))
      )
        continue;
      const isText =
        ts.isJsxText(child) ||
        (ts.isJsxExpression(child) &&
          child.expression !== undefined &&
          !isElement(child.expression, constants));
      if (isText)
        found.push(
          `${source.getLineAndCharacterOfPosition(child.getStart()).line + 1}: ${child.getText().trim()}`,
        );
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      constants.set(node.name.text, node.initializer);
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) look(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Lists the modules with JSX that the scripts of hydrated pages may contain. */
function hydratedModules(): string[] {
  const all = new Set(filesUnder("app", /\.tsx?$/));
  const found = new Set<string>();
  const follow = (file: string): void => {
    if (!all.has(file) || found.has(file)) return;
    found.add(file);
    for (const { fileName } of ts.preProcessFile(textOf(file), true, true).importedFiles)
      if (fileName.startsWith(".")) follow(path.posix.join(path.posix.dirname(file), fileName));
  };
  follow("app/root.tsx");
  for (const { file, hydrated } of screens) if (hydrated) follow(`app/${file}`);
  return [...found].filter((file) => file.endsWith(".tsx") && !excepted.has(file)).sort();
}

test.each([
  '<span>{total !== null && <>{text("a")} <b>1</b></>}</span>',
  "<li>{href === null ? title : <a>{title}</a>}{done && <i />}</li>",
  "<label>{label}{!required && <span>*</span>}</label>",
  "<p>Total <b>{total}</b></p>",
  `<p><b />{count > 0 && \`\${count} of them\`}</p>`,
  '<p>{isOld && <s />}{" "}<b /></p>',
  "<h3>{title}<span> ({word})</span></h3>",
])("finds a bare text in %s", (jsx) => {
  expect(bareTextsIn(`const x = ${jsx};`)).not.toEqual([]);
});

test.each([
  `<span><span>{\`\${text("a")} \`}</span>{total !== null && <b>{total}</b>}</span>`,
  "<p>{text(key)}</p>",
  "<p>{isOld ? text(a) : null}</p>",
  '<p><a href="/">1</a>{" "}<a href="/">2</a></p>',
  "<ul>{lines.map((line) => <li key={line}>{line}</li>)}<li /></ul>",
])("accepts %s", (jsx) => {
  expect(bareTextsIn(`const x = ${jsx};`)).toEqual([]);
});

test("gives every text of a hydrated page its own element", () => {
  const files = hydratedModules();
  expect(files).toContain("app/journey/frame.tsx");
  expect(files.flatMap((file) => bareTextsIn(textOf(file)).map((place) => `${file}:${place}`))).toEqual([]);
});
