/** Microsoft's bills: each line a charge or a credit for a subscription (docs/providers.md, section 1.10). */
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import { BillError, type BillRules, dateIn, keyedLines, numberIn, type WrittenLine } from "../bills.ts";

export const bills: BillRules = {
  async list(context, country, month) {
    const all = await context.partnerCenterOf(country).listInvoices();
    return all.filter((invoice) => invoice.month === month).map(({ id }) => id);
  },
  begin: (context, country, { statement }) => context.partnerCenterOf(country).beginExport(statement),
  async read(context, country, operation) {
    const pieces = await context.partnerCenterOf(country).readExport(operation);
    return pieces === null ? null : parse(pieces);
  },
  parse,
};

/** What a line is called that is a term's beginning, and one for seats in mid-term. The others give something back. */
const kinds: Readonly<Record<string, VendorLineKind>> = {
  new: "term",
  renew: "term",
  cyclecharge: "term",
  purchasefee: "term",
  addquantity: "seats",
};

/** @throws BillError */
async function parse(pieces: AsyncIterable<string>) {
  const lines: WrittenLine[] = [];
  let rest = "";
  let count = 0;
  const take = (text: string) => {
    count += 1;
    if (text.trim() !== "") lines.push(lineOf(text, count));
  };
  for await (const piece of pieces) {
    const whole = `${rest}${piece}`.split("\n");
    rest = whole.pop() ?? "";
    for (const text of whole) take(text);
  }
  take(rest);
  return keyedLines(lines);
}

function lineOf(text: string, line: number): WrittenLine {
  const fields = fieldsOf(text, line);
  const field = (name: string) => fields.get(name) ?? "";
  const amount = numberIn(field("subtotal"), "subtotal", line);
  const chargeType = field("chargetype");
  return {
    identity: [
      "invoicenumber",
      "referenceid",
      "orderid",
      "subscriptionid",
      "chargetype",
      "chargestartdate",
      "chargeenddate",
      "quantity",
      "unitprice",
      "subtotal",
    ].map(field),
    externalId: field("subscriptionid").toLowerCase(),
    kind: amount < 0 ? "credit" : (kinds[chargeType.toLowerCase()] ?? "term"),
    seats: Math.abs(Math.round(numberIn(field("quantity"), "quantity", line))),
    unit: numberIn(field("unitprice"), "unit price", line),
    amount,
    currency: field("currency"),
    startsAt: dateIn(field("chargestartdate"), "start of the charge", line),
    endsAt: dateIn(field("chargeenddate"), "end of the charge", line),
  };
}

/** By their names in lower case: the export and the older interface spell them differently. */
function fieldsOf(text: string, line: number): Map<string, string> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new BillError(`Line ${line} of the bill is not JSON.`);
  }
  if (typeof read !== "object" || read === null || Array.isArray(read))
    throw new BillError(`Line ${line} of the bill is no object.`);
  return new Map(
    Object.entries(read).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name.toLowerCase(), String(value)]] : [],
    ),
  );
}
