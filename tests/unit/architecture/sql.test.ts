/** Only db/ has SQL and rows; it maps rows to the types that the rest of the product uses. */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Commands that set a store up: migrations, seed, demo data. */
const excepted = ["server/operations/commands/"];

const builders = new Set([
  "selectFrom",
  "insertInto",
  "replaceInto",
  "updateTable",
  "deleteFrom",
  "mergeInto",
]);

/** @returns the statements and row types that belong in db/, as "line: what" */
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

test("writes no statement and uses no row type outside db/", () => {
  const files = ["app", "server"].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  expect(files.length).toBeGreaterThan(300);
  const found = files
    .filter((file) => !excepted.some((place) => file.startsWith(place)))
    .flatMap((file) => statementsIn(file, textOf(file)).map((what) => `${file}:${what}`));
  expect(found).toEqual([]);
});

test.each([
  ["a query", 'await db.selectFrom("orders").selectAll().execute();', "1: selectFrom"],
  ["a subquery", "eb.exists(\n  eb.selectFrom('orders'))", "2: selectFrom"],
  ["an insert", 'trx.insertInto("mails").values(mail)', "1: insertInto"],
  ["an update", 'trx\n  .updateTable("mails").set(mail)', "2: updateTable"],
  ["a delete", 'trx.deleteFrom("mails")', "1: deleteFrom"],
  ["a raw statement", "await sql`select now()`.execute(db)", "1: sql"],
  ["a typed raw statement", "const seen = sql<Date>`now()`", "1: sql"],
  ["an import of the SQL tag", 'import { sql as words } from "kysely";', "1: kysely"],
  ["an import of a Kysely type", 'import type { RawBuilder } from "kysely";', "1: kysely"],
  ["a row", 'import type { OrderRow } from "#db/tables/orders.ts";', "1: OrderRow"],
  [
    "a row type of a query",
    'import { type MemberRow, selectMembers } from "#db/accounts/members.ts";',
    "1: MemberRow",
  ],
  ["a row type of a namespace import", "function toInvite(row: rows.InviteRow): Invite {}", "1: InviteRow"],
  ["a renamed row type", 'import type { OrderRow as O } from "../../db/tables/orders.ts";', "1: OrderRow"],
])("finds %s", (_what, text, found) => {
  expect(statementsIn("planted.ts", text)).toEqual([found]);
});

test.each([
  ["a transaction", "await db.transaction().execute((trx) => moveOrder(trx, id));"],
  ["a function of that name", "await deleteFrom(db);"],
  ["SQL in a comment or a string", '// db.selectFrom("orders")\nconst text = "sql`select`";'],
  ["a table's vocabulary", 'import type { PaymentRowStatus } from "#db/tables/payments.ts";'],
])("accepts %s", (_what, text) => {
  expect(statementsIn("fine.ts", text)).toEqual([]);
});
