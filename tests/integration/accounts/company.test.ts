/** A company's details: owners change them, the GST register verifies them, unpaid orders follow, issued documents do not. */
import { expect, test } from "vitest";
import { readOrder } from "#db/orders/orders.ts";
import { findCustomer, listAddresses } from "#server/accounts/customers.ts";
import { computeAmountToTransfer } from "#server/billing/payments/matching.ts";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import {
  accountForm,
  pastAccount,
  placeOrder,
  plan,
  providerOrderOf,
  toReview,
} from "#tests/support/journey.ts";
import { join, makePerson, signedIn } from "#tests/support/orders.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

const karnataka = "29AABCB1234C1ZA";
const maharashtra = "27AABCB1234C1ZE";
/** A GSTIN that the register knows, with another PAN. */
const stranger = "27AAPFU0939F1ZV";
const unknown = "29AAACR5055K1Z3";

/** Creates a company that has paid for an order, with its owner's browser. */
async function company() {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, {
    account: { gst_code: karnataka, organisationRegistrationNumber: karnataka },
  });
  await placeOrder(browser, order);
  const providerOrderId = await providerOrderOf(browser, order);
  await payFor({ browser, path: order.path, providerOrderId }, stack.sandboxUrl);
  const paid = await readOrder(db, order.id);
  if (paid?.customerId == null) throw new Error("Expected the order to have a company");
  return { browser, order, id: paid.customerId };
}

const placeForm = (given: Record<string, string>) => {
  const { intent: _, companyName: __, ...fields } = accountForm("accounts@acme.example");
  return { ...fields, ...given };
};
const mumbai = placeForm({
  addressLine1: "9 Marine Drive",
  city: "Mumbai",
  state: "Maharashtra",
  pincode: "400020",
  organisationRegistrationNumber: maharashtra,
});
const seen = async (browser: HttpBrowser) =>
  wordsOf(mainContentOf((await browser.get(paths.company())).text));

test("updates unpaid orders with a new name and address, but not issued invoices", async () => {
  const { browser, order, id } = await company();
  const cart = await pastAccount(browser, { email: order.email });
  const [place] = await listAddresses(db, id);
  expect(await seen(browser)).toContain(`GST register: ${karnataka} is`);
  await browser.post(paths.company(), { intent: "name", name: "Acme Tools Private Limited" });
  const moved = placeForm({ addressLine1: "1 New Street", organisationRegistrationNumber: karnataka });
  expect((await browser.post(paths.companyBillingAddress(place?.id ?? ""), moved)).location).toBe(
    paths.company(),
  );
  expect((await readOrder(db, cart.id))?.account).toMatchObject({
    companyName: "Acme Tools Private Limited",
    addressLine1: "1 New Street",
    gst_code: karnataka,
  });
  expect((await readOrder(db, order.id))?.account).toMatchObject({ addressLine1: "221 100 Feet Road" });
  const invoice = wordsOf((await browser.get(paths.invoice(order.id))).text);
  expect(invoice).toContain("221 100 Feet Road");
  const [number = ""] = /IN\/\d\d-\d\d\/\d{6}/.exec(invoice) ?? [];
  const page = await seen(browser);
  expect(page).toContain(`Invoice ${number} shows: Acme Tools, 221 100 Feet Road`);
});

test("sells to the billing address that the order names, else to the default one", async () => {
  const { browser, id } = await company();
  expect((await browser.post(paths.companyBillingAddress("new"), mumbai)).location).toBe(paths.company());
  const [first, second] = await listAddresses(db, id);
  expect([first?.gstCode, second?.gstCode]).toEqual([karnataka, maharashtra]);
  const next = `/contract/brio/brio-desk/${plan.country}?TUP=true`;
  const step = await browser.get(next);
  expect(step.text).toContain(`GSTIN ${maharashtra}`);
  await browser.post(paths.company(), { intent: "make-default", place: second?.id ?? "" });
  expect((await listAddresses(db, id)).map(({ gstCode }) => gstCode)).toEqual([maharashtra, karnataka]);
  const removed = await browser.post(paths.company(), { intent: "remove", place: first?.id ?? "" });
  expect(removed.location).toBe(paths.company());
  const last = await browser.post(paths.company(), { intent: "remove", place: second?.id ?? "" });
  expect(last.status).toBe(409);
  expect(wordsOf(mainContentOf(last.text))).toContain("This is your only billing address in this country.");
  expect(await listAddresses(db, id)).toHaveLength(1);
});

