/** A country without the partner account that a family needs is closed for it: pages say so and no order begins. */
import { expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { partnerSettingsOf } from "#server/platform/settings/accounts.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { startStore } from "#tests/support/store.ts";

const closedSettings = Object.fromEntries(Object.values(partnerSettingsOf("US")).map((name) => [name, ""]));
const { stack, context } = await startStore({ env: closedSettings });

const words = "We don&#x27;t sell Microsoft 365 in the USA yet. We sell it in India today.";
const plan = { family: "microsoft", item: "microsoft-365-business-standard" };

async function textAt(path: string) {
  const response = await fetch(`${stack.url}${path}`);
  return { status: response.status, text: await response.text() };
}
const orders = async () =>
  (await context.db.selectFrom("orders").select("id").where("country", "=", "US").execute()).length;

test("shows that the country is closed in the catalogue and offers nothing to buy", async () => {
  const closed = await textAt(paths.home({ service: "microsoft", country: "US" }));
  expect(closed.status).toBe(200);
  expect(closed.text).toContain(words);
  expect(closed.text).not.toContain("Buy Now");
  for (const open of [
    { service: "microsoft", country: "IN" },
    { service: "google", country: "US" },
  ] as const) {
    const { text } = await textAt(paths.home(open));
    expect(text).not.toContain("We don&#x27;t sell");
    expect(text).toContain("Buy Now");
  }
});

test("replaces the first step's form with a notice and omits it from the sitemap", async () => {
  const step = paths.newOrder({ ...plan, country: "US" });
  const closed = await textAt(step);
  expect(closed.status).toBe(200);
  expect(closed.text).toContain(words);
  expect(closed.text).not.toContain('name="quantity"');
  const sitemap = await textAt("/sitemap.xml");
  expect(sitemap.text).not.toContain(step);
  expect(sitemap.text).toContain(paths.newOrder({ ...plan, country: "IN" }));
});

test("refuses a post and a call with the same message and begins no order", async () => {
  const browser = new HttpBrowser(stack.url);
  const posted = await browser.post(paths.newOrder({ ...plan, country: "US" }), {
    term: "P1Y",
    quantity: "3",
  });
  expect(posted.status).toBe(409);
  const called = await fetch(`${stack.url}/subscriptiondetails`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ count: 3, sku_id: plan.item, country: "US" }),
  });
  expect(called.status).toBe(409);
  expect(await called.text()).toContain(words.replace("&#x27;", "'"));
  expect(await orders()).toBe(0);
});

test("throws rather than use another country's account", () => {
  expect(() => context.partnerCenterOf("US")).toThrow("no_account");
});

test("keeps the accounts at vendors out of the health check", async () => {
  const { status, text } = await textAt("/health");
  expect([status, JSON.parse(text)]).toEqual([200, { ok: true }]);
});
