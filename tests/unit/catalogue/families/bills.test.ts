/** Vendors' bills: documented values are parsed, and lines that cannot be parsed are refused with their number. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BillError } from "#server/catalogue/families/bills.ts";
import { bills as google } from "#server/catalogue/families/google/bills.ts";
import { bills as microsoft } from "#server/catalogue/families/microsoft/bills.ts";
import { documentedLines, fieldsRead, readLines, type WrittenLine } from "#tests/contract/bill-lines.ts";

const [term, added, removed] = documentedLines;
if (term === undefined || added === undefined || removed === undefined)
  throw new Error("Expected three documented lines");

describe("a line of Microsoft's bill", () => {
  test("becomes a term, added licences or a credit, in minor units", async () => {
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

  test("keeps its unique key in the old interface's spelling", async () => {
    const camelCase = (line: WrittenLine) =>
      Object.fromEntries(
        Object.entries(line).map(([name, value]) => [name[0]?.toLowerCase() + name.slice(1), value]),
      );
    const read = await readLines(documentedLines);
    expect(new Set(read.map(({ lineKey }) => lineKey)).size).toBe(documentedLines.length);
    expect(await readLines(documentedLines.map(camelCase))).toEqual(read);
    // Two identical lines are two charges.
    expect(new Set((await readLines([term, term])).map(({ lineKey }) => lineKey)).size).toBe(2);
  });

  test("reads only the fields that it needs", async () => {
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
    ["a line without a quantity", { Quantity: "" }, 'Line 2 of the bill has the quantity ""'],
    ["an amount with a comma", { Subtotal: "6,528.00" }, 'Line 2 of the bill has the subtotal "6,528.00"'],
    ["a line without a price", { UnitPrice: "" }, "Line 2 of the bill has the unit price"],
    [
      "an impossible start date",
      { ChargeStartDate: "13/2/2027" },
      "Line 2 of the bill has the start of the charge",
    ],
    ["an end that is not a date", { ChargeEndDate: "soon" }, "Line 2 of the bill has the end of the charge"],
  ])("refuses %s", async (_, wrong, why) => {
    const refused = readLines([term, { ...added, ...wrong }]);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toBeInstanceOf(BillError);
  });

  test("stays as a difference to check when it has no subscription of the store", async () => {
    expect(await readLines([{ ...term, SubscriptionId: "" }])).toMatchObject([
      { kind: "term", externalId: "", amountMinor: 652_800 },
    ]);
  });

  test.each([
    ["an array of numbers", [[1]], "Line 1 of the bill has text outside an object"],
    ["a number", [1], "Line 1 of the bill isn't the header"],
    ["nothing", [null], "Line 1 of the bill isn't the header"],
  ])("refuses %s", async (_, lines, why) => {
    await expect(readLines(lines)).rejects.toThrow(why);
  });
});

/** The columns of the file that people download from Partner Center, in order. */
const titles = Object.keys(term);
const csvOf = (lines: readonly WrittenLine[], { delimiter = ",", end = "\r\n" } = {}) =>
  [titles, ...lines.map((each) => titles.map((title) => String(each[title] ?? "")))]
    .map((cells) => cells.join(delimiter))
    .join(end);
/** Formats a date as the portal does. */
const american = (text: unknown) => {
  const [year, month, day] = String(text).slice(0, 10).split("-").map(Number);
  return `${month}/${day}/${year}`;
};
const ofPortal = ({ ChargeStartDate, ChargeEndDate, ...rest }: WrittenLine): WrittenLine => ({
  ...rest,
  UnitPrice: `${rest.UnitPrice}0`,
  ChargeStartDate: american(ChargeStartDate),
  ChargeEndDate: american(ChargeEndDate),
});
const parse = (text: string, size = 1_000) =>
  microsoft.parse(
    (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    })(),
  );

