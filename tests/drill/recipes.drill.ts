/**
 * Follows the recipes of docs/extend exactly in a copy of the project: the compiler names the missing parts until all exist, only
 * the recipe's files are changed, and then a purchase succeeds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { reportDrillResult } from "#tests/support/drill-result.ts";
import { type Copy, copyProject } from "#tests/support/recipe.ts";

const scratch = mkdtempSync(path.join(tmpdir(), "hubs-recipes-"));
let followed = 0;
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
afterAll(() => reportDrillResult("recipes", { "recipes followed to a purchase": followed }, null));
// Each compiles the whole project several times.
const timeLimit = 1_200_000;

const purchase = "tests/integration/recipes/purchase.ts";
const migrationOf = (...statements: string[]) =>
  [
    'import { type Kysely, sql } from "kysely";',
    "",
    "// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types",
    "export async function up(db: Kysely<any>): Promise<void> {",
    ...statements.map((statement) => `  await sql\`${statement}\`.execute(db);`),
    "}",
    "",
  ].join("\n");

async function buy(copy: Copy, recipe: object): Promise<void> {
  const file = "tests/integration/recipes/purchase.test.ts";
  const touched = copy.touched();
  copy.write(file, `import "./${path.basename(purchase)}";\n`);
  expect(touched).not.toContain(file);
  await copy.runTest(file, { RECIPE: JSON.stringify(recipe) });
  followed += 1;
}

/** Folders of the sold catalogue: the store's, and that of tests, which the purchase uses. */
const catalogues = ["db/seed", "tests/support/catalogue"];
const isOfTests = (file: string) => file.startsWith("tests/");

const uae = `/** The United Arab Emirates: dirhams, 5% VAT, emirates instead of states, no postcodes. */
import { findStateIn, type State } from "#server/foundation/countries/state.ts";
import { told } from "#server/foundation/languages/text.ts";
import type { CountryProfile } from "./country.ts";

const trn = { en: "Please enter a TRN of 15 digits.", hi: "कृपया 15 अंकों का TRN डालें।" };

const emirates: readonly State[] = [
  { abbreviation: "AZ", name: "Abu Dhabi" },
  { abbreviation: "AJ", name: "Ajman" },
  { abbreviation: "DU", name: "Dubai" },
  { abbreviation: "FU", name: "Fujairah" },
  { abbreviation: "RK", name: "Ras Al Khaimah" },
  { abbreviation: "SH", name: "Sharjah" },
  { abbreviation: "UQ", name: "Umm Al Quwain" },
];

export const uae: CountryProfile = {
  name: "UAE",
  nameInSentence: "the UAE",
  console: "EP",
  currency: "AED",
  shownFractionDigits: 2,
  taxRates: [{ from: "2018-01-01", value: 500, source: "Federal Decree-Law 8 of 2017" }],
  totalStepMinor: 1,
  locale: "en-AE",
  timeZone: "Asia/Dubai",
  tenantEndings: ["ae", "uae"],
  address: {
    states: emirates,
    findState: (text) => findStateIn(emirates, text),
    subdivisionCode: ({ abbreviation }) => abbreviation,
    postcode: /^\\d{5}$/,
    postcodeRule: "5 digits, 00000 where there is none",
    postcodeKeys: "numeric",
  },
  phone: { code: "+971", digits: 9 },
  registration: {
    rule: "a TRN of 15 digits",
    isGst: false,
    problem: (text) => (/^\\d{15}$/.test(text) ? null : told("fields.ofCountry", { problem: trn })),
    canonical: (text) => text,
    nameOf: () => "TRN",
    vendorNumber: () => null,
  },
  invoicing: {
    series: ({ year }) => \`AE/\${year}\`,
    firstMonth: 1,
    tax: { kind: "single", name: "VAT" },
    inWords: null,
  },
  words: {
    en: {
      name: "UAE",
      inSentence: "the UAE",
      market: "UAE (AED)",
      money: "dirhams",
      taxName: "VAT",
      catalogue: "Prices are for each person, before 5% VAT, in dirhams.",
      assurances: ["Genuine licenses", "A tax invoice with every payment", "Support 24/7"],
      whoMayBuy: "Businesses in the UAE pay the prices in dirhams shown here.",
      postcodeLabel: "Postcode",
      postcodeInSentence: "postcode",
      registrationLabel: "Tax Registration Number (TRN)",
      registrationHint: "Your TRN.",
      registrationInSentence: "tax registration number",
    },
    hi: {
      name: "UAE",
      inSentence: "UAE",
      market: "UAE (AED)",
      money: "दिरहम",
      taxName: "VAT",
      catalogue: "क़ीमतें प्रति व्यक्ति हैं, 5% VAT से पहले, दिरहम में।",
      assurances: ["असली लाइसेंस", "हर भुगतान पर टैक्स इनवॉइस", "24/7 सहायता"],
      whoMayBuy: "UAE के व्यवसाय यहाँ दिखाई गई दिरहम की क़ीमतें चुकाते हैं।",
      postcodeLabel: "पोस्टकोड",
      postcodeInSentence: "पोस्टकोड",
      registrationLabel: "टैक्स पंजीकरण नंबर (TRN)",
      registrationHint: "आपका TRN।",
      registrationInSentence: "टैक्स पंजीकरण नंबर",
    },
  },
};
`;

