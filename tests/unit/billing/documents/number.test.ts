/** Invoice numbers (GST Rule 46), and rupees as text. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { creditNoteSeriesOf, invoiceNumber, seriesOf } from "#server/billing/documents/number.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { rupeesInWords } from "#server/foundation/countries/rupees-in-words.ts";

describe("the series", () => {
  test.each([
    // Midnight in India is 18:30 the day before in UTC.
    ["IN", "2026-03-31T18:29:59.999Z", "IN/25-26"],
    ["IN", "2026-03-31T18:30:00.000Z", "IN/26-27"],
    ["IN", "2026-12-31T18:30:00.000Z", "IN/26-27"],
    ["IN", "2027-01-15T00:00:00.000Z", "IN/26-27"],
    ["IN", "2027-03-31T18:29:59.999Z", "IN/26-27"],
    ["IN", "2099-04-01T00:00:00.000Z", "IN/99-00"],
    ["IN", "2008-06-01T00:00:00.000Z", "IN/08-09"],
    // In New York the year ends five hours later than in UTC.
    ["US", "2027-01-01T04:59:59.999Z", "US/2026"],
    ["US", "2027-01-01T05:00:00.000Z", "US/2027"],
    ["US", "2026-04-01T12:00:00.000Z", "US/2026"],
  ] as const)("returns the series of %s at %s: %s", (country, at, series) => {
    expect(seriesOf(country, new Date(at), { isGst: country === "IN" })).toBe(series);
  });

  test.each([
    // An export from India uses India's financial year, regardless of the buyer's date.
    ["US", "2027-03-31T18:29:59.999Z", "US/26-27"],
    ["US", "2027-03-31T18:30:00.000Z", "US/27-28"],
  ] as const)("returns the series of an export to %s at %s: %s", (country, at, series) => {
    expect(seriesOf(country, new Date(at), { isGst: true })).toBe(series);
  });
});

describe("a number", () => {
  test.each([
    ["IN/26-27", 1, "IN/26-27/000001"],
    ["IN/26-27", 999_999, "IN/26-27/999999"],
    ["IN/26-27", 1_000_000, "IN/26-27/1000000"],
    ["IN/26-27", 9_999_999, "IN/26-27/9999999"],
    ["US/2026", 42, "US/2026/000042"],
    ["US/2026", 99_999_999, "US/2026/99999999"],
    // Beyond the digits, so that no payment fails for lack of a number.
    ["IN/26-27", 10_000_000, "IN/26-27/A000000"],
    ["IN/26-27", 10_000_035, "IN/26-27/A00000Z"],
    ["IN/26-27", 10_000_036, "IN/26-27/A000010"],
    ["US/2026", 100_000_000, "US/2026/A0000000"],
  ])("formats %s %i as %s", (series, serial, number) => {
    expect(invoiceNumber(series, serial)).toBe(number);
    expect(number).toMatch(/^[A-Z0-9/-]{1,16}$/);
  });

  it("numbers every value of the counter uniquely", () => {
    const lastOfCounter = 2 ** 31 - 1;
    const serials = [9_999_990, 10_000_000, 50_000_000, lastOfCounter - 999].flatMap((first) =>
      Array.from({ length: 1_000 }, (_, index) => first + index),
    );
    const numbers = [...new Set(serials)].map((serial) => invoiceNumber("IN/26-27", serial));
    expect(new Set(numbers).size).toBe(new Set(serials).size);
    for (const number of numbers) expect(number).toMatch(/^IN\/26-27\/[A-Z0-9]{7}$/);
  });

  /** Serials within the counter of a series, which may also number credit notes. */
  const serial = fc.integer({ min: 1, max: 1_500_000_000 });
  const near = fc.tuple(
    fc.constantFrom(1, 999_999, 9_999_999, 99_999_999, 10_000_000 + 26 * 36 ** 3),
    fc.integer({ min: -40, max: 40 }),
  );
  const anySerial = fc.oneof(
    serial,
    near.map(([at, by]) => Math.max(1, at + by)),
  );
  const series = fc
    .record({
      country: fc.constantFrom(...countryCodes),
      at: fc.date({ min: new Date("2026-01-01"), max: new Date("2098-12-31"), noInvalidDate: true }),
      isGst: fc.boolean(),
      of: fc.constantFrom(seriesOf, creditNoteSeriesOf),
    })
    .map(({ country, at, isGst, of }) => of(country, at, { isGst }));

  it("uses at most 16 characters that the tax office accepts, in any series", () => {
    fc.assert(
      fc.property(series, anySerial, (of, n) => {
        const number = invoiceNumber(of, n);
        expect(number).toMatch(/^[A-Z][A-Z0-9/-]{0,15}$/);
        expect(number.startsWith(`${of}/`)).toBe(true);
      }),
    );
  });

  it("differs for each serial and series, and sorts after all earlier ones", () => {
    const isLater = (one: string, other: string) =>
      one.length === other.length ? one > other : one.length > other.length;
    fc.assert(
      fc.property(series, anySerial, anySerial, (of, one, other) => {
        fc.pre(one !== other);
        const [first = 0, second = 0] = [one, other].toSorted((a, b) => a - b);
        expect(isLater(invoiceNumber(of, second), invoiceNumber(of, first))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(series, series, anySerial, anySerial, (one, other, n, m) => {
        fc.pre(one !== other);
        expect(invoiceNumber(one, n)).not.toBe(invoiceNumber(other, m));
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, 60_000_000_000])("refuses the serial %s", (serial) => {
    expect(() => invoiceNumber("IN/26-27", serial)).toThrow(RangeError);
  });
});

describe("rupeesInWords", () => {
  test.each([
    [0, "Rupees Zero Only"],
    [100, "Rupees One Only"],
    [1_900, "Rupees Nineteen Only"],
    [2_000, "Rupees Twenty Only"],
    [10_000, "Rupees One Hundred Only"],
    [4_559_500, "Rupees Forty-Five Thousand Five Hundred Ninety-Five Only"],
    [12_385_100, "Rupees One Lakh Twenty-Three Thousand Eight Hundred Fifty-One Only"],
    [100_000_000_050, "Rupees One Hundred Crore and Fifty Paise Only"],
    [
      1_234_567_890_12,
      "Rupees One Hundred Twenty-Three Crore Forty-Five Lakh Sixty-Seven Thousand Eight Hundred Ninety and Twelve Paise Only",
    ],
  ])("writes %i paise as text", (minor, words) => {
    expect(rupeesInWords.en(minor)).toBe(words);
  });

  test.each([
    [0, "शून्य रुपये मात्र"],
    [100, "एक रुपया मात्र"],
    [200, "दो रुपये मात्र"],
    [50, "शून्य रुपये और पचास पैसे मात्र"],
    [101, "एक रुपया और एक पैसा मात्र"],
    [10_000, "एक सौ रुपये मात्र"],
    [100_000, "एक हज़ार रुपये मात्र"],
    [1_00_000_00, "एक लाख रुपये मात्र"],
    [1_00_00_000_00, "एक करोड़ रुपये मात्र"],
    [4_559_500, "पैंतालीस हज़ार पाँच सौ पंचानवे रुपये मात्र"],
    [12_385_100, "एक लाख तेईस हज़ार आठ सौ इक्यावन रुपये मात्र"],
    [100_000_000_050, "एक सौ करोड़ रुपये और पचास पैसे मात्र"],
    [1_234_567_890_12, "एक सौ तेईस करोड़ पैंतालीस लाख सड़सठ हज़ार आठ सौ नब्बे रुपये और बारह पैसे मात्र"],
  ])("writes %i paise in Hindi", (minor, words) => {
    expect(rupeesInWords.hi(minor)).toBe(words);
  });

  it("uses a different Hindi word for each number below a hundred", () => {
    const below = Array.from(
      { length: 100 },
      (_, count) => rupeesInWords.hi(count * 100).split(" ")[0] ?? "",
    );
    expect(new Set(below).size).toBe(100);
    for (const word of below) expect(word).toMatch(/^[\u0900-\u097f]+$/);
    // Numbers one below a ten are named after that ten, except 89 and 99.
    const nines = "उन्नीस उनतीस उनतालीस उनचास उनसठ उनहत्तर उन्यासी नवासी निन्यानवे".split(" ");
    expect([19, 29, 39, 49, 59, 69, 79, 89, 99].map((count) => below[count])).toEqual(nines);
    // Groups of numbers whose names are easily confused.
    expect([37, 47, 57, 67, 77, 87, 97].map((count) => below[count])).toEqual(
      "सैंतीस सैंतालीस सत्तावन सड़सठ सतहत्तर सत्तासी सत्तानवे".split(" "),
    );
    expect([35, 45, 55, 65, 75, 85, 95].map((count) => below[count])).toEqual(
      "पैंतीस पैंतालीस पचपन पैंसठ पचहत्तर पचासी पंचानवे".split(" "),
    );
    expect([36, 46, 56, 66, 76, 86, 96].map((count) => below[count])).toEqual(
      "छत्तीस छियालीस छप्पन छियासठ छिहत्तर छियासी छियानवे".split(" "),
    );
    expect([44, 54, 64, 74, 84, 94].map((count) => below[count])).toEqual(
      "चौवालीस चौवन चौंसठ चौहत्तर चौरासी चौरानवे".split(" "),
    );
  });

  it("refuses negative amounts, and does not exist for the USA", () => {
    for (const words of Object.values(rupeesInWords)) expect(() => words(-1)).toThrow(RangeError);
    expect(countries.US.invoicing.inWords).toBeNull();
  });
});