describe("a file of Microsoft's bill", () => {
  test.each([
    ["the portal's CSV", csvOf(documentedLines.map(ofPortal))],
    ["CSV with ISO dates and LF", csvOf(documentedLines, { end: "\n" })],
    ["CSV saved with semicolons and a mark", `\uFEFF${csvOf(documentedLines, { delimiter: ";" })}`],
    ["CSV saved as Unicode text", csvOf(documentedLines, { delimiter: "\t", end: "\r" })],
    ["CSV with empty columns and rows", `${csvOf(documentedLines).replaceAll("\r\n", ",,\r\n")}\r\n,,,\r\n`],
    [
      "JSON lines with a mark",
      `\uFEFF${documentedLines.map((each) => JSON.stringify(each)).join("\r\n")}\r\n`,
    ],
    ["an array on one line", JSON.stringify(documentedLines)],
    ["a pretty-printed array", `\uFEFF${JSON.stringify(documentedLines, null, 2)}\n`],
    [
      "objects set over several lines",
      documentedLines.map((each) => JSON.stringify(each, null, "\t")).join("\n"),
    ],
  ])("reads the same bill from %s, with the same keys", async (_what, text) => {
    const lines = await readLines(documentedLines);
    for (const size of [7, 10_000]) expect(await parse(text, size)).toEqual(lines);
  });

  test.each([
    [
      "a web page",
      "<html>\n<body>",
      /^Line 1 of the bill isn't the header of an invoice reconciliation file/,
    ],
    [
      "daily usage",
      "PartnerId,CustomerId,UsageDate,Quantity\n1,2,3,4",
      /Missing columns: SubscriptionId.*Download the reconciliation file/,
    ],
    [
      "half an array",
      JSON.stringify(documentedLines).slice(0, -1),
      /^The bill ends in the middle, in line 1\. Download it again/,
    ],
    [
      "half an object",
      JSON.stringify(documentedLines[0], null, 1).slice(0, 900),
      /ends in the middle, in line \d\d/,
    ],
    ["an object that is not closed well", '{"a": 1,}\n', /^Line 1 of the bill is not JSON/],
    [
      "something after an object",
      `${JSON.stringify(term)}\nmore`,
      /^Line 2 of the bill has text outside an object/,
    ],
  ])("refuses %s", async (_what, text, why) => {
    await expect(parse(text)).rejects.toThrow(why);
    await expect(parse(text)).rejects.toBeInstanceOf(BillError);
  });

  test.each([
    ["ChargeStartDate", "13/2/2027"],
    ["ChargeEndDate", "2027-02-30"],
    ["ChargeEndDate", "04-02-2027 20:35"],
    ["Subtotal", "6528.00 INR"],
    ["UnitPrice", "$1305.6"],
    ["BillableQuantity", "(2)"],
    ["PCToBCExchangeRate", "one"],
  ])("names the line and the column of %s %j", async (column, cell) => {
    await expect(parse(csvOf([term, { ...added, [column]: cell }]))).rejects.toThrow(
      new RegExp(`^Line 3 of the bill has .* in column ${column}\\. Use `),
    );
  });

  test("counts billable licences, at the list price in the currency of the bill", async () => {
    const lines = [
      {
        ...term,
        UnitPrice: "115.2",
        EffectiveUnitPrice: "97.92",
        Quantity: "10",
        BillableQuantity: "10",
        Subtotal: "979.20",
        PromotionId: "39NFJQT1X1GJ:0001",
      },
      { ...added, Quantity: "12", BillableQuantity: "2" },
      { ...term, UnitPrice: "100", EffectiveUnitPrice: "110" },
      {
        ...term,
        UnitPrice: "10",
        EffectiveUnitPrice: "10",
        PricingCurrency: "USD",
        PCToBCExchangeRate: "84.5",
      },
    ];
    expect(await parse(csvOf(lines))).toMatchObject([
      { seats: 10, unitMinor: 11_520, amountMinor: 97_920, remark: null },
      { kind: "seats", seats: 2, amountMinor: 248_614, remark: null },
      { unitMinor: 11_000 },
      { unitMinor: 84_500 },
    ]);
  });

  test.each([
    [
      { ChargeType: "cycleFee", Quantity: "0.000416", BillableQuantity: "0.000416", Subtotal: "0.01" },
      "usage of 0.000416",
    ],
    [{ ChargeType: "marketplaceFee" }, 'charge type "marketplaceFee"'],
    [{ ChargeEndDate: "" }, "no end date"],
    [{ ChargeStartDate: "", ChargeEndDate: "0001-01-01T00:00:00Z" }, "no start date, no end date"],
    [{ Currency: "EUR", Subtotal: "49.00" }, "49 EUR"],
    [
      { Currency: "GBP", Subtotal: "-3.5", Quantity: "0.5", BillableQuantity: "0.5" },
      "-3.5 GBP, usage of 0.5",
    ],
    [{ Currency: "" }, "2486.14 without a currency"],
  ])("keeps a line with %j for a person to check", async (changes, remark) => {
    expect(await parse(csvOf([term, { ...added, ...changes }]))).toMatchObject([
      { remark: null },
      { remark: `line 3: ${remark}` },
    ]);
    const json = JSON.stringify([term, { ...added, ...changes }], null, 1);
    expect((await parse(json))[1]?.remark).toBe(`line ${titles.length + 4}: ${remark}`);
  });

  test.each<WrittenLine>([
    { ChargeType: "convert" },
    { ChargeType: "new", UnitPrice: "0", EffectiveUnitPrice: "0" },
    { ChargeType: "trial", ChargeEndDate: "" },
    { ChargeType: "cycleFee", Quantity: "0.5", BillableQuantity: "0.5" },
    { Currency: "EUR" },
  ])("has nothing to check in a line of 0.00 with %j", async (changes) => {
    expect(await parse(csvOf([term, { ...added, ...changes, Subtotal: "0" }]))).toMatchObject([
      { remark: null },
      { amountMinor: 0, remark: null },
    ]);
  });

  test("refuses a bill in another currency, or without any date", async () => {
    await expect(parse(csvOf([{ ...term, Currency: "CHF" }]))).rejects.toThrow(
      'Line 2 of the bill is in the currency "CHF"',
    );
    await expect(parse(csvOf([{ ...term, ChargeStartDate: "", ChargeEndDate: "" }]))).rejects.toThrow(
      "No line of the bill has a date",
    );
  });

  test("adds up to its total, even with usage in fractions of a cent", async () => {
    const amount = fc.oneof(
      fc.integer({ min: -99_999, max: 99_999_999 }),
      fc.constantFrom(0.4, 0.04, 0.5, -0.6),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 30 }), async (cents) => {
        const lines = cents.map((each) => ({ ...term, Subtotal: (each / 100).toFixed(4) }));
        const read = await parse(csvOf(lines));
        const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
        expect(Math.abs(sum(read.map(({ amountMinor }) => amountMinor)) - sum(cents))).toBeLessThan(0.51);
        for (const [index, each] of cents.entries())
          if (Number.isInteger(each)) expect(read[index]?.amountMinor).toBe(each === 0 ? 0 : each);
      }),
    );
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

  test("becomes a term, added licences or a credit, in minor units", async () => {
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

  test.each(titles.split(","))("refuses a report without the column %s", async (column) => {
    await expect(parse(...without(column))).rejects.toThrow(`Missing columns: ${column}.`);
  });

  test.each([
    ["quantity", "", "quantity"],
    ["cost", "free", "cost"],
    ["unit_price", "", "unit price"],
    ["charge_start_date", "30/2/2027", "start"],
    ["charge_end_date", "never", "end"],
  ])("refuses %s %j", async (column, cell, why) => {
    await expect(parse(titles, row, withCell(column, cell))).rejects.toThrow(
      new RegExp(`^Line 3 of the bill .*${why}.* in column ${column}\\.`),
    );
  });

  test.each([
    ["charge_start_date", "", "line 3: no start date"],
    ["currency", "EUR", "line 3: 6528 EUR"],
    ["quantity", "0.5", "line 3: usage of 0.5"],
  ])("keeps a row with %s %j for a person to check", async (column, cell, remark) => {
    expect(await parse(titles, row, withCell(column, cell))).toMatchObject([{ remark: null }, { remark }]);
  });
});
