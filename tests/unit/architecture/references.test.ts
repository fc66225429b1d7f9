/** References in comments and documents lead to a file, heading or section of the repository. */
import { expect, test } from "vitest";
import { citationsIn, deadReferences } from "#tests/support/references.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const sources = ["app", "server", "db", "migrations", "sandbox", "tests"].flatMap((folder) =>
  filesUnder(folder, /\.(?:[mc]?[jt]sx?|css|md)$/),
);
const documents = filesUnder("docs", /\.md$/);
const all = [...sources, ...documents, "README.md", "remix.config.js", ".ci/run"];

const inAll = (problemsIn: (file: string, text: string) => string[]) =>
  all.flatMap((file) => problemsIn(file, textOf(file)).map((problem) => `${file}: ${problem}`));

test("names only documents, headings and sections that exist", () => {
  expect(sources.length).toBeGreaterThan(700);
  expect(inAll(deadReferences)).toEqual([]);
});

test("cites no paper outside the repository", () => {
  expect(inAll((_file, text) => citationsIn(text))).toEqual([]);
});

test("lists every decision in the index", () => {
  const index = textOf("docs/decisions/README.md");
  const decisions = filesUnder("docs/decisions", /\.md$/).map((file) => file.replace("docs/decisions/", ""));
  expect(decisions.filter((file) => file !== "README.md" && !index.includes(`](${file})`))).toEqual([]);
});

// Concatenated, so that this file itself contains no dead reference.
const docs = "docs";
const spec = "spec".toUpperCase();

test.each([
  ["a file", "server/some.ts", `/** See ${docs}/nowhere.md. */`, `${docs}/nowhere.md does not exist`],
  [
    "a heading",
    "server/some.ts",
    `// ${docs}/specification.md#nowhere`,
    `${docs}/specification.md has no heading #nowhere`,
  ],
  [
    "a section",
    "server/some.ts",
    `/** Money (${docs}/specification.md, sections 9 and 12). */`,
    `${docs}/specification.md has no section 12`,
  ],
  [
    "a section behind the end of a line",
    "server/some.ts",
    `/**\n * Money (${docs}/specification.md,\n * section 12).\n */`,
    `${docs}/specification.md has no section 12`,
  ],
  [
    "a link",
    `${docs}/some.md`,
    "[there](decisions/nowhere.md)",
    `${docs}/decisions/nowhere.md does not exist`,
  ],
  [
    "a link's section",
    `${docs}/some.md`,
    "[there](providers.md), section 99",
    `${docs}/providers.md has no section 99`,
  ],
  [
    "a link to a heading of the same file",
    `${docs}/providers.md`,
    "[there](#nowhere)",
    `${docs}/providers.md has no heading #nowhere`,
  ],
  ["a source file", `${docs}/some.md`, "in `server/nowhere.ts`", "server/nowhere.ts does not exist"],
])("finds the dead reference of %s", (_what, file, text, problem) => {
  expect(deadReferences(file, text)).toEqual([problem]);
});

test.each([
  `/** Their fields (${docs}/specification.md, sections 3 and 7). */`,
  `// ${docs}/specification.md#5-validation`,
  `/** ${docs}/decisions/prices.md#totals. */`,
  `// as in ${docs}/decisions`,
  `import "../pages/api-${docs}/route.tsx"; const page = "api/${docs}/route.tsx";`,
])("accepts a reference that exists: %s", (text) => {
  expect(deadReferences("server/some.ts", text)).toEqual([]);
});

test.each([`/** The words of ${spec} section 5. */`, `/** See ${spec}'s table. */`, `// see ${"ruling"} 5`])(
  "finds the citation in %s",
  (text) => {
    expect(citationsIn(text).length).toBeGreaterThan(0);
  },
);

test("accepts ordinary words that resemble citations", () => {
  expect(citationsIn("the design of providers, facts and findings; a spec; rulings of a court")).toEqual([]);
});
