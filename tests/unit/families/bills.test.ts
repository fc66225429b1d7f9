/** Vendors' bills: what they document is read as it is meant, and what cannot be understood is refused with its line. */
import { describe, expect, test } from "vitest";
import { BillError } from "#server/families/bills.ts";
import { bills as google } from "#server/families/google/bills.ts";
import { documentedLines, fieldsRead, readLines, type WrittenLine } from "#tests/contract/bill-lines.ts";

const [term, added, removed] = documentedLines;
if (term === undefined || added === undefined || removed === undefined) throw new Error("Too few lines");

describe("a line of Microsoft's bill", () => {
  test("is a term, licences that were added, or a credit, in minor units", async () => {
    const subscription = String(term.SubscriptionId).toLowerCase();
    expect(await readLines(documentedLines)).toMatchObject([
      {
        kind: "term",
        externalId: subscription,
        seats: 5,
        unitMinor: 130_560,
        amountMinor: 652_800,
        currency: "INR",
        startsAt: new Date("2026-11-03T00:00:00Z"),
        endsAt: new Date("2027-11-02T00:00:00Z"),
      },
      { kind: "seats", externalId: subscription, seats: 2, amountMinor: 248_614 },
      { kind: "credit", externalId: subscription, seats: 1, amountMinor: -128_021 },
    ]);
  });

  test("is told from every other one, and read the same in the former interface's spelling", async () => {
    const camelCase = (line: WrittenLine) =>
      Object.fromEntries(
        Object.entries(line).map(([name, value]) => [name[0]?.toLowerCase() + name.slice(1), value]),
      );
    const read = await readLines(documentedLines);
    expect(new Set(read.map(({ lineKey }) => lineKey)).size).toBe(documentedLines.length);
    expect(await readLines(documentedLines.map(camelCase))).toEqual(read);
    // The same line twice is two charges.
    expect(new Set((await readLines([term, term])).map(({ lineKey }) => lineKey)).size).toBe(2);
  });

  test("is looked at for no more than it is needed for", async () => {
    expect((await fieldsRead(term)).toSorted()).toEqual(
      [
        "ChargeEndDate",
        "ChargeStartDate",
        "ChargeType",
        "Currency",
        "InvoiceNumber",
        "OrderId",
        "Quantity",
        "ReferenceId",
        "SubscriptionId",
        "Subtotal",
        "UnitPrice",
      ].toSorted(),
    );
  });

  test.each([
    ["without a quantity", { Quantity: "" }, 'Line 2 of the bill has the quantity ""'],
    ["with words for an amount", { Subtotal: "6,528.00" }, 'Line 2 of the bill has the subtotal "6,528.00"'],
    ["without a price", { UnitPrice: "" }, "Line 2 of the bill has the unit price"],
    ["without a beginning", { ChargeStartDate: "" }, "Line 2 of the bill has the start of the charge"],
    ["with no day for an end", { ChargeEndDate: "soon" }, "Line 2 of the bill has the end of the charge"],
    [
      "in a currency in which nothing is sold",
      { Currency: "CHF" },
      'Line 2 of the bill is in the currency "CHF"',
    ],
  ])("%s is refused", async (_, wrong, why) => {
    const refused = readLines([term, { ...added, ...wrong }]);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toBeInstanceOf(BillError);
  });

  test("of nothing that was bought here is kept, as a difference that is to be looked at", async () => {
    expect(await readLines([{ ...term, SubscriptionId: "" }])).toMatchObject([
      { kind: "term", externalId: "", amountMinor: 652_800 },
    ]);
  });

  test.each([
    ["an array", [[]]],
    ["a number", [1]],
    ["nothing", [null]],
  ])("that is %s is refused", async (_, lines) => {
    await expect(readLines(lines)).rejects.toThrow("Line 1 of the bill is no object");
  });
});

describe("a row of Google's report", () => {
  const titles =
    "invoice_number,entitlement,charge_type,quantity,unit_price,cost,currency,charge_start_date,charge_end_date";
  const row =
    "GW202611,accounts/C0/customers/S0/entitlements/E0,COMMITMENT_STARTED,5,1305.6,6528,INR,2026-11-03,2027-11-03";
  const parse = (...lines: string[]) =>
    google.parse(
      (async function* () {
        yield lines.join("\r\n");
      })(),
    );
  const without = (column: string) => {
    const at = titles.split(",").indexOf(column);
    return [titles, row].map((line) =>
      line
        .split(",")
        .filter((_, index) => index !== at)
        .join(","),
    );
  };
  const withCell = (column: string, cell: string) => {
    const at = titles.split(",").indexOf(column);
    return row
      .split(",")
      .map((value, index) => (index === at ? cell : value))
      .join(",");
  };

  test("is a term, licences that were added, or a credit, in minor units", async () => {
    const added = row.replace("COMMITMENT_STARTED,5", "SEATS_ADDED,2").replace("6528", "2486.14");
    const back = row.replace("6528", "-500.25");
    expect(await parse(titles, row, added, back)).toMatchObject([
      {
        kind: "term",
        externalId: "accounts/C0/customers/S0/entitlements/E0",
        seats: 5,
        unitMinor: 130_560,
        amountMinor: 652_800,
        currency: "INR",
        startsAt: new Date("2026-11-03"),
      },
      { kind: "seats", seats: 2, amountMinor: 248_614 },
      { kind: "credit", amountMinor: -50_025 },
    ]);
  });

  test.each(titles.split(","))("without the column %s it is no such report", async (column) => {
    await expect(parse(...without(column))).rejects.toThrow(`it has no ${column}`);
  });

  test.each([
    ["quantity", "", "quantity"],
    ["cost", "free", "cost"],
    ["unit_price", "", "unit price"],
    ["charge_start_date", "", "start"],
    ["charge_end_date", "never", "end"],
    ["currency", "EUR", "currency"],
  ])("with %s %j it is refused", async (column, cell, why) => {
    await expect(parse(titles, row, withCell(column, cell))).rejects.toThrow(
      new RegExp(`^Line 2 of the bill .*${why}`),
    );
  });
});
