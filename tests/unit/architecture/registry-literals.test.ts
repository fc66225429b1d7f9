/**
 * Only a family's or country's own folder names it. Elsewhere no string or JSX text contains a family's id or name, or a
 * country's
 * code, currency, name or number format: such code does not use the registry, and the compiler would not report it when a
 * family
 * or country is added.
 */
import ts from "typescript";
import { describe, expect, it, test } from "vitest";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

type Registry = "family" | "country";

interface Allowed {
  /** Files and folders, as prefixes of their paths. */
  places: readonly string[];
  knows: readonly Registry[];
  because: string;
}

const both = ["family", "country"] as const;

/** Files that may name a family or a country: the registries, and code for one of their members. */
const allowed: readonly Allowed[] = [
  { places: ["server/catalogue/families/", "app/families/"], knows: ["family"], because: "the registries" },
  {
    places: ["english", "hindi"].flatMap((language) =>
      ["families", "first-steps", "microsoft-signup", "offers", "sign-in"].map(
        (room) => `server/foundation/languages/${language}/${room}.ts`,
      ),
    ),
    knows: ["family"],
    because: "texts of a family's own screens",
  },
  { places: ["server/foundation/countries/"], knows: ["country"], because: "the registry" },
  { places: ["db/seed/"], knows: both, because: "the ids themselves, and the items of each family" },
  { places: ["server/integrations/"], knows: both, because: "vendors' clients" },
  {
    places: ["server/catalogue/partner-accounts/", "server/operations/commands/consent"],
    knows: ["family"],
    because: "accounts at one vendor, and the consents for them",
  },
  {
    places: ["server/platform/settings/"],
    knows: ["family"],
    because: "settings of vendors' clients and of brio",
  },
  {
    places: ["server/foundation/example-values.ts"],
    knows: ["country"],
    because: "the sellers in the sandbox",
  },
  {
    places: [
      "app/api/dashboard.ts",
      "app/api/domain.ts",
      "app/api/google-signup.ts",
      "app/api/invitation-status.ts",
      "app/api/mssignup.ts",
      "app/api/endpoints.ts",
      "app/api/shared/",
    ],
    knows: ["family"],
    because: "the specification's calls: names, fields and documentation",
  },
  { places: ["app/api/shared/examples.ts"], knows: ["country"], because: "their examples" },
  {
    places: ["app/routes.ts", "server/foundation/paths.ts", "app/pages/microsoft-signup/"],
    knows: ["family"],
    because: "the specification's addresses, and the page at one of them",
  },
  {
    places: ["server/integrations/identity-providers/"],
    knows: ["family"],
    because: "the registry of identity providers, two of which are also vendors",
  },
  {
    places: ["server/foundation/brand.ts"],
    knows: ["country"],
    because: "the countries of a reseller's offices",
  },
  {
    places: ["english", "hindi"].map((language) => `server/foundation/languages/${language}/refusals.ts`),
    knows: ["family"],
    because: "a message of the specification",
  },
  {
    places: ["app/pages/ui/"],
    knows: ["family"],
    because: "samples of every component, under `npm run dev` only",
  },
  {
    places: [
      "db/orders/order.ts",
      "db/orders/requested-domain.ts",
      "server/mail/letters/order.ts",
      "server/foundation/outbox/mail-audiences.ts",
      "server/desk/labels.ts",
      "db/tables/enums.ts",
    ],
    knows: ["family"],
    because: "stored names: renaming them would need a migration of every order and mail",
  },
];