test("refuses a GST number unknown to the register, unless the register is down", async () => {
  const { browser, id } = await company();
  const wrong = await browser.post(
    paths.companyBillingAddress("new"),
    placeForm({ organisationRegistrationNumber: unknown, addressLine1: "Somewhere" }),
  );
  expect(wrong.status).toBe(400);
  expect(wordsOf(mainContentOf(wrong.text))).toContain("This GST number was not found.");
  expect(wrong.text).toContain("Somewhere");
  expect(await listAddresses(db, id)).toHaveLength(1);
  await controls.faults({ match: { path: "/gst" }, kind: "500", times: 9 });
  await browser.post(paths.companyBillingAddress("new"), mumbai);
  await controls.faults();
  expect(await listAddresses(db, id)).toHaveLength(2);
});

test("refuses a GST number or PAN of another legal entity while other addresses remain", async () => {
  const { browser, id } = await company();
  const refused = async (place: string, form: Record<string, string>) => {
    const answer = await browser.post(paths.companyBillingAddress(place), form);
    expect(answer.status).toBe(400);
    expect(wordsOf(mainContentOf(answer.text))).toContain(
      "its PAN is AAPFU0939F, but your company's other addresses use AABCB1234C",
    );
    expect(answer.text).toMatch(/id="place-(organisationRegistrationNumber|gst_code)-error"/);
  };
  const before = await listAddresses(db, id);
  await refused("new", { ...mumbai, organisationRegistrationNumber: stranger });
  await refused("new", { ...mumbai, organisationRegistrationNumber: "AAPFU0939F" });
  expect(await listAddresses(db, id)).toEqual(before);
  await browser.post(paths.companyBillingAddress("new"), mumbai);
  const places = await listAddresses(db, id);
  const second = places.find(({ gstCode }) => gstCode === maharashtra);
  await refused(second?.id ?? "", { ...mumbai, organisationRegistrationNumber: stranger });
  expect(await listAddresses(db, id)).toEqual(places);
});

test("allows another entity's number for a company's only billing address", async () => {
  const { browser, id } = await company();
  const [place] = await listAddresses(db, id);
  const form = placeForm({
    organisationRegistrationNumber: stranger,
    state: "Maharashtra",
    pincode: "400020",
  });
  expect((await browser.post(paths.companyBillingAddress(place?.id ?? ""), form)).location).toBe(
    paths.company(),
  );
  expect((await listAddresses(db, id)).map(({ gstCode }) => gstCode)).toEqual([stranger]);
});

test("shows the amount to transfer after tax deducted at source", async () => {
  const { browser, order } = await company();
  const wrong = await browser.post(paths.company(), {
    intent: "tax",
    deductorNumber: "AABCB1234C",
    rateBasisPoints: "1000",
  });
  expect(wrong.status).toBe(400);
  expect(wordsOf(mainContentOf(wrong.text))).toContain("A TAN is 4 letters, 5 digits and a letter");
  const odd = await browser.post(paths.company(), { intent: "tax", rateBasisPoints: "1234" });
  expect(odd.status).toBe(400);
  const tax = { intent: "tax", deductorNumber: "blra 12345b", section: "194J", rateBasisPoints: "1000" };
  expect((await browser.post(paths.company(), tax)).location).toBe(paths.company());
  const next = await pastAccount(browser, { email: order.email });
  const draft = await readOrder(db, next.id);
  if (draft === null) throw new Error("Expected the order to exist");
  const left = computeAmountToTransfer(draft, 1_000).minor / 100;
  const pay = wordsOf(mainContentOf((await browser.get(paths.payAnotherWay(next.id))).text));
  expect(pay).toContain(
    `Your company deducts 10% of the value before tax, so transfer ₹${new Intl.NumberFormat("en-IN").format(left)}`,
  );
});

test("lets other members read the company but not change it", async () => {
  const { id } = await company();
  const viewer = await makePerson(db);
  await join(db, id, viewer, "viewer");
  const browser = await signedIn(context, stack.url, viewer);
  const page = await browser.get(paths.company());
  expect(wordsOf(mainContentOf(page.text))).toContain("221 100 Feet Road");
  expect(mainContentOf(page.text)).not.toContain("<form");
  expect((await browser.get(paths.companyBillingAddress("new"))).location).toBe(paths.company());
  expect((await browser.post(paths.company(), { intent: "name", name: "Mine" })).status).toBe(403);
  expect((await browser.post(paths.companyBillingAddress("new"), mumbai)).location).toBe(paths.company());
  expect(await listAddresses(db, id)).toHaveLength(1);
  expect((await findCustomer(db, id))?.name).toBe("Acme Tools");
});
