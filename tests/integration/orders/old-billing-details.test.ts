/**
 * Orders of a company whose saved billing details break a newer rule: each kind of order requires the correction before payment,
 * and continues after it.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import { exampleSeller } from "#server/foundation/example-values.ts";
import { changePath } from "#tests/support/changes.ts";
import {
  type Customer,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { type HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { accountForm, placeOrder } from "#tests/support/journey.ts";
import { join, makePerson, signedIn } from "#tests/support/orders.ts";
import { deleteQueuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
beforeEach(() => controls.webhooks("never"));
afterEach(() => deleteQueuedJobs(db));

type Kind = "RENEW" | "ADD" | "TUP" | "ADDON";
const rule = {
  pincode: [{ pincode: "400001" }, "Pincode 400001 is in Maharashtra, not Karnataka."],
  "own GSTIN": [{ gst_code: exampleSeller.SELLER_GSTIN }, "This is our own GST number."],
  city: [
    { gst_code: "29AABCB1234C1ZA", city: "Bo" },
    "With a GST number, the city needs at least 3 characters.",
  ],
} as const;
const kinds: readonly Kind[] = ["RENEW", "ADD", "TUP", "ADDON"];
const cases = kinds.flatMap((kind) =>
  (["pincode", "own GSTIN", "city"] as const).map((broken) => ({ kind, broken })),
);

/** Creates a company with a plan, and billing details saved before a rule existed. */
async function companyWith(broken: keyof typeof rule) {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { quantity: 10, endsInDays: 20 });
  await seedProviders(db, stack.sandboxUrl, customer);
  await breakPlace(customer, rule[broken][0]);
  return { customer, held, browser: await signedIn(context, stack.url, customer.owner) };
}

const breakPlace = ({ customerId }: Customer, wrong: Record<string, string>) =>
  db.updateTable("addresses").set(wrong).where("customer_id", "=", customerId).execute();

/** @returns the order's address, without the step */
async function begin(
  browser: HttpBrowser,
  kind: Kind,
  { id, tenantId }: Awaited<ReturnType<typeof createSubscriptionFor>>,
): Promise<string> {
  const details = (destination: string) => ({ term: "P1Y", quantity: "2", destination });
  const steps = {
    RENEW: [changePath("renew", id), { quantity: "10" }],
    ADD: [changePath("more", id), { quantity: "2" }],
    TUP: ["/contract/microsoft/microsoft-365-business-standard/IN?TUP=true", details(tenantId ?? "")],
    ADDON: ["/subscription/addon", details(id)],
  } as const satisfies Record<Kind, readonly [string, Record<string, string>]>;
  const [path, form] = steps[kind];
  const answer = await browser.post(path, form);
  expect(answer.status, answer.text).toBe(303);
  return z
    .string()
    .parse(answer.location)
    .replace(/\/place-order$/, "");
}

/** Returns the last id in a path: the address of a subscription change has the subscription's id first. */
function idIn(path: string): OrderId {
  const id = parseId<OrderId>(path.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)?.at(-1));
  if (id === null) throw new Error(`Expected an order id in ${path}`);
  return id;
}

const intentsOf = (path: string) =>
  db.selectFrom("payment_intents").select("status").where("order_id", "=", idIn(path)).execute();

async function total(browser: HttpBrowser, path: string): Promise<number> {
  return Number(hiddenFieldValue((await browser.get(`${path}/place-order`)).text, "total"));
}

/** Follows the review's link and saves valid details. @returns where the form redirects */
async function correct(browser: HttpBrowser, customer: Customer, review: string): Promise<string | null> {
  const [, form = ""] = /href="(\/company\/places\/[^"]+)"/.exec(review) ?? [];
  const { intent: _, companyName: __, ...place } = accountForm(customer.owner.email);
  const saved = await browser.post(form.replaceAll("&amp;", "&"), { ...place, gst_code: "" });
  expect(saved.status, saved.text).toBe(303);
  return saved.location;
}