interface Word {
  of: Registry;
  pattern: RegExp;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const asWord = (text: string) => new RegExp(`(?<![\\w.-])${escaped(text)}(?![\\w-])`);
/** Two letters occur in many texts: match a code only if it is quoted, is the whole text or is part of an address. */
const asCode = (code: string) => new RegExp(`(?:^|['"=/:])${code}(?:$|['"&/#:])`);

const words: readonly Word[] = [
  ...familyIds.flatMap((id) =>
    [id, families[id].label, families[id].name].map((text) => ({
      of: "family" as const,
      pattern: new RegExp(`(?<![\\w.-])${escaped(text)}(?!\\w)`),
    })),
  ),
  ...countryCodes.flatMap((code) => {
    const { name, currency, locale } = countries[code];
    const patterns = [asCode(code), asWord(currency), asWord(name), asWord(locale)];
    return patterns.map((pattern) => ({ of: "country" as const, pattern }));
  }),
];

interface Found {
  of: Registry;
  text: string;
}

/** The strings and the texts of elements in a source that name a family or a country. */
function literalsIn(file: string, source: string): Found[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && !isSpecifier(node)) {
      const { text } = node;
      for (const of of new Set(words.filter(({ pattern }) => pattern.test(text)).map((word) => word.of))) {
        found.push({ of, text: text.trim().slice(0, 60) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

type Text = ts.LiteralLikeNode | ts.JsxText;

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

/** Module paths do not count: the import rules check those. */
function isSpecifier({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) ||
    (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent))
  );
}

const sources = ["app", "server", "db"].flatMap((folder) => filesUnder(folder, /\.[mc]?[jt]sx?$/));
const named = sources.flatMap((file) => literalsIn(file, textOf(file)).map((found) => ({ file, ...found })));
const isCovered = ({ file, of }: { file: string; of: Registry }, entries: readonly Allowed[]) =>
  entries.some(({ places, knows }) => places.some((place) => file.startsWith(place)) && knows.includes(of));

test("names no family or country outside its registry", () => {
  const wrong = named.filter((one) => !isCovered(one, allowed));
  expect(wrong.map(({ file, of, text }) => `${file} (${of}): ${text}`)).toEqual([]);
});

test("needs every exception", () => {
  const exceptions = allowed.flatMap(({ places, knows }) =>
    places.flatMap((place) => knows.map((registry) => ({ place, registry }))),
  );
  const isNeeded = ({ place, registry }: { place: string; registry: Registry }) =>
    named.some(({ file, of }) => of === registry && file.startsWith(place));
  expect(exceptions.filter((exception) => !isNeeded(exception))).toEqual([]);
});

describe("literalsIn", () => {
  it.each([
    ["compared", 'if (order.family === "google") go();', "family"],
    ["a type", 'type Mine = "brio";', "family"],
    ["in a query", "sql`select 1 where family <> 'microsoft'`;", "family"],
    ["behind a part of a template", `const words = \`For ${"$"}{count} users of Google\`;`, "family"],
    ["a name", 'const title = "Google Workspace plans";', "family"],
    ["a text of an element", "const page = <p>Sign in with Microsoft</p>;", "family"],
    ["an attribute", '<Field label="Microsoft account" />;', "family"],
    ["a quoted key", 'const labels = { "google": 1 };', "family"],
    ["a country compared", 'if (country === "IN") go();', "country"],
    ["a currency", 'const money = "USD";', "country"],
    ["a country's name", 'const where = "in India only";', "country"],
    ["a number format", 'new Intl.NumberFormat("en-US");', "country"],
    ["a country in an address", "const link = `/?country=US`;", "country"],
  ] as const)("finds a literal: %s", (_name, source, of) => {
    expect(literalsIn("planted.tsx", source).map((found) => found.of)).toEqual([of]);
  });

  it.each([
    ["a module's path", 'import { google } from "./google/index.ts";'],
    ["a part of a word", 'const host = "contoso.onmicrosoft.com";'],
    ["two letters in a text", 'const note = "PLACED IN the cart";'],
    ["a comment", "// Google has no request id here"],
    ["a name in the code", "context.google.getCustomer(id);"],
  ])("ignores %s", (_name, source) => {
    expect(literalsIn("planted.tsx", source)).toEqual([]);
  });
});
