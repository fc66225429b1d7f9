/**
 * The purchase at the end of a recipe, run in the copy of the store that followed the recipe (recipes.drill.ts): ordered without
 * scripts, paid in the sandbox, fulfilled by a worker, and invoiced.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import { returnForm } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

/** The order, its buyer, and the expected texts on its invoice; passed in the environment. */
const recipe = z
  .object({
    family: z.string(),
    item: z.string(),
    country: z.string(),
    /** Settings of the store that the recipe requires. */
    settings: z.record(z.string(), z.string()).optional(),
    account: z.record(z.string(), z.string()),
    onInvoice: z.array(z.string()),
  })
  .parse(JSON.parse(process.env.RECIPE ?? "null"));

const { stack, controls } = await startStore({
  worker: true,
  ...(recipe.settings && { env: recipe.settings }),
});

test("sells the item: payment, fulfilment and invoice succeed", async () => {
  const { family, item, country, account, onInvoice } = recipe;
  const browser = new HttpBrowser(stack.url);
  const begun = await browser.post(`/order/${family}/${item}/${country}`, { term: "P1Y", quantity: "3" });
  const path = (begun.location ?? "").replace(/\/create-account$/, "");
  expect(path, begun.text).toMatch(/^\/order\/[0-9a-f-]{36}\//);

  const form = {
    intent: "account",
    companyName: "Acme Trading",
    email: "recipe@example.com",
    firstName: "Amal",
    lastName: "Haddad",
    addressLine1: "1 Harbour Road",
    addressLine2: "Floor 2",
    country,
    gst_code: "",
    ...account,
  };
  const known = await browser.post(`${path}/create-account`, form);
  expect(known.location, known.text).toBe(`${path}/place-order`);

  const review = await browser.get(`${path}/place-order`);
  const total = hiddenFieldValue(review.text, "total");
  const placed = await browser.post(`${path}/place-order`, { intent: "place-order", terms: "on", total });
  expect(placed.status, placed.text).toBe(303);
  const providerOrderId = hiddenFieldValue((await browser.get(`${path}/place-order`)).text, "order_id");
  const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
  const returned = await browser.post("/payments/return", returnForm(providerOrderId, paid));
  expect(returned.location, returned.text).toMatch(new RegExp(`^${path}/`));

  await until("the order is fulfilled", async () => {
    const page = await browser.get(`${path}/order-processed`);
    return page.status === 200 && page.text.includes("Welcome Onboard!");
  });
  const invoice = await browser.get(`/orders/${path.split("/")[2]}/invoice`);
  expect(invoice.status).toBe(200);
  for (const words of onInvoice) expect(invoice.text).toContain(words);
  expect(stack.unexpectedErrors()).toEqual([]);
});
