/** Microsoft's price sheet, as it is written and as it may be cut. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvRows } from "#server/csv.ts";
import { readPriceSheet } from "#server/families/microsoft/price-sheet.ts";
import { PriceFileError } from "#server/families/vendor-catalogue.ts";

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function rowsOf(text: string, size = 7): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of csvRows(inPieces(text, size))) rows.push(row);
  return rows;
}

describe("comma-separated values", () => {
  test("with quotes, commas and line breaks inside", async () => {
    expect(await rowsOf('a,"b ""c"", d",\r\n"e\nf",,g')).toEqual([
      ["a", 'b "c", d', ""],
      ["e\nf", "", "g"],
    ]);
    expect(await rowsOf('"",""\n')).toEqual([["", ""]]);
  });

  test("are the same however they are cut", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " ", "“"), maxLength: 6 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const quoted = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(","));
        expect(await rowsOf(quoted.join("\r\n"), size)).toEqual(rows);
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

  test("gives what a seat costs, to the cent upwards, and from when to when", async () => {
    expect(
      await read([line(), line({ term: "P1M", plan: "Monthly", price: "12.0001", least: "1", most: "300" })]),
    ).toEqual([
      {
        productId: "CFQ7TTC0HDK0",
        skuId: "0001",
        term: "P1Y",
        billingCycle: "annual",
        currency: "USD",
        leastSeats: 1,
        mostSeats: null,
        costMinor: 11_520,
        retailMinor: 14_400,
        startsAt: new Date("2026-02-01T00:00:00Z"),
        endsAt: new Date("2027-02-04T20:35:31Z"),
      },
      expect.objectContaining({ term: "P1M", billingCycle: "monthly", costMinor: 1_201, mostSeats: 300 }),
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

  test("may be from before there were segments", async () => {
    expect(await read([line({ segment: "" })])).toHaveLength(1);
  });

  test.each([
    ["2026-01", 0],
    ["2026-02", 1],
    ["2027-02", 1],
    ["2027-03", 0],
  ])("of %s has what was in effect then", async (month, count) => {
    expect(await read([line()], month)).toHaveLength(count);
  });

  test.each([{ price: "free" }, { price: "-1" }, { from: "2026-02-01" }, { to: "" }])(
    "that says %j is refused with its line",
    async (changes) => {
      await expect(read([line(), line(changes)])).rejects.toThrow("Line 3 of the price sheet");
    },
  );

  test("is told from another file", async () => {
    await expect(readPriceSheet(inPieces("a,b\n1,2", 3), wanted)).rejects.toThrow(PriceFileError);
    await expect(readPriceSheet(inPieces("", 3), wanted)).rejects.toThrow("The price sheet is empty.");
  });
});
