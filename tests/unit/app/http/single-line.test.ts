/** Texts on one line: which characters fold and which stay, and that every field of a form or call is folded. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openApiDocument } from "#app/api/shared/openapi-document.ts";
import { fieldNamesOf } from "#app/http/form-fields.ts";
import { cleanField, cleanInput, unstorableTextMessage, withCleanQuery } from "#app/http/storable-text.ts";
import { csvRows } from "#server/foundation/csv.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { hasControls, headerLine, severalLines, singleLine } from "#server/foundation/single-line.ts";
import { cpuGrowth } from "#tests/support/growth.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

describe("singleLine", () => {
  test.each([
    ["a tab and a line break at the end", "Sahyadri\tTraders\r\n", "Sahyadri Traders"],
    ["a vertical tab", "Sahyadri\u000bTraders", "Sahyadri Traders"],
    ["a form feed and NEL", "Sahyadri\f\u0085Traders", "Sahyadri Traders"],
    ["a zero-width space", "Sahyadri\u200bTraders", "Sahyadri Traders"],
    ["a no-break space", "\u00a0Sahyadri\u00a0Traders", "Sahyadri Traders"],
    ["a byte order mark", "\ufeffSahyadri Traders", "Sahyadri Traders"],
    ["two blanks", "Sahyadri  Traders", "Sahyadri Traders"],
    ["an ideographic blank", "Sahyadri\u3000Traders", "Sahyadri Traders"],
    ["marks of direction", "Sahyadri\u202e \u2066Traders\u2069\u200f", "Sahyadri Traders"],
    ["a soft hyphen", "Sahyadri\u00ad Traders", "Sahyadri Traders"],
    ["line and paragraph separators", "Sahyadri\u2028\u2029Traders", "Sahyadri Traders"],
    ["a word joiner", "Sahyadri\u2060Traders", "Sahyadri Traders"],
    ["a filler of Hangul", "Sahyadri\u3164Traders", "Sahyadri Traders"],
    ["an empty cell of braille", "Sahyadri\u2800Traders", "Sahyadri Traders"],
    ["tags", "Sahyadri\u{e0041}\u{e0042} Traders", "Sahyadri Traders"],
    ["a variation selector without its sign", "Sahyadri\ufe0f Traders", "Sahyadri Traders"],
    ["a joiner between Latin letters", "Sahyadri\u200dTraders", "Sahyadri Traders"],
    ["an accent typed apart", "Cafe\u0301", "Caf\u00e9"],
    ["a nukta in one character", "\u0958लम", "\u0915\u093cलम"],
    ["a vowel of Tamil in two parts", "க\u0bc6\u0bbe", "க\u0bca"],
    ["a syllable of Hangul in parts", "\u1112\u1161\u11ab", "\ud55c"],
    ["the sign of Ångström", "\u212bngstr\u00f6m", "\u00c5ngstr\u00f6m"],
    ["two marks in another order", "q\u0307\u0323", "q\u0323\u0307"],
    ["an accent behind an invisible character", "Cafe\u200b \u0301", "Cafe \u0301"],
    ["a joiner at the beginning", "\u200cक", "क"],
    ["nothing but marks", "\u200b\u200b\ufeff", ""],
  ])("folds %s", (_what, given, folded) => {
    expect(singleLine(given)).toBe(folded);
    expect(singleLine(folded)).toBe(folded);
  });

  test.each([
    ["a half form of Hindi", "विश्व\u0915\u094d\u200dषेत्र"],
    ["a conjunct kept apart", "राज\u094d\u200cकुमार"],
    ["a chillu of Malayalam at the end of a word", "അവന്\u200d വന്നു"],
    ["a reph of Bengali", "র\u200d\u09cdযাব"],
    ["a word of Urdu", "می\u200cخواہم"],
    ["the style of a sign", "Acme™\ufe0f"],
    ["letters with marks", "Caf\u00e9 प्रिया ಬೆಂಗಳೂರು"],
    ["full-width letters", "Ｓａｈｙａｄｒｉ"],
    ["punctuation", "M/s. O’Neill & Sons (India) – “A”"],
  ])("keeps %s", (_what, text) => {
    expect(singleLine(text)).toBe(text);
  });

  test("does not cut a word at a repeated joiner", () => {
    expect(singleLine("क\u094d\u200d\u200d\u200cष")).toBe("क\u094d\u200dष");
  });

  test("leaves other control characters to be refused", () => {
    expect(hasControls(singleLine("Sahyadri\u0007"))).toBe(true);
    expect(headerLine("Sahyadri\u0007Traders\u009f")).toBe("Sahyadri Traders");
  });

  test.each([
    (size: number) => `${"a".repeat(size)}\t`,
    (size: number) => `a${"\u200b".repeat(size)}b`,
    (size: number) => "क्\u200d".repeat(size / 3),
    (size: number) => "\u200d".repeat(size),
    (size: number) => `${"a ".repeat(size / 2)}é`,
  ])("folds 64 KiB in linear time", (text) => {
    expect(cpuGrowth(65_536, (size) => singleLine(text(size)))).toBeLessThan(9);
  });
});

describe("severalLines", () => {
  test("keeps line breaks and drops other controls", () => {
    expect(severalLines("\r\none\ttwo \r\nthree\u0007\u2028four\n\n")).toBe("one two\nthree\nfour");
  });
});

const hostile = "  Sahyadri\t\u200bTraders\r\nPune\u202e";
const folded = "Sahyadri Traders Pune";
/** Fields that may contain line breaks, by the file with their `TextAreaField`. */
const textAreas: Record<string, readonly string[]> = {
  "app/desk/item-texts/route.tsx": ["audience", "description", "features"].flatMap((name) =>
    languageIds.map((language) => `${name}_${language}`),
  ),
  "app/desk/tenants/route.tsx": ["file"],
  "app/pages/quote-request/views.tsx": ["words"],
  "app/pages/quote/send-forms.tsx": ["why"],
};
const withLines = new Set(Object.values(textAreas).flat());

