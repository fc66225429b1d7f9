/**
 * No page has its own sentences: every text that a visitor reads is a message (docs/decisions/languages.md#messages). What is written
 * into a component, or thrown as a refusal, would be English in every language, and the compiler would not report it.
 */
import ts from "typescript";
import { describe, expect, it, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Folders whose readers are programs, staff and developers: English only. */
const englishAlone = [
  "app/api/",
  "app/pages/api-docs/",
  "app/pages/ui/",
  "app/desk/",
  "server/desk/",
  "server/operations/commands/",
  "server/integrations/",
];
/** Refusals that only programs and operators see. */
const toPrograms = [
  "app/resources/csp-reports.ts",
  "app/http/body.ts",
  "app/http/storable-text.ts",
  "app/http/encoded-text.ts",
  "server/billing/cancellations/decide.ts",
  "server/catalogue/families/google/webhooks.ts",
  "server/catalogue/families/microsoft/webhooks.ts",
  "server/billing/cancellations/decide.ts",
  "server/catalogue/edit.ts",
  "server/billing/documents/cancel-registration.ts",
  "server/billing/documents/enter-registration.ts",
  "server/billing/documents/registration-queue.ts",
  "server/fulfilment/attention.ts",
  "server/fulfilment/mark-fulfilled.ts",
  "server/fulfilment/amend-order.ts",
  "server/fulfilment/pause.ts",
  "server/mail/bounce.ts",
  "server/billing/payments/certificates.ts",
  "server/billing/payments/staff-refund.ts",
  "server/billing/payments/razorpay/signed-events.ts",
  "server/billing/payments/refund.ts",
  "server/operations/after-restore/after-restore.ts",
  "server/foundation/security/idempotency.ts",
];

const spokenAttributes = /^(alt|aria-label|heading|hint|label|placeholder|searchLabel|text|title)$/i;
const refusals = /^(DomainError|notFound|wrongField|sentences)$/;
const hasWord = (text: string) => /\p{L}{2}/u.test(text);

/** The sentences written into a file's pages and refusals. */
function sentencesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const literal = (node: ts.Node | undefined) =>
    node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWord(node.text)) found.push(node.text.trim());
    if (
      ts.isJsxAttribute(node) &&
      spokenAttributes.test(node.name.getText()) &&
      node.initializer !== undefined &&
      ts.isStringLiteral(node.initializer) &&
      hasWord(node.initializer.text)
    )
      found.push(`${node.name.getText()}=${node.initializer.getText()}`);
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      refusals.test(node.expression.getText()) &&
      !toPrograms.includes(file)
    )
      found.push(
        ...(node.arguments ?? [])
          .filter((argument) => literal(argument) && / /.test(argument.getText()))
          .map((argument) => argument.getText()),
      );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = [...filesUnder("app", /\.tsx?$/), ...filesUnder("server", /\.ts$/)].filter(
  (file) => !englishAlone.some((place) => file.startsWith(place)),
);

test("writes every sentence of pages and refusals as a message", () => {
  expect(files.length).toBeGreaterThan(300);
  const written = files.flatMap((file) => sentencesIn(file, textOf(file)).map((text) => `${file}: ${text}`));
  expect(written).toEqual([]);
});

describe("a sentence outside the messages", () => {
  it.each([
    ["a text in a component", "const a = <p>Pay now</p>;"],
    ["a label", 'const a = <Field label="Email" />;'],
    ["a name for screen readers", 'const a = <nav aria-label="Pages" />;'],
    ["a refusal", 'throw new DomainError("conflict", "Price has changed");'],
    ["a refusal with a value in it", "throw wrongField(name, `No more than $" + "{most} licences`);"],
  ])("finds %s", (_what, text) => {
    expect(sentencesIn("app/example.tsx", text)).toHaveLength(1);
  });

  it.each([
    'const a = <p>{text("review.terms")}</p>;',
    "const a = <p> · </p>;",
    'const a = <input name="email" type="email" />;',
    'throw new DomainError("conflict", told("refusals.priceChanged"));',
  ])("ignores %s", (text) => {
    expect(sentencesIn("app/example.tsx", text)).toEqual([]);
  });
});
