/** Tax numbers, pincodes and names of real buyers at Create Account, over HTTP: on the page and through the API. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import { exampleSeller } from "#server/foundation/example-values.ts";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import { makeCustomer } from "#tests/support/customer.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  plan,
  toReview,
  type WantedPlan,
} from "#tests/support/journey.ts";
import { readOrder, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

/** The order for POST /create/order. */
const called = { sku_id: plan.item, console: "IP", count: 2 };
const brio: WantedPlan = { family: "brio", item: "brio-desk" };
const seller = exampleSeller.SELLER_GSTIN;
const stored = z.object({
  companyName: z.string(),
  state: z.string(),
  pincode: z.string(),
  organisationRegistrationNumber: z.string(),
  gst_code: z.string().nullable(),
});

/** Posts the account form of a new order with the given changes. */
async function posted(changes: Record<string, string>, wanted?: WantedPlan) {
  const browser = new HttpBrowser(stack.url);
  const country = changes.country === "US" ? "US" : "IN";
  const draft = await beginOrder(browser, { country, ...(wanted !== undefined && { wanted }) });
  const form = { ...accountForm(freshEmail(), country), ...changes };
  return { draft, answer: await browser.post(`${draft.path}/create-account`, form) };
}

async function accepted(changes: Record<string, string>, wanted?: WantedPlan) {
  const { draft, answer } = await posted(changes, wanted);
  expect([answer.status, answer.location], answer.text).toEqual([303, `${draft.path}/place-order`]);
  return stored.parse((await readOrder(context.db, draft.id)).account);
}

async function refused(changes: Record<string, string>, words: string) {
  const { draft, answer } = await posted(changes);
  expect(answer.status).toBe(400);
  expect(answer.text.replaceAll("&#x27;", "'")).toContain(words);
  expect((await readOrder(context.db, draft.id)).account).toBeNull();
}

/** Returns the result of POST /api/gst: the data found, or the error at the number. */
async function lookedUp(gstin: string) {
  const { body } = await new ApiClient(stack.url).post("/api/gst", { gstin });
  const { fields, cust_data: found } = z
    .looseObject({
      fields: z.object({ gstin: z.string() }).optional(),
      cust_data: z.record(z.string(), z.string()).optional(),
    })
    .parse(body);
  return found ?? fields?.gstin;
}

