/** Google's offers in a file: which of them are a year that the store sells, their cost, and unreadable offers. */
import { describe, expect, test } from "vitest";
import { readOffers } from "#server/catalogue/families/google/offers-file.ts";
import { PriceFileError } from "#server/catalogue/families/vendor-catalogue.ts";

const now = new Date("2026-11-25T09:00:00Z");
const sku = "products/Google-Apps/skus/1010020027";
const wanted = { market: "IN", currency: "INR", keys: new Set(["Google-Apps:1010020027"]), now } as const;

const amount = (units: string, nanos = 0, currencyCode = "INR") => ({ currencyCode, units, nanos });
const priced = (list: object, ours: object) => [{ price: { basePrice: list, effectivePrice: ours } }];
const offer = (changes: object = {}) => ({
  name: "accounts/C1/offers/O1",
  sku: { name: sku },
  plan: { paymentPlan: "COMMITMENT", paymentCycle: { duration: 1, periodType: "YEAR" } },
  constraints: { customerConstraints: { allowedRegions: ["IN"] } },
  priceByResources: priced(amount("1932"), amount("1545", 600_000_000)),
  ...changes,
});

async function* inPieces(text: string) {
  for (let at = 0; at < text.length; at += 50) yield text.slice(at, at + 50);
}
const read = (file: unknown) => readOffers(inPieces(JSON.stringify(file)), wanted);
const costs = async (...offers: object[]) =>
  (await read({ offers })).map(({ costMinor, retailMinor, startsAt, endsAt }) => ({
    costMinor,
    retailMinor,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
  }));
const today = {
  costMinor: 154_560,
  retailMinor: 193_200,
  startsAt: "1970-01-01T00:00:00.000Z",
  endsAt: null,
};

describe("readOffers", () => {
  test("returns offers for a year, in the market, its currency and our SKUs", async () => {
    expect(
      await costs(
        offer({ plan: { paymentPlan: "FLEXIBLE", paymentCycle: { duration: 1, periodType: "MONTH" } } }),
        offer({ dealCode: "special" }),
        offer({ constraints: { customerConstraints: { allowedRegions: ["US"] } } }),
        offer({ sku: { name: "products/Google-Apps/skus/other" } }),
        offer(),
      ),
    ).toEqual([today]);
    expect(
      await costs(offer({ priceByResources: priced(amount("2", 0, "USD"), amount("1", 0, "USD")) })),
    ).toEqual([]);
  });

  test("multiplies a monthly payment to the price of a year", async () => {
    const monthly = { paymentPlan: "COMMITMENT", paymentCycle: { duration: 1, periodType: "MONTH" } };
    expect(
      await costs(offer({ plan: monthly, priceByResources: priced(amount("161"), amount("128")) })),
    ).toEqual([{ ...today, costMinor: 153_600, retailMinor: 193_200 }]);
  });

  test("includes a future offer from its start, and excludes an expired one", async () => {
    const startTime = "2027-01-01T00:00:00Z";
    expect(
      await costs(
        offer({ startTime: "2026-01-01T00:00:00Z", endTime: startTime }),
        offer({ startTime, priceByResources: priced(amount("2000"), amount("1600")) }),
        offer({ endTime: "2026-11-01T00:00:00Z" }),
      ),
    ).toEqual([
      { ...today, endsAt: "2027-01-01T00:00:00.000Z" },
      { costMinor: 160_000, retailMinor: 200_000, startsAt: "2027-01-01T00:00:00.000Z", endsAt: null },
    ]);
  });

  test("reads several pages", async () => {
    expect(await read([{ offers: [] }, { offers: [offer()], nextPageToken: "" }])).toHaveLength(1);
  });
});

test.each([
  ["text that is not JSON", '{\n"offers": [\n}', "Line 3 of the file is not JSON."],
  ["half a file", '{\n"offers": [', "Line 2 of the file is not JSON."],
  ["something else", '{"products": []}', 'it has no list named "offers"'],
  [
    "an offer without a name",
    JSON.stringify({ offers: [offer(), offer({ name: "" })] }),
    "Offer 2 of the file cannot be read: name",
  ],
  [
    "an offer with an invalid time",
    JSON.stringify({ offers: [offer({ startTime: "soon" })] }),
    "Offer 1 of the file cannot be read: startTime",
  ],
  [
    "an offer without a price",
    JSON.stringify({ offers: [offer({ priceByResources: [] })] }),
    "Offer 1 of the file has no price.",
  ],
])("refuses %s with its place", async (_what, text, words) => {
  const reading = readOffers(inPieces(text), wanted);
  await expect(reading).rejects.toThrow(PriceFileError);
  await expect(readOffers(inPieces(text), wanted)).rejects.toThrow(words);
});
