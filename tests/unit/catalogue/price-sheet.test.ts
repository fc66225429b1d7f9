/** Microsoft's price sheet in all its formats, complete or truncated. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPriceSheet } from "#server/catalogue/families/microsoft/price-sheet.ts";
import { FileTally, PriceFileError } from "#server/catalogue/families/vendor-catalogue.ts";
import { csvRows } from "#server/foundation/csv.ts";
import { singleLine } from "#server/foundation/single-line.ts";

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function rowsOf(text: string, size = 7): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of csvRows(inPieces(text, size))) rows.push(row);
  return rows;
}

describe("comma-separated values", () => {
  test("reads quotes, commas and line breaks inside cells", async () => {
    expect(await rowsOf('a,"b ""c"", d",\r\n"e\nf",,g')).toEqual([
      ["a", 'b "c", d', ""],
      ["e f", "", "g"],
    ]);
    expect(await rowsOf('"",""\n')).toEqual([["", ""]]);
  });

  test("reads the same rows from chunks of any size", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " ", "“"), maxLength: 6 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const quoted = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(","));
        expect(await rowsOf(quoted.join("\r\n"), size)).toEqual(rows.map((row) => row.map(singleLine)));
      }),
    );
  });
});

describe("a price sheet", () => {
  // The header of Microsoft's own sample, which ends in a curly quote, with the segment of newer sheets.
  const header =
    '"ProductTitle","ProductId","SkuId","SkuTitle","Publisher","SkuDescription","UnitOfMeasure","TermDuration","BillingPlan","Market","Currency","UnitPrice","PricingTierRangeMin","PricingTierRangeMax","EffectiveStartDate","EffectiveEndDate","Tags","Segment","ERP Price“';
  const usual = {
    product: "CFQ7TTC0HDK0",
    sku: "0001",
    term: "P1Y",
    plan: "Annual",
    market: "US",
    currency: "USD",
    price: "115.2",
    least: "",
    most: "",
    from: "2/1/2026 12:00:00 AM",
    to: "2/4/2027 8:35:31 PM",
    segment: "Commercial",
    retail: "144",
  };
  const line = (changes: Partial<typeof usual> = {}) => {
    const { product, sku, term, plan, market, currency, price, least, most, from, to, segment, retail } = {
      ...usual,
      ...changes,
    };
    return `"Advanced","${product}","${sku}","Advanced","Microsoft","For ""all"", everywhere.","","${term}","${plan}","${market}","${currency}","${price}","${least}","${most}","${from}","${to}","License","${segment}","${retail}"`;
  };
  const wanted = { market: "US", currency: "USD", keys: new Set(["CFQ7TTC0HDK0:0001"]) } as const;
  const read = (lines: string[], month?: string) =>
    readPriceSheet(inPieces([header, ...lines].join("\n"), 100), { ...wanted, month });

  test("reads a seat's cost, rounded up to the cent, and the price's period", async () => {
    expect(
      await read([line(), line({ term: "P1M", plan: "Monthly", price: "12.0001", least: "1", most: "300" })]),
    ).toEqual([
      {
        productId: "CFQ7TTC0HDK0",
        skuId: "0001",
        term: "P1Y",
        billingCycle: "annual",
        currency: "USD",
        minSeats: 1,
        maxSeats: null,
        costMinor: 11_520,
        retailMinor: 14_400,
        startsAt: new Date("2026-02-01T00:00:00Z"),
        endsAt: new Date("2027-02-04T20:35:31Z"),
      },
      expect.objectContaining({ term: "P1M", billingCycle: "monthly", costMinor: 1_201, maxSeats: 300 }),
    ]);
  });

  test.each([
    { product: "CFQ7TTC0ELSE" },
    { sku: "0002" },
    { market: "IN" },
    { currency: "EUR" },
    { segment: "Education" },
    { segment: "Charity" },
    { term: "P3Y" },
    { plan: "Triennial" },
  ])("leaves out %j", async (changes) => {
    expect(await read([line(changes)])).toEqual([]);
  });

  test("accepts a sheet from before segments existed", async () => {
    expect(await read([line({ segment: "" })])).toHaveLength(1);
  });

  test.each([
    ["2026-01", 0],
    ["2026-02", 1],
    ["2027-02", 1],
    ["2027-03", 0],
  ])("contains the prices in effect in %s", async (month, count) => {
    expect(await read([line()], month)).toHaveLength(count);
  });

  test.each([{ price: "free" }, { price: "-1" }, { from: "2026-02-31" }, { to: "" }])(
    "refuses %j with its line",
    async (changes) => {
      await expect(read([line(), line(changes)])).rejects.toThrow("Line 3 of the price sheet");
    },
  );

  test("refuses another kind of file", async () => {
    await expect(readPriceSheet(inPieces("a,b\n1,2", 3), wanted)).rejects.toThrow(PriceFileError);
    await expect(readPriceSheet(inPieces("", 3), wanted)).rejects.toThrow("The price sheet is empty.");
  });

  const tallied = async (...lines: string[]) => {
    const tally = new FileTally();
    const prices = await readPriceSheet(inPieces([header, ...lines].join("\n"), 100), { ...wanted, tally });
    return { costs: prices.map(({ costMinor }) => costMinor), text: tally.text };
  };

  test.each([
    [
      "dates with seven decimals",
      { from: "2026-11-01T00:00:00.0000000Z", to: "9999-12-31T23:59:59.0000000Z" },
    ],
    ["dates without a time", { from: "2026-11-01", to: "2027-10-31" }],
    ["American dates without a time", { from: "11/1/2026", to: "10/31/2027" }],
    ["a SKU without its zeros", { sku: "1" }],
    ["a SKU with some of them", { sku: "01" }],
    [
      "names in small letters",
      { product: "cfq7ttc0hdk0", market: "us", currency: "usd", term: "p1y", plan: "annual" },
    ],
    ["names in capitals", { plan: "ANNUAL", segment: "COMMERCIAL" }],
  ])("accepts %s", async (_what, changes) => {
    expect(await tallied(line(changes))).toEqual({ costs: [11_520], text: "1 row taken." });
  });

  test.each([
    [{ from: "13/2/2027 8:35:31 PM" }, "EffectiveStartDate"],
    [{ from: "0/0/2026" }, "EffectiveStartDate"],
    [{ to: "1/1/2027 99:99:99 PM" }, "EffectiveEndDate"],
    [{ to: "4/31/2026" }, "EffectiveEndDate"],
    [{ to: "2026-02-30T00:00:00Z" }, "EffectiveEndDate"],
    [{ from: "04-02-2027 20:35" }, "EffectiveStartDate"],
    [{ from: "2/1/2026 0:00" }, "EffectiveStartDate"],
    [{ price: "1.644,00" }, "UnitPrice"],
    [{ retail: "$144" }, "ERP Price"],
    [{ least: "one" }, "PricingTierRangeMin"],
    [{ sku: "1E+03" }, "SkuId"],
  ])("names the line, the column and a remedy for %j", async (changes, column) => {
    await expect(read([line(), line(changes)])).rejects.toThrow(
      new RegExp(`^Line 3 of the price sheet has .* in column ${column}\\. (Use|Import) `),
    );
  });

  test("counts the reasons for omitted rows", async () => {
    const counted = await tallied(
      line(),
      line({ product: "CFQ7TTC0ELSE" }),
      line({ sku: "2" }),
      line({ market: "IN" }),
      line({ currency: "EUR" }),
      line({ segment: "Education" }),
      line({ term: "P3Y" }),
      line({ plan: "Yearly" }),
    );
    expect(counted).toEqual({
      costs: [11_520],
      text: "1 row taken, 7 left out: 2 not sold here, 1 not for the market US, 1 not in USD, 1 not for businesses, 1 not sold for P3Y billed Annual, 1 not sold for P1Y billed Yearly.",
    });
  });

  test("omits a year that is billed monthly, with the reason", async () => {
    const counted = await tallied(
      line({ price: "115.20" }),
      line({ plan: "Monthly", price: "120.96" }),
      line({ term: "P1M", plan: "Monthly", price: "12.10" }),
    );
    expect(counted.costs).toEqual([11_520, 1_210]);
    expect(counted.text).toContain("1 P1Y billed monthly, whose price may be for a month or for the year");
  });

  describe("with change indicators", () => {
    const changed = (indicator: string, changes: Partial<typeof usual> = {}) =>
      `"${indicator}",${line(changes)}`;
    const readChanged = async (...lines: string[]) => {
      const tally = new FileTally();
      const text = [`"ChangeIndicator",${header}`, ...lines].join("\r\n");
      const prices = await readPriceSheet(inPieces(text, 64), { ...wanted, tally });
      return { costs: prices.map(({ costMinor }) => costMinor), ended: tally.withdrawn, text: tally.text };
    };

    test.each(["New", "Changed", "Unchanged", "", "Price decrease"])(
      "keeps %j in force",
      async (indicator) => {
        expect((await readChanged(changed(indicator))).costs).toEqual([11_520]);
      },
    );

    test.each(["Removed", "removed", "REMOVED", "Deleted"])(
      "withdraws the stored price for %j",
      async (indicator) => {
        const removed = await readChanged(changed("Changed"), changed(indicator, { price: "99.90" }));
        expect(removed).toMatchObject({
          costs: [11_520],
          ended: [{ costMinor: 9_990, startsAt: new Date("2026-02-01") }],
          text: "1 row taken, 1 left out: 1 withdrawn by the vendor.",
        });
      },
    );
  });
});
