/** Every kind of India's GST numbers, by its format; and the messages about those that the store cannot invoice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gstinCheckDigit,
  gstinProblem,
  panIn,
  parseGstin,
  parseRegistrationNumber,
  type RegistrationNumber,
} from "#server/foundation/countries/gstin.ts";
import { indianStates } from "#server/foundation/countries/indian-states.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { english, textIn } from "#server/foundation/languages/text.ts";

type Kind = RegistrationNumber["kind"];

const table: [kind: Kind, number: string, state: string | null, pan: string | null][] = [
  // Numbers that departments, embassies and marketplaces have reported elsewhere.
  ["tax-deductor", "29BLRA10199B1DH", "Karnataka", null],
  ["tax-deductor", "29BLRA09876B1D0", "Karnataka", null],
  ["department", "29BLRG09898B1Z9", "Karnataka", null],
  ["tax-deductor", "29AABCB1234C1DJ", "Karnataka", "AABCB1234C"],
  ["un-body", "2917USA00012UN2", "Karnataka", null],
  ["un-body", "0717UNO00105UNX", "Delhi", null],
  ["tax-collector", "29AABCB1234C1CL", "Karnataka", "AABCB1234C"],
  ["taxpayer", "29AABCB1234C1J6", "Karnataka", "AABCB1234C"],
  ["taxpayer", "29AABCB1234C2Z9", "Karnataka", "AABCB1234C"],
  ["taxpayer", "97AABCB1234C1Z7", null, "AABCB1234C"],
  // Others.
  ["tax-deductor", "09BLRS44321D2DM", "Uttar Pradesh", null],
  ["tax-deductor", "27MUMT00777A1DX", "Maharashtra", null],
  ["tax-deductor", "33CHEC98765B1DP", "Tamil Nadu", null],
  ["tax-deductor", "29AAGCM1234K1DM", "Karnataka", "AAGCM1234K"],
  ["department", "07DELP12321F3Z8", "Delhi", null],
  ["department", "19CALK55555G1Z0", "West Bengal", null],
  ["un-body", "2718GBR00044UNT", "Maharashtra", null],
  ["un-body", "0719WHO00009UNY", "Delhi", null],
  ["un-body", "2920JPN00101ONQ", "Karnataka", null],
  ["tax-collector", "07AAGFA1111H1CF", "Delhi", "AAGFA1111H"],
  ["tax-collector", "24AAJCP2222L2CR", "Gujarat", "AAJCP2222L"],
  ["taxpayer", "33AAACT2727Q1JZ", "Tamil Nadu", "AAACT2727Q"],
  ["taxpayer", "09AAECR4512R3B6", "Uttar Pradesh", "AAECR4512R"],
  ["taxpayer", "27AAACI1195H9AT", "Maharashtra", "AAACI1195H"],
  ["taxpayer", "06AABCT3518QAZR", "Haryana", "AABCT3518Q"],
  ["taxpayer", "19AAACB9999PZ90", "West Bengal", "AAACB9999P"],
];

const foreign: [kind: Kind, number: string][] = [
  ["online-service", "9917SGP29001OST"],
  ["non-resident", "2917USA29001NRR"],
  ["online-service", "9921USA00441OST"],
  ["online-service", "9918IRL00007OSJ"],
  ["non-resident", "2717AUS00012NR3"],
  ["non-resident", "3319CHE00400NR6"],
];

describe("a number that can be invoiced", () => {
  it.each(table)("parses as a %s: %s", (kind, number, state, pan) => {
    const read = parseGstin(number);
    expect(read).toMatchObject({ kind, value: number, pan });
    expect(read?.state?.name ?? null).toBe(state);
    expect(gstinProblem(number)).toBeNull();
  });

  it.each(table)("contains only the PAN for vendors: %s %s", (_kind, number, _state, pan) => {
    const given = { organisationRegistrationNumber: number, gst_code: null };
    expect(panIn(number)).toBe(pan);
    expect(countries.IN.registration.vendorNumber(given)).toBe(pan);
    expect(countries.IN.registration.problem(number)).toBeNull();
  });

  it("keeps the TAN apart from a PAN", () => {
    expect(parseGstin("29BLRA10199B1DH")).toMatchObject({ pan: null, tan: "BLRA10199B" });
    expect(parseGstin("29BLRG09898B1Z9")).toMatchObject({ pan: null, tan: "BLRG09898B" });
  });
});

describe("a number of a business abroad", () => {
  it.each(foreign)("causes a refusal with the reason: %s %s", (kind, number) => {
    expect(parseRegistrationNumber(number)).toMatchObject({ kind, pan: null });
    expect(parseGstin(number)).toBeNull();
    const problem = gstinProblem(number);
    expect(problem === null ? "" : english(problem)).toMatch(
      /^This is the number of .+, which we can't invoice as an Indian business\. /,
    );
  });

  it.each(foreign)("counts as mistyped with another check digit: %s %s", (_kind, number) => {
    const wrong = `${number.slice(0, 14)}${number.endsWith("7") ? "8" : "7"}`;
    expect(gstinProblem(wrong)).toMatchObject({ key: "fields.gstinCheckDigit" });
  });
});

it.each(["25AABCB1234C1ZI", "25AAACD1111B1ZZ", "25 BLRA1 0199B 1DH", "2517USA00012UN2", "25aapfu0939f1z9"])(
  "explains that code 25 was merged into 26: %s",
  (number) => {
    const problem = gstinProblem(number);
    expect(problem === null ? "" : english(problem)).toBe(
      "State code 25 (Daman and Diu) was merged into 26. Enter your GST number that starts with 26.",
    );
    expect(textIn("hi")("fields.gstinMerged", { code: "25", name: "Daman and Diu", into: "26" })).toContain(
      "26",
    );
  },
);

describe("a number of any kind", () => {
  const letters = (count: number) =>
    fc.string({ unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"), minLength: count, maxLength: count });
  const digits = (count: number) =>
    fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: count, maxLength: count });
  const entity = fc.constantFrom(..."123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(""));
  const pan = joined(letters(5), digits(4), letters(1), entity);
  const tan = joined(letters(4), digits(5), letters(1), entity);
  const body = joined(digits(2), letters(3), digits(5));
  const code = fc.constantFrom(...indianStates.map(({ gstCode }) => gstCode));
  const rest: [Kind, fc.Arbitrary<string>][] = [
    ["taxpayer", joined(pan, fc.constantFrom(..."123456789ABEFGHIJZ"))],
    ["tax-collector", joined(pan, fc.constant("C"))],
    ["tax-deductor", joined(fc.oneof(pan, tan), fc.constant("D"))],
    ["department", joined(tan, fc.constant("Z"))],
    ["un-body", joined(body, fc.constantFrom("UN", "ON"))],
    ["non-resident", joined(body, fc.constant("NR"))],
  ];
  const made = fc.oneof(
    ...rest.map(([kind, part]) => fc.tuple(code, part).map(([of, text]) => ({ kind, first14: of + text }))),
    body.map((text) => ({ kind: "online-service" as const, first14: `99${text.slice(0, 10)}OS` })),
  );

  it("contains its kind, its state and possibly a PAN", () => {
    fc.assert(
      fc.property(made, ({ kind, first14 }) => {
        const value = first14 + gstinCheckDigit(first14);
        const read = parseRegistrationNumber(value);
        expect(read).toMatchObject({ kind, value });
        expect(read?.state?.gstCode ?? "99").toBe(value.slice(0, 2));
        expect(read?.pan ?? null).toBe(/^\d\d[A-Z]{5}\d{4}[A-Z]/.test(value) ? value.slice(2, 12) : null);
      }),
    );
  });

  it("becomes invalid when any single character changes", () => {
    fc.assert(
      fc.property(made, fc.nat(14), fc.constantFrom(..."0123456789ABCXYZ"), ({ first14 }, index, wrong) => {
        const value = first14 + gstinCheckDigit(first14);
        fc.pre(value.charAt(index) !== wrong);
        expect(parseRegistrationNumber(value.slice(0, index) + wrong + value.slice(index + 1))).toBeNull();
      }),
    );
  });
});