describe("a GST number", () => {
  test.each([
    "29BLRA10199B1DH",
    "29BLRA09876B1D0",
    "29BLRG09898B1Z9",
    "29AABCB1234C1DJ",
    "2917USA00012UN2",
    "0717UNO00105UNX",
    "29AABCB1234C1CL",
    "29AABCB1234C1J6",
    "29AABCB1234C2Z9",
    "09BLRS44321D2DM",
    "3321DEU12345UNV",
  ])("looks up %s instead of refusing its format", async (gstin) => {
    expect(await lookedUp(gstin)).toMatch(/^This GST number was not found\./);
  });

  test.each([
    ["9917SGP29001OST", /online service from abroad \(OIDAR\), which we can't invoice as an Indian business/],
    ["2917USA29001NRR", /non-resident taxpayer, which we can't invoice as an Indian business/],
    ["25AABCB1234C1ZI", /State code 25 \(Daman and Diu\) was merged into 26\./],
    ["29AABCB1234C1CM", /One of the characters is mistyped/],
    [seller, /^This is our own GST number\./],
  ])("refuses %s with a specific message", async (gstin, words) => {
    expect(await lookedUp(gstin)).toMatch(words);
  });

  test.each([
    ["29BLRB20456C1DK", "DIRECTORATE OF LAKES", "Karnataka"],
    ["0717FRA00031UNP", "EMBASSY OF A FRIENDLY STATE", "Delhi"],
    ["33AAPFU0939F1CD", "UNITED HARBOUR TRADERS", "Tamil Nadu"],
  ])("finds %s, with the state of the number", async (gstin, legalName, stateName) => {
    expect(await lookedUp(gstin)).toMatchObject({ gstin, legalName, stateName });
  });

  test.each([
    ["29BLRA10199B1DH", {}],
    ["29BLRG09898B1Z9", {}],
    ["2917USA00012UN2", {}],
    ["29AABCB1234C1CL", {}],
    ["0717UNO00105UNX", { state: "Delhi", city: "New Delhi", pincode: "110021" }],
  ])("sells to a business with a PAN in a separate field: %s", async (gst_code, place) => {
    expect(await accepted({ gst_code, ...place })).toMatchObject({
      gst_code,
      organisationRegistrationNumber: "AABCB1234C",
    });
  });

  test("suffices without a PAN in it, unless the vendor requires a PAN", async () => {
    const organisationRegistrationNumber = "29BLRA10199B1DH";
    expect(await accepted({ organisationRegistrationNumber }, brio)).toMatchObject({
      organisationRegistrationNumber,
      gst_code: organisationRegistrationNumber,
    });
    await refused(
      { organisationRegistrationNumber },
      "Enter your PAN here and the GST number in its own field.",
    );
  });
});

describe("a company in the tax register", () => {
  test.each([
    ["01AABCB1234C1ZS", "Jammu and Kashmir"],
    ["07AABCB1234C1ZG", "Delhi"],
    ["22AABCB1234C1ZO", "Chhattisgarh"],
    ["26AABCB1234C1ZG", "Dadra and Nagar Haveli and Daman and Diu"],
    ["33AABCB1234C1ZL", "Tamil Nadu"],
    ["34AABCB1234C1ZJ", "Puducherry"],
    ["36AABCB1234C1ZF", "Telangana"],
    ["38AABCB1234C1ZB", "Ladakh"],
  ])("continues without changes, however its state is spelled: %s in %s", async (gstin, state) => {
    const browser = new HttpBrowser(stack.url);
    const draft = await beginOrder(browser);
    const page = `${draft.path}/create-account`;
    const chosen = await browser.post(page, { intent: "choose-address", choice: "gst", gstin });
    expect(chosen.location).toBe(page);
    const { text } = await browser.get(page);
    const form = accountForm(freshEmail());
    const filled = Object.fromEntries(
      Object.entries(form).map(([name, value]) => [name, valueIn(text, name) ?? value]),
    );
    expect(filled).toMatchObject({ state, gst_code: gstin });
    const contact = ["email", "firstName", "lastName", "phoneNumber"].map((name) => [name, form[name] ?? ""]);
    const answer = await browser.post(page, { ...filled, ...Object.fromEntries(contact) });
    expect(answer.location, answer.text).toBe(`${draft.path}/place-order`);
    expect(stored.parse((await readOrder(context.db, draft.id)).account)).toMatchObject({
      state,
      gst_code: gstin,
    });
    expect(await lookedUp(gstin)).toMatchObject({ stateName: state });
  });

  test("shows its legal and its trade name, and can order under either", async () => {
    const browser = new HttpBrowser(stack.url);
    const draft = await beginOrder(browser);
    const page = `${draft.path}/create-account`;
    await browser.post(page, { intent: "choose-address", choice: "gst", gstin: "29ABCPS1234K1ZI" });
    const { text } = await browser.get(page);
    expect(text).toContain("ANITA RAO");
    expect(text).toContain("Trading as RAO OFFICE SUPPLIES");
    const answer = await browser.post(page, {
      ...accountForm(freshEmail()),
      companyName: "Rao Office Supplies",
      organisationRegistrationNumber: "29ABCPS1234K1ZI",
      gst_code: "29ABCPS1234K1ZI",
      pincode: "560001",
    });
    expect(answer.location).toBe(`${draft.path}/place-order`);
    expect((await browser.get(`${draft.path}/place-order`)).text).not.toContain("under a different name");
  });
});

/** Returns a field's value or a select's chosen option; null if there is no such field. */
function valueIn(page: string, name: string): string | null {
  const field = new RegExp(`<(input|select)[^>]* name="${name}"[^>]*>`).exec(page);
  if (field === null) return null;
  const [tag, element] = field;
  if (element === "input") return /value="([^"]*)"/.exec(tag)?.[1] ?? null;
  const options = page.slice(field.index).split("</select>")[0] ?? "";
  return (
    /<option[^>]*selected[^>]*value="([^"]*)"|<option value="([^"]*)" selected/
      .exec(options)
      ?.slice(1)
      .find(Boolean) ?? null
  );
}

