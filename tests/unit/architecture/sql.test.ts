/** Statements are made in db/, where rows become what the rest of the product speaks of: elsewhere there is neither SQL nor a row. */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** They set a store up from nothing: migrations, seed, demo data. */
const excepted = ["server/operations/commands/"];

const builders = new Set([
  "selectFrom",
  "insertInto",
  "replaceInto",
  "updateTable",
  "deleteFrom",
  "mergeInto",
]);

/** @returns what of a file belongs in db/, as "line: what" */
function statementsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const add = (node: ts.Node, what: string) =>
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  const visit = (node: ts.Node): void => {
    const called = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
    if (called && builders.has(node.expression.name.text))
      add(node.expression.name, node.expression.name.text);
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) === "sql") add(node, "sql");
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const from = node.moduleSpecifier.text;
      if (from === "kysely" || from.startsWith("kysely/")) add(node, "kysely");
      if (/^#db\/|\/db\//.test(from)) {
        for (const name of namesOf(node)) if (name.endsWith("Row")) add(node, name);
      }
    }
    if (ts.isQualifiedName(node) && node.right.text.endsWith("Row")) add(node, node.right.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function namesOf({ importClause }: ts.ImportDeclaration): string[] {
  const named = importClause?.namedBindings;
  if (named === undefined || !ts.isNamedImports(named)) return [];
  return named.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

test("no room but db/ makes a statement or knows a row", () => {
  const files = ["app", "server"].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  expect(files.length).toBeGreaterThan(300);
  const found = files
    .filter((file) => !excepted.some((place) => file.startsWith(place)))
    .flatMap((file) => statementsIn(file, textOf(file)).map((what) => `${file}:${what}`));
  expect(found).toEqual([]);
});

test.each([
  ["a query", 'await db.selectFrom("orders").selectAll().execute();', "1: selectFrom"],
  ["a query in a longer one", "eb.exists(\n  eb.selectFrom('orders'))", "2: selectFrom"],
  ["an insert", 'trx.insertInto("mails").values(mail)', "1: insertInto"],
  ["an update", 'trx\n  .updateTable("mails").set(mail)', "2: updateTable"],
  ["a delete", 'trx.deleteFrom("mails")', "1: deleteFrom"],
  ["a statement in words", "await sql`select now()`.execute(db)", "1: sql"],
  ["one with its type", "const seen = sql<Date>`now()`", "1: sql"],
  ["what makes fragments", 'import { sql as words } from "kysely";', "1: kysely"],
  ["what fragments are passed by", 'import type { RawBuilder } from "kysely";', "1: kysely"],
  ["a row", 'import type { OrderRow } from "#db/tables/orders.ts";', "1: OrderRow"],
  [
    "a row of no table",
    'import { type MemberRow, selectMembers } from "#db/accounts/members.ts";',
    "1: MemberRow",
  ],
  ["a row of all that a file exports", "function toInvite(row: rows.InviteRow): Invite {}", "1: InviteRow"],
  ["a row by another name", 'import type { OrderRow as O } from "../../db/tables/orders.ts";', "1: OrderRow"],
])("%s is found", (_what, text, found) => {
  expect(statementsIn("planted.ts", text)).toEqual([found]);
});

test.each([
  ["a transaction", "await db.transaction().execute((trx) => moveOrder(trx, id));"],
  ["a function of that name", "await deleteFrom(db);"],
  ["what is said of it", '// db.selectFrom("orders")\nconst text = "sql`select`";'],
  ["a table's vocabulary", 'import type { PaymentRowStatus } from "#db/tables/payments.ts";'],
])("%s is not taken for one", (_what, text) => {
  expect(statementsIn("fine.ts", text)).toEqual([]);
});