test(
  "docs/extend/country.md: the UAE, with its own tax, emirates, phone numbers and invoice series",
  async () => {
    const copy = copyProject(path.join(scratch, "country"));
    const registry = "server/foundation/countries/registry.ts";
    copy.addAfter("db/seed/countries.ts", /\{ code: "US".*\},\n/, '  { code: "AE", currency: "AED" },\n');
    const missing = await copy.typeErrors();
    expect(missing).toHaveLength(1);
    expect(missing[0]).toMatch(/^server\/foundation\/countries\/registry\.ts.*'AE' is missing/);

    const profile = "server/foundation/countries/uae.ts";
    copy.write(profile, uae.replace(/ {2}taxRates: .*\n/, ""));
    copy.addAfter(registry, /import \{ usa \}.*\n/, 'import { uae } from "./uae.ts";\n');
    copy.addAfter(registry, /= \{ IN: india, US: usa/, ", AE: uae");
    expect((await copy.typeErrors()).join("\n")).toMatch(
      /^server\/foundation\/countries\/uae\.ts.*'taxRates' is missing/,
    );
    copy.write(profile, uae);
    expect(await copy.typeErrors()).toEqual([]);

    copy.write(
      "migrations/2027-01-01T01-uae.ts",
      migrationOf(
        "insert into currencies (id) values ('AED') on conflict do nothing",
        "insert into countries (id, currency) values ('AE', 'AED')",
      ),
    );
    const prices = '\n      ...commitments("AED", { monthToMonth: [20, 24], yearPaidAtOnce: [200, 240] }),';
    for (const folder of catalogues) copy.addAfter(`${folder}/brio.ts`, /prices: \[/, prices);
    expect(await copy.typeErrors()).toEqual([]);
    // One file and its line in the registry, the seed, a migration.
    expect(copy.touched().filter((file) => !isOfTests(file))).toEqual([
      "db/seed/brio.ts",
      "db/seed/countries.ts",
      "migrations/2027-01-01T01-uae.ts",
      registry,
      profile,
    ]);

    await buy(copy, {
      family: "brio",
      item: "brio-desk",
      country: "AE",
      settings: {
        RAZORPAY_KEY_ID_AE: "rzp_test_sandbox_ae",
        RAZORPAY_KEY_SECRET_AE: "sandbox-key-secret-ae",
        RAZORPAY_WEBHOOK_SECRET_AE: "sandbox-webhook-secret-ae",
      },
      account: {
        city: "Dubai",
        state: "Dubai",
        pincode: "00000",
        phoneCode: "+971",
        phoneNumber: "050 123 4567",
        organisationRegistrationNumber: "100123456700003",
      },
      // 3 x AED 200, and 5% of it.
      onInvoice: [`AE/${new Date().getUTCFullYear()}`, "VAT", "630.00", "UAE"],
    });
  },
  timeLimit,
);

test(
  "docs/extend/family.md: a family with one plan and no accounts at a vendor",
  async () => {
    const copy = copyProject(path.join(scratch, "family"));
    copy.addAfter("db/seed/families.ts", /\{ id: "brio" \}/, ', { id: "zoho" }');
    const named = (await copy.typeErrors())
      .filter((line) => !isOfTests(line))
      .map((line) => line.split("(")[0]);
    expect([...new Set(named)].sort()).toEqual([
      "app/families/registry.ts",
      "db/seed/index.ts",
      "server/catalogue/families/registry.ts",
    ]);

    const items = `/** Zoho's plans. */
import { commitments, type SeedItem } from "#db/seed/item.ts";

export const zoho: readonly SeedItem[] = [
  {
    id: "zoho-workplace",
    sku: "ZOHO-WORKPLACE",
    section: "featured",
    name: "Zoho Workplace",
    audience: "For offices that want mail and documents",
    description: "Mail, documents and chat in the browser.",
    features: ["Mail", "Documents", "Chat"],
    words: {
      hi: {
        audience: "उन दफ़्तरों के लिए जिन्हें मेल और दस्तावेज़ चाहिए",
        description: "ब्राउज़र में मेल, दस्तावेज़ और चैट।",
        features: ["मेल", "दस्तावेज़", "चैट"],
      },
    },
    images: ["desk"],
    minSeats: 1,
    maxSeats: 300,
    baseItemIds: [],
    facts: {
      desktopApps: 0,
      webApps: true,
      mailbox: 30,
      storage: 100,
      meetings: null,
      security: [],
      extras: [],
    },
    prices: [
      ...commitments("INR", { monthToMonth: [100, 120], yearPaidAtOnce: [1000, 1200] }),
      ...commitments("USD", { monthToMonth: [2, 3], yearPaidAtOnce: [20, 30] }),
    ],
  },
];
`;
    for (const folder of catalogues) {
      copy.write(`${folder}/zoho.ts`, items);
      copy.addAfter(
        `${folder}/index.ts`,
        /import \{ microsoft \}.*\n/,
        'import { zoho } from "./zoho.ts";\n',
      );
      copy.addAfter(`${folder}/index.ts`, /catalogueOf\(\{ microsoft, google, brio/, ", zoho");
    }
    const server = "server/catalogue/families/zoho/index.ts";
    const lines = [
      "/** Zoho: bought and carried out at once. */",
      'import { generatePassword } from "#server/accounts/credentials/password.ts";',
      'import { storeCredentials } from "#server/accounts/credentials/credentials.ts";',
      'import type { Family } from "../family.ts";',
      'import { noReturns } from "../vendor-cancellations.ts";',
      "",
      "export const zoho: Family = {",
      '  label: "Zoho",',
      '  name: "Zoho Workplace",',
      "  domain: null,",
      "  tenants: null,",
      "  signIn: null,",
      "  agreement: null,",
      "  vendor: null,",
      "  bills: null,",
      "  tellsVendor: { address: [], contact: [], tenantName: [], username: [] },",
      "  renewsAllSeats: false,",
      '  mailKind: "order-confirmation",',
      "  movedWords: () => null,",
      "  remainingSteps: () => [],",
      "  onboardingSteps: () => [],",
      "  waitsForTerms: null,",
      "  startUrl: (env) => env.BRIO_URL,",
      "  isOpenIn: () => true,",
      '  checkBuyer: async () => ({ verdict: "accepted" }),',
      "  requiresKnownCost: () => false,",
      "  isOnSale: async () => ({ isSold: true }),",
      "  async purchase(context, { id, account }) {",
      '    const username = account?.email ?? "";',
      '    await storeCredentials(context, context.db, id, "sign-in", { username, password: generatePassword() });',
      '    return { tenant: null, domain: username.split("@")[1] ?? "", subscriptionId: ["zoho", id].join("-") };',
      "  },",
      "  async addSeats(_context, { line }, { subscription }) {",
      "    return subscription.quantity + line.quantity;",
      "  },",
      "  async renew() {},",
      "  async buyAgain(_context, _order, { subscription }) {",
      "    return subscription.externalId;",
      "  },",
      "  async stopRenewal() {",
      "    return null;",
      "  },",
      '  returns: noReturns("families.brioKeepsTerm"),',
      "};",
      "",
    ];
    const registries = ["server/catalogue/families/registry.ts", "app/families/registry.ts"];
    for (const registry of registries) {
      copy.addAfter(registry, /import \{ microsoft \}.*\n/, 'import { zoho } from "./zoho/index.ts";\n');
      copy.addAfter(registry, /= \{\s*microsoft,\s*google,\s*brio/, ", zoho");
    }
    copy.write(server, lines.filter((line) => !line.includes("startUrl")).join("\n"));
    const screens = `/** Zoho on the pages. */
import { cappedTerms, seatRows } from "../seat-rows.ts";
import type { FamilyScreens } from "../family.ts";

export const zoho: FamilyScreens = {
  tile: "app",
  also: null,
  plansBanner: null,
  promotions: () => [],
  questions: { genuine: "offers.genuineLicence", activation: "offers.activationMail" },
  choosing: null,
  detailsHeading: "families.setUp",
  signIn: null,
  review: { rows: seatRows, totalLabel: "steps.totalLabel" },
  terms: cappedTerms,
  secret: { name: "closure.secretAccessCode", hint: "closure.emailedAsWell" },
};
`;
    copy.write("app/families/zoho/index.ts", screens);
    expect((await copy.typeErrors()).join("\n")).toMatch(
      /^server\/catalogue\/families\/zoho.*'startUrl' is missing/,
    );
    copy.write(server, lines.join("\n"));
    expect((await copy.typeErrors()).filter((line) => !isOfTests(line))).toEqual([]);

    copy.write("migrations/2027-01-01T01-zoho.ts", migrationOf("insert into families (id) values ('zoho')"));
    const folders = copy
      .touched()
      .filter((file) => !isOfTests(file))
      .map((file) => file.split("/").slice(0, 2).join("/"));
    expect([...new Set(folders)]).toEqual([
      "app/families",
      "db/seed",
      "migrations/2027-01-01T01-zoho.ts",
      "server/catalogue/families",
    ]);

    await buy(copy, {
      family: "zoho",
      item: "zoho-workplace",
      country: "IN",
      account: {
        city: "Bengaluru",
        state: "Karnataka",
        pincode: "560038",
        phoneCode: "+91",
        phoneNumber: "9876543210",
        organisationRegistrationNumber: "AABCB1234C",
      },
      onInvoice: ["Zoho Workplace", "IN/"],
    });
  },
  timeLimit,
);