/** Lists the names of all form fields: of schemas in their own files, and of those within a route. */
async function namesInForms(): Promise<string[]> {
  const sources = filesUnder("app", /\.tsx?$/);
  const modules = sources.filter((file) => /(?:schemas?|\/form)\.ts$/.test(file));
  const exported = await Promise.all(
    modules.map(async (file) =>
      Object.values(z.record(z.string(), z.unknown()).parse(await import(/* @vite-ignore */ `#${file}`))),
    ),
  );
  const schemas = exported
    .flat()
    .filter((value) => value instanceof z.ZodObject || value instanceof z.ZodUnion);
  const within = [...sources, ...filesUnder("server/desk/actions", /\.ts$/)].flatMap((file) =>
    [...textOf(file).matchAll(/^\s+(\w+):\s*z\b/gm)].map(([, name = ""]) => name),
  );
  return [...schemas.flatMap((schema) => [...fieldNamesOf(schema)]), ...within];
}

/** Lists the names of all texts that calls accept, from the OpenAPI document. */
function namesInCalls(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === "properties" && typeof value === "object" && value !== null ? Object.keys(value) : []),
    ...(key === "name" && typeof value === "string" ? [value] : []),
    ...namesInCalls(value),
  ]);
}

const ofForms = [...new Set(await namesInForms())].sort();
const ofCalls = [...new Set(namesInCalls(openApiDocument("https://store.example")))].sort();

describe("a field of a form", () => {
  test("appears in the sources", () => {
    expect(ofForms).toEqual(
      expect.arrayContaining(["addressLine2", "companyName", "firstName", "reason", "section"]),
    );
    expect(ofCalls).toEqual(expect.arrayContaining(["companyName", "email", "query"]));
  });

  test.each(ofForms)("%s: keeps one line, or several in a text area", (name) => {
    if (/password/i.test(name)) expect(cleanField(name, hostile).text).toBe(hostile);
    else if (withLines.has(name)) expect(cleanField(name, "a\r\nb\u0007").text).toBe("a\nb");
    else expect(cleanField(name, hostile)).toEqual({ text: folded, isRefused: false });
  });

  test("keeps several lines only where a text area shows it", () => {
    const shown = filesUnder("app", /\.tsx$/).filter((file) => textOf(file).includes("<TextAreaField"));
    expect(shown).toEqual(Object.keys(textAreas));
    for (const name of withLines) expect(cleanField(name, "a\nb").text, name).toBe("a\nb");
  });

  test.each(["\u0007", "\u001b[2J", "\u009c"])("refuses the control character %j", (control) => {
    expect(cleanField("companyName", `a${control}b`).isRefused).toBe(true);
    expect(cleanField("words", `a${control}b`).isRefused).toBe(false);
    expect(cleanField("password", `a${control}b`)).toEqual({ text: `a${control}b`, isRefused: false });
  });
});

describe("a text of a call", () => {
  test.each(ofCalls)("%s: keeps one line at any depth", (name) => {
    const input = { [name]: hostile, deep: [{ [name]: hostile }] };
    cleanInput(input);
    const kept = /password/i.test(name) ? hostile : folded;
    expect(input).toEqual({ [name]: kept, deep: [{ [name]: kept }] });
  });

  test("gets an error at its path for other control characters", () => {
    const refused = () => cleanInput({ user: { names: ["a", "b\u0007"] } });
    expect(refused).toThrow(DomainError);
    expect(refused).toThrow(expect.objectContaining({ fields: { "user.names.1": unstorableTextMessage } }));
  });

  test("folds a property named like one of the prototype, and nothing else", () => {
    const input: unknown = JSON.parse('{"__proto__":"a\\tb"}');
    cleanInput(input);
    expect(JSON.stringify(input)).toBe('{"__proto__":"a b"}');
  });
});

describe("a query", () => {
  test("keeps each value on one line, repeated names included", () => {
    const url = withCleanQuery(new URL("https://store.example/search?query=a%09%E2%80%8Bb&x=1&x=%202"));
    expect([...url.searchParams]).toEqual([
      ["query", "a b"],
      ["x", "1"],
      ["x", "2"],
    ]);
  });

  test("keeps its spelling where nothing folds", () => {
    const url = new URL("https://store.example/search?query=a%20b+c&next=%2Faccount");
    expect(withCleanQuery(url)).toBe(url);
  });
});

describe("a file of comma-separated values", () => {
  test("keeps each field on one line", async () => {
    async function* pieces() {
      yield '\ufeffname,city\n"Sahyadri\r\nTraders",\u00a0Pune\t\n';
    }
    const rows: string[][] = [];
    for await (const row of csvRows(pieces())) rows.push(row);
    expect(rows).toEqual([
      ["name", "city"],
      ["Sahyadri Traders", "Pune"],
    ]);
  });
});
