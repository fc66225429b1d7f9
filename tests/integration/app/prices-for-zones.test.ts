/**
 * Tax before the review, for a company in a special economic zone and for a buyer abroad: at the first step of each journey, on
 * pages with prices and in renewal reminders. It always matches the tax in the review.
 */
import { describe, expect, test } from "vitest";
import type { Address } from "#db/accounts/customers.ts";
import { saveRegistration } from "#db/accounts/gst-registrations.ts";
import { addAddress, listAddresses } from "#server/accounts/customers.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import {
  type Customer,
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { plan } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

/** Letters of undertaking for every financial year in which this test may run. */
const letters = [-1, 0, 1]
  .map((offset) => new Date().getFullYear() + offset)
  .map((first) => `${first}-${String(first + 1).slice(2)} AD2903${first}00103V`)
  .join("; ");
// There is no US seller, so the Indian one exports.
const exporting = { SELLER_NAME_US: "", SELLER_ADDRESS_US: "", SELLER_EIN_US: "" };
const underLetter = await startStore({ worker: true, env: { ...exporting, SELLER_LUT: letters } });
const withTax = await startStore({ worker: true, env: { ...exporting, SELLER_LUT: "" } });

const zone = "29AAGCS5678Q1Z7";
const hindi = { "Accept-Language": "hi" };
const copilot = "MS-COPILOT:0002";

interface Zone extends Customer {
  browser: HttpBrowser;
  held: CustomerSubscription;
  /** The company's older address, outside the zone. */
  outside: Address;
}

/** Creates a company whose newest address is in a zone, with a subscription that ends soon. */
async function companyInZone({ context, stack }: typeof withTax): Promise<Zone> {
  const { db } = context;
  const customer = await makeCustomer(db);
  const [outside] = await listAddresses(db, customer.customerId);
  if (outside === undefined) throw new Error("Expected an address");
  const { id: _, ...fields } = outside;
  const inZone = { ...fields, gstCode: zone, organisationRegistrationNumber: zone, addressLine1: "7 Zone" };
  await db.transaction().execute((trx) => addAddress(trx, customer.customerId, inZone));
  const registered = {
    gstin: zone,
    legalName: "SILVER COMET",
    tradeName: "",
    status: "Active",
    taxpayerType: "SEZ Unit",
  };
  await saveRegistration(db, registered, new Date());
  const held = await createSubscriptionFor(db, customer, {
    item: "microsoft-365-business-standard",
    endsInDays: 20,
  });
  await seedProviders(db, stack.sandboxUrl, customer);
  return { ...customer, held, outside, browser: await signedIn(context, stack.url, customer.owner) };
}

const journeys: readonly [
  string,
  (held: CustomerSubscription) => string,
  (held: CustomerSubscription) => Record<string, string>,
][] = [
  ["a new order", () => paths.newOrder(plan, { another: "true" }), () => ({ term: "P1Y" })],
  [
    "additional subscription",
    () => paths.newContract(plan),
    ({ tenantId }) => ({ term: "P1Y", destination: tenantId ?? "" }),
  ],
  ["an add-on", () => paths.newAddOn({ sku_id: copilot }), ({ id }) => ({ term: "P1Y", destination: id })],
  ["more licenses", ({ id }) => paths.buyMore(id), () => ({})],
  ["a renewal", ({ id }) => paths.renew(id), () => ({})],
];

const readOf = async (browser: HttpBrowser, path: string, headers = {}) => {
  const { status, text } = await browser.get(path, headers);
  expect(status, path).toBe(200);
  return wordsOf(mainContentOf(text));
};
const totalsSaid = (html: string) => wordsOf(/<output>(.*?)<\/output>/s.exec(html)?.[1] ?? "").trim();

const because = {
  en: "No GST: your company is in a special economic zone, and we supply it under a letter of undertaking.",
  hi: "GST नहीं लगेगा: आपकी कंपनी विशेष आर्थिक क्षेत्र (SEZ) में है",
};

