/** An order that waits for a bank transfer says so to its buyer and staff, so that nobody pays it twice. */
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { startStore } from "#tests/support/store.ts";
import { toTransfer } from "#tests/support/transfer.ts";

const { stack, context } = await startStore();
const { db } = context;

async function waiting() {
  const order = await toTransfer(stack.url);
  const { valid_until } = await db
    .selectFrom("proformas")
    .select("valid_until")
    .where("order_id", "=", order.id)
    .executeTakeFirstOrThrow();
  return { ...order, until: formatDate(valid_until, "IN", "en") };
}

const wordsAt = async ({ browser }: Awaited<ReturnType<typeof waiting>>, path: string) =>
  wordsOf(mainContentOf((await browser.get(path)).text));

test("links the bank details from the cart before Place Order", async () => {
  const order = await waiting();
  expect(await wordsAt(order, paths.cart())).toContain(`Waits for your transfer, until ${order.until}`);
  const main = mainContentOf((await order.browser.get(paths.cart())).text);
  const buttons = [...main.matchAll(/<a class="button" href="([^"]*)"/g)].map(([, href]) => href);
  expect(buttons).toEqual([paths.proforma(order.id)]);
  // In the row's menu.
  expect(main).toContain(`<a href="${order.path}"`);
});

test("appears in My Orders although it is not paid", async () => {
  const order = await waiting();
  const words = await wordsAt(order, paths.myOrders());
  expect(words).toContain(
    `Microsoft 365 Business Basic, ₹3,880: Waits for your transfer, until ${order.until}`,
  );
  expect(words).toContain("Orders not found.");
});

test("shows a notice above the review's button", async () => {
  const order = await waiting();
  const words = await wordsAt(order, `${order.path}/place-order`);
  const said = words.indexOf(`Waits for your transfer, until ${order.until}. If you've already sent it`);
  expect(said).toBeGreaterThan(0);
  expect(words.indexOf("Place Order · Pay")).toBeGreaterThan(said);
});

test("shows the past tense once the proforma has expired", async () => {
  const order = await waiting();
  await db
    .updateTable("proformas")
    .set({ valid_until: new Date(Date.now() - 86_400_000) })
    .where("order_id", "=", order.id)
    .execute();
  expect(await wordsAt(order, paths.cart())).toContain("Waited for your transfer until ");
});

test("hides the notice once no transfer is expected", async () => {
  const order = await waiting();
  await db
    .updateTable("payment_intents")
    .set({ status: "superseded" })
    .where("order_id", "=", order.id)
    .execute();
  for (const path of [paths.cart(), paths.myOrders(), `${order.path}/place-order`])
    expect(await wordsAt(order, path)).not.toMatch(/Wait(s|ed) for your transfer/);
});

test("shows the notice in the order's state in the Desk", async () => {
  const order = await waiting();
  const desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
  for (const path of [paths.deskOrder(order.id), paths.deskOrders({ search: order.email })])
    expect(wordsOf((await desk.get(path)).text)).toContain("waits for a bank transfer");
});
