/**
 * A company's rules for its orders (docs/decisions/quotes.md#company-rules): for every payer and payment method, an order above them waits for the yes of
 * another permitted member, for exactly the displayed order.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CustomerId, OrderId } from "#db/ids.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  type OrderPlace,
  toReview,
  totalOnReview,
} from "#tests/support/journey.ts";
import { join, makePerson, type Person, signedIn } from "#tests/support/orders.ts";
import { makeQuoteOf, sendQuote } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

let customerId: CustomerId;
let owner: HttpBrowser;
let people: Record<"owner" | "buyer" | "other" | "approver", Person>;

async function member(role: MemberRole): Promise<Person> {
  const person = await makePerson(db);
  await join(db, customerId, person, role);
  return person;
}

/** Creates a company with an address through its first order. */
beforeAll(async () => {
  const first = new HttpBrowser(stack.url);
  const { id } = await toReview(first);
  const order = await findOrder(db, id);
  if (order?.customerId == null) throw new Error("Expected a company");
  ({ customerId } = order);
  people = {
    owner: await member("owner"),
    buyer: await member("buyer"),
    other: await member("owner"),
    approver: await member("approver"),
  };
  owner = await signedIn(context, stack.url, people.owner);
});

const rules = (approvalAbove: string, more: Record<string, string> = {}) =>
  owner.post(paths.members(), { intent: "rules", approvalAbove, ...more });
const limits = (perOrder: string, perMonth: string) =>
  owner.post(paths.members(), { intent: "limits", member: people.buyer.userId, perOrder, perMonth });

beforeEach(async () => {
  await rules("");
  await limits("", "");
  await db
    .updateTable("orders")
    .set({ removed_at: new Date() })
    .where("customer_id", "=", customerId)
    .execute();
});

type PlacedOrder = OrderPlace & { browser: HttpBrowser; totalMinor: number };

/** Brings a member's order to Place Order: 4 licences cost ₹7,760. */
async function placeOrder(by: Person, quantity = 4): Promise<PlacedOrder> {
  const browser = await signedIn(context, stack.url, by);
  const order = await beginOrder(browser, { quantity });
  const account = await browser.post(`${order.path}/create-account`, accountForm(by.email));
  if (account.location !== `${order.path}/place-order`)
    throw new Error(`Create Account responded ${account.status} ${account.location} ${account.text}`);
  const stored = await findOrder(db, order.id);
  return { ...order, browser, totalMinor: stored?.total.minor ?? 0 };
}

const place = ({ browser, path, totalMinor }: PlacedOrder) =>
  browser.post(`${path}/place-order`, { intent: "place-order", terms: "on", total: String(totalMinor) });
const isPlaced = async ({ id }: { id: OrderId }) => (await findOrder(db, id))?.paymentStatus === "pending";

/** Asks an approver, who approves through the link. */
async function approvedBy(order: PlacedOrder, { email }: Pick<Person, "email">): Promise<void> {
  const quoteId = await makeQuoteOf(order.browser, order);
  const link = await sendQuote(db, order.browser, quoteId, { kind: "approve", email });
  const reader = new HttpBrowser(stack.url);
  const hash = hiddenFieldValue((await reader.get(link)).text, "hash");
  const answer = await reader.post(link, { intent: "approved", hash });
  if (answer.status !== 303) throw new Error(`Approve responded ${answer.status}: ${answer.text}`);
}