describe.each(cases)("a $kind order with a wrong $broken in its billing details", ({ kind, broken }) => {
  test("links to the address form before payment, and returns after it", async () => {
    const { customer, held, browser } = await companyWith(broken);
    const path = await begin(browser, kind, held);
    const review = (await browser.get(`${path}/place-order`)).text;
    expect(wordsOf(review)).toContain(`These billing details can't be invoiced. ${rule[broken][1]}`);
    const totalMinor = await totalOf(path);
    await expect(placeOrder(browser, { path, totalMinor })).rejects.toThrow("be invoiced");
    expect(await intentsOf(path)).toEqual([]);

    expect(await correct(browser, customer, review)).toBe(`${path}/place-order`);
    await placeOrder(browser, { path, totalMinor: await total(browser, path) });
    expect(await intentsOf(path)).toEqual([{ status: "open" }]);
  });
});

/** Returns the stored total, which the review does not post while it offers no payment. */
async function totalOf(path: string): Promise<number> {
  const order = db.selectFrom("orders").select("total_minor").where("id", "=", idIn(path));
  return (await order.executeTakeFirstOrThrow()).total_minor;
}

test("allows the correction of an order whose payment began before the rule", async () => {
  const { customer, held, browser } = await companyWith("pincode");
  await breakPlace(customer, { pincode: "560038" });
  const path = await begin(browser, "RENEW", held);
  await placeOrder(browser, { path, totalMinor: await total(browser, path) });
  await breakPlace(customer, rule.pincode[0]);
  const { account } = await db
    .selectFrom("orders")
    .select("account")
    .where("id", "=", idIn(path))
    .executeTakeFirstOrThrow();
  const old = JSON.stringify({ ...z.looseObject({}).parse(account), ...rule.pincode[0] });
  await db.updateTable("orders").set({ account: old }).where("id", "=", idIn(path)).execute();

  const review = (await browser.get(`${path}/place-order`)).text;
  expect(wordsOf(review)).toContain(rule.pincode[1]);
  await correct(browser, customer, review);
  const after = (await browser.get(`${path}/place-order`)).text;
  expect(wordsOf(after)).not.toContain("can't be invoiced");
});

test("names the owner to a buyer who cannot correct them, and offers no payment", async () => {
  const { customer, held } = await companyWith("pincode");
  const buyer = await makePerson(db);
  await join(db, customer.customerId, buyer, "buyer");
  const browser = await signedIn(context, stack.url, buyer);
  const path = await begin(browser, "RENEW", held);
  const review = wordsOf((await browser.get(`${path}/place-order`)).text);
  expect(review).toContain("Only an owner of your company can correct them, on the Company page.");
  expect(review).not.toContain("Correct the billing details");
});

test("redirects from the other ways to pay to the review, which shows the error", async () => {
  const { held, browser } = await companyWith("city");
  const path = await begin(browser, "RENEW", held);
  const answer = await browser.get(`/orders/${idIn(path)}/pay`);
  expect([answer.status, answer.location]).toEqual([302, `${path}/place-order`]);
});

test("refuses a quote, a link and a transfer for details that can't be invoiced", async () => {
  const { held, browser } = await companyWith("own GSTIN");
  const path = await begin(browser, "RENEW", held);
  const form = { terms: "on", total: String(await totalOf(path)) };
  for (const way of ["link", "transfer"]) {
    const answer = await browser.post(`/orders/${idIn(path)}/pay`, { intent: "place-order", way, ...form });
    expect([answer.status, answer.location]).toEqual([302, `${path}/place-order`]);
  }
  const quote = await browser.post(`${path}/place-order`, { intent: "quote" });
  expect([quote.status, wordsOf(quote.text)]).toEqual([409, expect.stringContaining("can't be invoiced")]);
  expect(await db.selectFrom("quotes").select("id").where("order_id", "=", idIn(path)).execute()).toEqual([]);
  expect(await intentsOf(path)).toEqual([]);
});
