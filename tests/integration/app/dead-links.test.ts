/** Mailed order links that no longer work: the page explains what to do next without revealing the buyer. */
import { expect, test } from "vitest";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { newToken } from "#server/foundation/security/token.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { toReview } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

async function buyerWithLink(ttlSeconds = 60) {
  const browser = new HttpBrowser(stack.url);
  const { id, email } = await toReview(browser);
  const { user_id: userId } = await readOrder(db, id);
  if (userId === null) throw new Error("Expected the order to have a buyer");
  const token = await mintToken(db, { purpose: "resume-order", userId, orderId: id, ttlSeconds });
  return { browser, email, token };
}

test("shows the same page for any dead link and leads to the orders after login", async () => {
  const used = await buyerWithLink();
  expect((await new HttpBrowser(stack.url).post(`/resume/${used.token}`, {})).status).toBe(303);
  const over = await buyerWithLink(-1);
  const good = await buyerWithLink();
  const stranger = (await buyerWithLink()).browser;
  const visitor = new HttpBrowser(stack.url);
  const answers = [
    await visitor.get(`/resume/${newToken()}`),
    await visitor.get(`/resume/${used.token}`),
    await used.browser.get(`/resume/${used.token}`),
    await visitor.get(`/resume/${over.token}`),
    await visitor.get("/resume/short"),
    await visitor.get(`/resume/${good.token.slice(0, -8)}`),
    await stranger.get(`/resume/${good.token}`),
    await visitor.post(`/resume/${used.token}`, {}),
    await visitor.post("/resume/short", {}),
    await stranger.post(`/resume/${good.token}`, {}),
  ];
  const [first] = answers;
  for (const { status, text } of answers) {
    expect(status).toBe(404);
    expect(mainContentOf(text)).toBe(mainContentOf(first?.text ?? ""));
    for (const email of [used.email, over.email, good.email]) expect(text).not.toContain(`>${email}<`);
  }
  const words = mainContentOf(first?.text ?? "");
  expect(words).toContain("This link no longer works");
  for (const way of ["/cart", "/myorders", "/forgot-password"]) expect(words).toContain(`href="${way}"`);
  expect((await visitor.get("/cart")).location).toBe("/login?next=%2Fcart");
  // It still works for its recipient.
  expect((await visitor.post(`/resume/${good.token}`, {})).status).toBe(303);
});
