/**
 * Columns are named `like_this`, and only db/ uses those names; its functions take and return `likeThis`. So an underscored
 * name
 * elsewhere either leaks a column or comes from an outside system. The outside systems are listed here.
 */
import ts from "typescript";
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Owner of the underscored names in each folder or file. */
const given: Readonly<Record<string, string>> = {
  "app/api/": "the specification",
  "app/forms/account-schema.ts": "the specification",
  "app/http/user-fields.ts": "the specification",
  "server/catalogue/card.ts": "the specification",
  "app/journey/place-order/razorpay/": "Razorpay",
  "server/billing/payments/razorpay/": "Razorpay",
  "server/billing/payments/payment-link/": "Razorpay",
  "server/billing/payments/bank-transfer/": "Razorpay",
  "server/integrations/identity-providers/": "identity providers",
  "server/integrations/": "the vendors",
  "app/ui/speculation.ts": "the web's speculation rules",
  "app/resources/manifest.ts": "the web's manifests",
  "server/operations/jobs/worker.ts": "graphile-worker",
  "server/billing/documents/gstr1/": "the GST portal",
  "server/foundation/csv.ts": "the csv packages",
  "server/foundation/errors.ts": "codes of refusals, by which their statuses are found",
  "app/journey/order-labels.ts": "states of an order, by which their words are found",
  "server/desk/labels.ts": "states of an order, by which their words are found",
  "server/billing/payments/paid-for.ts": "stored JSON, which is read as it was once written",
};
/** Fields of the specification that also have these names in stored orders, forms and page addresses. */
const anywhere = ["gst_code", "sku_id"];

/** @returns the names of properties and variables that look like columns, as "line: name" */
function columnsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isColumnLike(node.text)) {
      found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isColumnLike(name: string): boolean {
  return /^[a-z\d]+(_[a-z\d]+)+$/.test(name) && !anywhere.includes(name);
}

const files = ["app", "server"].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
const isUnder = (place: string) => (file: string) => file.startsWith(place);

test("uses no column name outside db/", () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files
    .filter((file) => !Object.keys(given).some((place) => isUnder(place)(file)))
    .flatMap((file) => columnsIn(file, textOf(file)).map((what) => `${file}:${what}`));
  expect(found).toEqual([]);
});

test("needs every exception", () => {
  const idle = Object.keys(given).filter((place) =>
    files.filter(isUnder(place)).every((file) => columnsIn(file, textOf(file)).length === 0),
  );
  expect(idle).toEqual([]);
});

test.each([
  [
    "a property that is passed",
    "await moveOrder(trx, order, { payment_status: 'none' });",
    "1: payment_status",
  ],
  ["a shorthand property", "await insertToken(db, { expires_at });", "1: expires_at"],
  [
    "a property that is read",
    "const user = await selectUser(db, id);\nreturn user.first_name;",
    "2: first_name",
  ],
  ["a destructured property", "owners.map(({ user_id: userId }) => userId)", "1: user_id"],
  ["a property of a type", "interface Holder {\n  order_id: OrderId;\n}", "2: order_id"],
])("finds %s", (_what, text, found) => {
  expect(columnsIn("planted.ts", text)).toEqual([found]);
});

test.each([
  ["a state", 'if (order.fulfilmentStatus === "needs_attention") return;'],
  ["a setting", "env.RETRY_BASE_MS"],
  ["a field of the specification", "const { gst_code: gstCode } = answers;"],
])("accepts %s", (_what, text) => {
  expect(columnsIn("fine.ts", text)).toEqual([]);
});