describe("an order above the amount", () => {
  beforeEach(() => rules("7,000"));

  test("waits for approval, offers to ask for it, and then accepts any payment", async () => {
    const order = await placeOrder(people.buyer);
    const review = await order.browser.get(`${order.path}/place-order`);
    expect(review.text).toContain("orders above ₹7,000 need approval first");
    expect(review.text).toContain("Ask for approval");
    expect(review.text).not.toContain("Place Order ·");
    const refused = await place(order);
    expect(refused.status).toBe(409);
    const byTransfer = await order.browser.post(paths.payAnotherWay(order.id), {
      intent: "place-order",
      terms: "on",
      total: String(order.totalMinor),
      way: "transfer",
    });
    expect(byTransfer.status).toBe(409);
    expect(await isPlaced(order)).toBe(false);

    await approvedBy(order, people.approver);
    expect((await order.browser.get(`${order.path}/place-order`)).text).toContain("Place Order ·");
    expect((await place(order)).status).toBe(303);
    expect(await isPlaced(order)).toBe(true);
  });

  test("names possible approvers on its quote, and ignores a stranger's approval", async () => {
    const order = await placeOrder(people.buyer);
    const quoteId = await makeQuoteOf(order.browser, order);
    const page = await order.browser.get(paths.quote(quoteId));
    for (const { email } of [people.approver, people.owner, people.other]) expect(page.text).toContain(email);
    await approvedBy(order, { email: freshEmail() });
    expect((await place(order)).status).toBe(409);
  });

  test("needs a new approval after a change", async () => {
    const order = await placeOrder(people.buyer);
    await approvedBy(order, people.approver);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" });
    const changed = { ...order, totalMinor: (await findOrder(db, order.id))?.total.minor ?? 0 };
    expect((await place(changed)).status).toBe(409);
    await approvedBy(changed, people.approver);
    expect((await place(changed)).status).toBe(303);
  });

  test("loses the approval of a member who may no longer approve", async () => {
    const former = await member("approver");
    const order = await placeOrder(people.buyer);
    await approvedBy(order, former);
    await owner.post(paths.members(), { intent: "change-role", member: former.userId, role: "viewer" });
    expect((await place(order)).status).toBe(409);
  });

  test("needs approval for an owner only if the rule says so, and not by that owner", async () => {
    expect((await place(await placeOrder(people.owner))).status).toBe(303);
    await rules("7000", { includesOwners: "on" });
    const order = await placeOrder(people.owner);
    await approvedBy(order, people.owner);
    expect((await place(order)).status).toBe(409);
    await approvedBy(order, people.other);
    expect((await place(order)).status).toBe(303);
  });

  test("does not apply below the amount", async () => {
    expect((await place(await placeOrder(people.buyer, 3))).status).toBe(303);
  });

  test("refuses a payer's link before approval", async () => {
    const order = await placeOrder(people.buyer);
    const quoteId = await makeQuoteOf(order.browser, order);
    const link = await sendQuote(db, order.browser, quoteId, { kind: "pay", email: freshEmail() });
    const payer = new HttpBrowser(stack.url);
    const hash = hiddenFieldValue((await payer.get(link)).text, "hash");
    const early = await payer.post(link, { intent: "checkout", hash });
    expect(early.status).toBe(409);
    expect(early.text).toContain("need approval first");
    await approvedBy(order, people.approver);
    expect((await payer.post(link, { intent: "checkout", hash })).status).toBe(303);
  });
});

describe("a limit of a buyer", () => {
  test("limits each order", async () => {
    await limits("7000", "");
    const order = await placeOrder(people.buyer);
    expect((await place(order)).text).toContain("per order, so it needs approval first");
    await approvedBy(order, people.approver);
    expect((await place(order)).status).toBe(303);
  });

  test("limits a month: one of two concurrent orders continues", async () => {
    await limits("", "10000");
    const both = [await placeOrder(people.buyer), await placeOrder(people.buyer)];
    const answers = await Promise.all(both.map(place));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.text).toContain("With ₹7,760 already ordered this month");
  });

  test("counts approved orders, but not orders removed from the cart", async () => {
    await limits("", "10000");
    const first = await placeOrder(people.buyer);
    await approvedBy(first, people.approver);
    const second = await placeOrder(people.buyer);
    expect((await place(second)).status).toBe(409);
    await first.browser.post("/cart", { intent: "remove", order: first.id });
    expect((await place(second)).status).toBe(303);
  });
});

describe("the rules form", () => {
  test("takes an amount from owners, and shows it to all members", async () => {
    const wrong = await rules("a lot");
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Enter an amount such as 50000");
    expect((await rules("50,000.50")).status).toBe(303);
    const approver = await signedIn(context, stack.url, people.approver);
    const page = await approver.get(paths.members());
    expect(page.text).toContain("Orders above ₹50,000.50 need approval.");
    expect(page.text).not.toContain('name="approvalAbove"');
    for (const person of [people.approver, people.buyer]) {
      const browser = await signedIn(context, stack.url, person);
      expect((await browser.post(paths.members(), { intent: "rules", approvalAbove: "" })).status).toBe(403);
      const limit = { intent: "limits", member: people.buyer.userId, perOrder: "", perMonth: "" };
      expect((await browser.post(paths.members(), limit)).status).toBe(403);
    }
  });

  test("lets an approver read and approve, but not place orders", async () => {
    const order = await placeOrder(people.buyer);
    const approver = await signedIn(context, stack.url, people.approver);
    const quoteId = await makeQuoteOf(order.browser, order);
    expect((await approver.get(paths.quote(quoteId))).status).toBe(200);
    expect((await approver.get(`${order.path}/place-order`)).status).toBe(404);
    expect((await approver.post(paths.orderQuote(order.id), {})).status).toBe(404);
    expect(await totalOnReview(order.browser, order)).toBe(order.totalMinor);
  });
});
