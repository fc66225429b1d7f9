/** Effort of a purchase on a phone: taps and typed fields from Buy Now to Place Order. */
import type { Page } from "playwright/test";
import { expect, test } from "./fixtures.ts";
import { type Account, newAccount } from "./pages/account-step.ts";
import type { Shop } from "./pages/shop.ts";

interface Effort {
  taps: number;
  fields: number;
}

/** Counts from now on, over every page: presses on anything, and each field of each page that is typed into. */
async function counting(page: Page): Promise<() => Promise<Effort>> {
  const taps: string[] = [];
  const fields = new Set<string>();
  await page.exposeFunction("tapped", (what: string) => taps.push(what));
  await page.exposeFunction("typed", (where: string) => fields.add(where));
  await page.addInitScript(() => {
    const recordClick = (name: string, what: string) => Reflect.get(window, name)(what);
    addEventListener("click", ({ isTrusted, target }) => {
      // A label presses its input automatically.
      if (
        isTrusted &&
        target instanceof Element &&
        target.closest("label, a, button, input, select, summary")
      )
        recordClick("tapped", target.textContent?.slice(0, 40) ?? "");
    });
    addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type))
        recordClick("typed", `${location.pathname.split("/").at(-1)} ${target.name}`);
    });
  });
  return async () => ({ taps: taps.length, fields: fields.size });
}

const phone = { width: 360, height: 740 };

/** Buys, from the plan's card on the home page to the press of Place Order. */
async function buy(shop: Shop, address: (account: Account) => Promise<void>): Promise<Effort> {
  const { page } = shop;
  await page.setViewportSize(phone);
  const effort = await counting(page);
  await shop.home.open();
  await shop.home.buyNow("Microsoft 365 Business Standard");
  await shop.details.quantity.fill("17");
  await shop.details.next();
  await shop.expectStep("account");
  await address(newAccount("IN"));
  await shop.account.next();
  await shop.expectStep("placeOrder");
  await shop.placeOrder.place();
  await shop.checkout.open();
  return effort();
}

test("17 licences with a GSTIN take at most 8 taps and 6 typed fields", async ({ shop }) => {
  const { taps, fields } = await buy(shop, async ({ firstName, lastName, email, phoneNumber }) => {
    await shop.account.address.byGst("29AABCB1234C1ZA");
    await expect(shop.page.getByText("BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED")).toBeVisible();
    await expect(shop.account.field("companyName")).toBeHidden();
    await shop.account.fill({ firstName, lastName, email, phoneNumber });
  });
  expect(fields).toBe(6);
  expect(taps).toBeGreaterThan(3);
  expect(taps).toBeLessThanOrEqual(8);
});

test("a customer buys more in 4 taps and types only the number", async ({ shop }) => {
  const { page, home, details, placeOrder, checkout } = shop;
  const customer = await shop.becomeCustomer({ country: "IN" });
  await page.setViewportSize(phone);
  const effort = await counting(page);
  await home.open();
  await home.buyNow("Microsoft 365 Business Standard");
  await expect(details.destination(customer.domain)).toBeChecked();
  await details.quantity.fill("17");
  await details.next();
  await shop.expectStep("placeOrder");
  await placeOrder.place();
  await checkout.open();
  expect(await effort()).toEqual({ taps: 4, fields: 1 });
});

test("17 licences with a manual address take at most 11 typed fields", async ({ shop }) => {
  const { fields } = await buy(shop, async (account) => {
    await shop.account.address.manually();
    await shop.account.fill(account);
  });
  expect(fields).toBeLessThanOrEqual(11);
});

test("details from the register can be corrected manually", async ({ shop, expectAccessible }) => {
  await shop.reachAccount({ country: "IN" });
  await shop.account.address.byGst("29AABCB1234C1ZA");
  await expectAccessible();
  const { firstName, lastName, email, phoneNumber } = newAccount("IN");
  await shop.account.fill({ addressLine1: "221 Lakeview", firstName, lastName, email, phoneNumber });
  await shop.account.next();
  await shop.expectStep("placeOrder");
  await expect(shop.placeOrder.soldTo).toContainText("221 Lakeview");
});