describe("a pincode", () => {
  test.each([
    ["560 038", "560038"],
    ["560-038", "560038"],
    ["560\u00a0038", "560038"],
    ["५६००३८", "560038"],
    ["५६० ०३८", "560038"],
    ["560\u200b038", "560038"],
  ])("stores %j as %s", async (pincode, digits) => {
    expect(await accepted({ pincode })).toMatchObject({ pincode: digits });
  });

  test.each([
    ["10001 1234", "10001-1234"],
    ["100011234", "10001-1234"],
    ["10001\u20131234", "10001-1234"],
    ["02134", "02134"],
  ])("stores the ZIP code %j as %s", async (pincode, zip) => {
    expect(await accepted({ country: "US", pincode })).toMatchObject({ pincode: zip });
  });

  test("loses gaps and converts digits of other scripts through the API, too", async () => {
    const body = { ...called, ...accountPayload(freshEmail()), pincode: "५६० ०३८" };
    const reply = await new ApiClient(stack.url).post("/create/order", body);
    const { id } = requireSuccess(z.object({ id: z.string() }), reply);
    const orderId = parseId<OrderId>(id);
    if (orderId === null) throw new Error(`Expected an id, got ${id}`);
    expect(stored.parse((await readOrder(context.db, orderId)).account).pincode).toBe("560038");
  });

  test.each([
    [
      { gst_code: "29AABCB1234C1ZA", pincode: "400001" },
      "Pincode 400001 is in Maharashtra, not Karnataka. Correct the pincode or the state.",
    ],
    [{ pincode: "400001" }, "Pincode 400001 is in Maharashtra, not Karnataka."],
    [
      { state: "Maharashtra", city: "Mumbai", pincode: "560 038" },
      "Pincode 560038 is in Karnataka, not Maharashtra.",
    ],
    [{ pincode: "396210" }, "Pincode 396210 isn't in Karnataka."],
    [{ pincode: "100001" }, "Please enter a valid pincode"],
    [{ pincode: "109999" }, "Please enter a valid pincode"],
    [{ pincode: "999999" }, "Please enter a valid pincode"],
  ])("shows an error at the field: %j", (changes, words) => refused(changes, words));

  test.each([
    ["Telangana", "500081"],
    ["Telangana", "501401"],
    ["Puducherry", "673310"],
    ["Puducherry", "533464"],
    ["Puducherry", "609602"],
    ["Chandigarh", "140119"],
    ["Chandigarh", "160017"],
    ["Dadra and Nagar Haveli and Daman and Diu", "396230"],
    ["Dadra and Nagar Haveli and Daman and Diu", "396210"],
    ["Dadra and Nagar Haveli and Daman and Diu", "362520"],
  ])("accepts an unusual but valid pair: %s %s", async (state, pincode) => {
    expect(await accepted({ state, pincode }, brio)).toMatchObject({ state, pincode });
  });
});

describe("a name too short for the registration portal", () => {
  test.each([
    [{ companyName: "EY" }, "With a GST number, the company name needs at least 3 characters."],
    [{ city: "Bo" }, "With a GST number, the city needs at least 3 characters."],
  ])("needs more letters with a GSTIN only: %j", async (changes, words) => {
    await refused({ ...changes, gst_code: "29AABCB1234C1ZA" }, words);
    await accepted(changes, brio);
  });
});

describe("the seller's own number", () => {
  const words = "This is our own GST number. Enter your company's number.";

  test.each<Record<string, string>>([
    { gst_code: seller },
    { gst_code: `${seller.slice(0, 2)} ${seller.slice(2).toLowerCase()}` },
    { organisationRegistrationNumber: seller },
  ])("shows an error in the form: %j", (changes) => refused(changes, words));

  test("shows the same error in the dialog, the API and the company's addresses", async () => {
    const browser = new HttpBrowser(stack.url);
    const draft = await beginOrder(browser);
    const choice = { intent: "choose-address", choice: "gst", gstin: seller };
    const dialog = await browser.post(`${draft.path}/create-account`, choice);
    expect([dialog.status, dialog.text.replaceAll("&#x27;", "'")]).toEqual([
      400,
      expect.stringContaining(words),
    ]);

    const body = { ...called, ...accountPayload(freshEmail()), gst_code: seller };
    const reply = await new ApiClient(stack.url).post("/create/order", body);
    expect([reply.status, reply.body]).toMatchObject([400, { fields: { gst_code: words } }]);

    const { owner } = await makeCustomer(context.db);
    const signed = await signedIn(context, stack.url, owner);
    const { intent: _, companyName: __, ...place } = accountForm(owner.email);
    const saved = await signed.post("/company/places/new", { ...place, gst_code: seller });
    expect([saved.status, saved.text.replaceAll("&#x27;", "'")]).toEqual([
      400,
      expect.stringContaining(words),
    ]);
  });
});

describe("an order begun before a rule existed", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["our own number", { gst_code: seller }, /our own GST number/],
    ["a pincode of another state", { pincode: "400001" }, /pincode/i],
    ["a company of two letters", { gst_code: "29AABCB1234C1ZA", companyName: "EY" }, /3 characters/],
    ["a city of two letters", { gst_code: "29AABCB1234C1ZA", city: "Bo" }, /3 characters/],
    ["a state of another GSTIN", { gst_code: "29AABCB1234C1ZA", state: "Goa", pincode: "403001" }, /state/],
  ])("leads to the form before payment with %s", async (_what, changes, words) => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser);
    const account = sql<string>`account || ${JSON.stringify(changes)}::jsonb`;
    await context.db.updateTable("orders").set({ account }).where("id", "=", order.id).execute();
    const page = await browser.get(`${order.path}/place-order`);
    expect(page.text.replaceAll("&#x27;", "'")).toMatch(/These billing details can't be invoiced/);
    expect(page.text.replaceAll("&#x27;", "'")).toMatch(words);
    expect(page.text).toContain(`href="${order.path}/create-account"`);
    const form = { intent: "place-order", terms: "on", total: String(order.totalMinor) };
    expect((await browser.post(`${order.path}/place-order`, form)).status).toBe(409);
    const intents = await context.db
      .selectFrom("payment_intents")
      .select("id")
      .where("order_id", "=", order.id)
      .execute();
    expect(intents).toEqual([]);
  });
});