describe.each([
  { store: underLetter, what: "under a letter of undertaking", isTaxed: false },
  { store: withTax, what: "with IGST", isTaxed: true },
])("a company in a zone, supplied $what", ({ store, isTaxed }) => {
  test.each(journeys)(
    "shows the tax at the first step of %s, with the total of the review",
    async (_what, at, answers) => {
      const { browser, held, outside } = await companyInZone(store);
      const path = at(held);
      const first = await browser.get(path);
      const said = totalsSaid(first.text);
      const words = wordsOf(mainContentOf(first.text));
      expect(words).not.toMatch(/before GST|\+ GST/);
      if (isTaxed) {
        expect(said).toMatch(/\+ IGST = ₹/);
        expect(words).toContain(", before IGST");
      } else {
        expect(said).toContain(because.en);
        expect(words).not.toMatch(/IGST|before GST/);
      }
      const inHindi = await browser.get(path, hindi);
      expect(wordsOf(inHindi.text)).toContain(isTaxed ? "IGST से पहले" : because.hi);

      // Without scripts, the button updates the total for the typed values.
      const typed = { ...answers(held), quantity: "10" };
      const updated = totalsSaid((await browser.post(path, { ...typed, intent: "update-total" })).text);
      expect(updated).toContain("10 × ");
      const total = /= (₹[\d,.]*\d)/.exec(updated)?.[1] ?? "no total";

      const { status, location } = await browser.post(path, typed);
      expect(status, `${path} ${location}`).toBe(303);
      const review = (location ?? "").replace(/create-account$/, "");
      if (review !== location) {
        // A new order asks for the account first, but already shows the company's price.
        expect(await readOf(browser, location ?? "")).toContain(total);
        return;
      }
      const reviewed = await readOf(browser, location ?? "");
      expect(reviewed).toContain(total);
      expect(reviewed).toContain(isTaxed ? "IGST 18%: " : because.en);

      // For the other address the usual tax applies, at the first step and in the review.
      const elsewhere = { ...typed, address: outside.id, quantity: "10" };
      const usual = totalsSaid((await browser.post(path, { ...elsewhere, intent: "update-total" })).text);
      expect(usual).toContain("+ GST = ₹");
      expect(usual).not.toMatch(/No GST|IGST/);
    },
  );

  test("shows the tax on the pages with prices and in the cart", async () => {
    const { browser, held } = await companyInZone(store);
    const inCatalogue = isTaxed ? "in rupees, before IGST." : `in rupees. ${because.en}`;
    const home = await readOf(browser, paths.home());
    expect(home).toContain(inCatalogue);
    expect(home).toContain(isTaxed ? "Total for one year, including IGST" : "Total for one year ₹");
    expect(home).not.toContain("before 18% GST");
    expect(await readOf(browser, paths.compare({ service: "microsoft" }))).toContain(inCatalogue);

    const subscriptions = (await readOf(browser, paths.subscriptions())).replaceAll(" ,", ",");
    expect(subscriptions).not.toMatch(/(before|with|includes) GST/);
    const words = isTaxed
      ? ["per year, before IGST", "includes IGST.", "Next 12 months, before IGST"]
      : [because.en, "Next 12 months:"];
    for (const said of words) expect(subscriptions).toContain(said);

    await browser.post(paths.buyMore(held.id), { quantity: "10" });
    const cart = await readOf(browser, paths.cart());
    expect(/₹[\d,.]+ (₹[\d,.]+) ₹/.exec(cart)?.[1] === "₹0").toBe(!isTaxed);
  });

  test("shows the renewal's tax in its reminder", async () => {
    const { owner } = await companyInZone(store);
    const { context, controls } = store;
    await sendRenewalReminders(context, new Date());
    const found = async () =>
      (await controls.inbox(owner.email)).find(({ subject }) => subject.startsWith("Ends in "));
    await until("the reminder", async () => (await found()) !== undefined);
    const mail = await found();
    if (isTaxed) {
      expect(mail?.text).toMatch(/costs ₹[\d,.]+ before IGST, or ₹[\d,]+ including IGST, today\./);
      expect(mail?.text).toContain("Renewal today, including IGST");
    } else {
      expect(mail?.text).toMatch(/costs ₹[\d,.]+ today\./);
      expect(mail?.text).toContain(because.en);
    }
    expect(mail?.text).not.toMatch(/(before|including) (GST|tax)/);
  });
});

describe("a buyer abroad of the Indian seller", () => {
  const abroad = { ...plan, country: "US" };
  test.each([
    {
      store: underLetter,
      said: "No GST: this is an export under a letter of undertaking.",
      never: /IGST|before GST/,
    },
    { store: withTax, said: "+ IGST = $", never: /No GST|\+ GST|before GST/ },
  ])("shows $said at the first step", async ({ store, said, never }) => {
    const first = await new HttpBrowser(store.stack.url).get(paths.newOrder(abroad));
    expect(totalsSaid(first.text)).toContain(said);
    expect(wordsOf(mainContentOf(first.text))).not.toMatch(never);
  });
});

test("logs no errors", () => {
  expect([...underLetter.stack.unexpectedErrors(), ...withTax.stack.unexpectedErrors()]).toEqual([]);
});
