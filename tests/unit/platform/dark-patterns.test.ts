/** Checks the promises of docs/operate/dark-patterns.md about texts and check boxes. */
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { messagesByKey } from "#server/foundation/languages/language.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const practices = {
  "false urgency":
    /\b(?:hurry|act now|last chance|selling fast|almost gone|don't miss|limited[- ]time|only \S+ left|(?:people|users|others) (?:are )?(?:viewing|looking))\b/i,
  "confirm shaming": /\bno,? thanks?\b|\bI don't (?:want|need|care)\b|\bI(?:'d| would) rather\b/i,
  "a trick question": /\b(?:don't|do not) (?:un\w+|opt out|not)\b|\b(?:untick|uncheck|opt out)\b/i,
};
const hindi = /जल्दी कर|आख़िरी मौक़ा|सीमित समय|हाथ से न जाने|बस \S+ बचे/;

describe.each(Object.entries(practices))("%s", (_name, pattern) => {
  test("appears in no English message", () => {
    const messages = Object.entries(messagesByKey.en);
    expect(messages.length).toBeGreaterThan(2_000);
    expect(messages.filter(([, message = ""]) => pattern.test(message))).toEqual([]);
  });
});

test("hurries no one in Hindi", () => {
  expect(Object.entries(messagesByKey.hi).filter(([, message = ""]) => hindi.test(message))).toEqual([]);
});

test.each([
  ["Hurry! Only 3 left", "false urgency"],
  ["12 people are viewing this plan", "false urgency"],
  ["No thanks, I like paying more", "confirm shaming"],
  ["Untick this if you do not want our newsletter", "a trick question"],
] as const)("finds %j", (message, practice) => {
  expect(message).toMatch(practices[practice]);
});

/** @returns the check boxes that are always ticked, regardless of the buyer's answers, as "line" */
function tickedIn(file: string, text: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const visit = (node: ts.Node): void => {
    if (ts.isJsxAttributes(node)) {
      const of = (name: string) =>
        node.properties.find(
          (each): each is ts.JsxAttribute => ts.isJsxAttribute(each) && each.name.getText() === name,
        );
      const isBox = of("type")?.initializer?.getText() === '"checkbox"';
      const ticked = of("defaultChecked") ?? of("checked");
      const value = ticked?.initializer?.getText();
      if (isBox && ticked !== undefined && (value === undefined || value === "{true}"))
        found.push(String(source.getLineAndCharacterOfPosition(node.getStart()).line + 1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("ticks no box in advance", () => {
  expect(tickedIn("a.tsx", '<input type="checkbox" defaultChecked />')).toEqual(["1"]);
  expect(tickedIn("a.tsx", '<input type="checkbox" defaultChecked={isWanted} />')).toEqual([]);
  const files = filesUnder("app", /\.tsx$/);
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => tickedIn(file, textOf(file)).map((line) => `${file}:${line}`))).toEqual([]);
});
