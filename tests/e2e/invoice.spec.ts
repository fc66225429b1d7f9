/** A buyer's invoice: from the closure page to print and PDF, on any screen. */
import { expect, test } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { widerThanScreen } from "./pages/screen.ts";

test("a buyer reads, prints and downloads the invoice of a purchase @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { companyName } = await shop.reachPlaceOrder({ country: "IN", family: "brio", plan: "brio-desk" });
  await shop.placeOrder.place();
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("closure");
  await page.getByRole("link", { name: "Invoice", exact: true }).click();

  const invoice = new InvoicePage(page);
  await expect(invoice.heading).toHaveText("Tax Invoice");
  await expect(invoice.sheet).toContainText(companyName);
  await expect(invoice.sheet).toContainText(/IN\/\d\d-\d\d\/\d{6}/);
  await expectAccessible();
  expect(await invoice.fileName()).toMatch(/^invoice-IN-\d\d-\d\d-\d{6}\.pdf$/);

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);
  await expectAccessible();

  await page.emulateMedia({ media: "print" });
  await expect(invoice.sheet).toBeVisible();
  await expect(invoice.download).toBeHidden();
  await expect(page.getByRole("banner")).toBeHidden();
});

test("a late purchase order number leads to a corrected invoice, named on the old one", async ({
  page,
  shop,
  expectAccessible,
}) => {
  await shop.reachPlaceOrder({ country: "IN", family: "brio", plan: "brio-desk" });
  await shop.placeOrder.place();
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("closure");
  await page.getByRole("link", { name: "Correct the invoice" }).click();
  await expect(page.getByText("nothing to pay and no refund")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);
  await expectAccessible();
  await page.getByLabel("Purchase order number").fill("PO/2026-88");
  await page.getByRole("button", { name: "Issue the corrected invoice" }).click();

  const invoice = new InvoicePage(page);
  await expect(page.getByText(/replaces IN\/\d\d-\d\d\/\d{6}/)).toBeVisible();
  await expect(invoice.sheet).toContainText("PO/2026-88");
  await expect(invoice.sheet).toContainText("Replaces");
  await expectAccessible();
  expect(await invoice.pdf()).toContain("PO/2026-88");

  await page.getByRole("link", { name: "My Orders" }).first().click();
  await page.getByRole("button", { name: "Details" }).first().click();
  await page.getByRole("dialog").getByRole("link", { name: "Credit note for correction" }).click();
  await expect(invoice.heading).toHaveText("Credit Note");
  await expect(invoice.sheet).toContainText("No money is refunded");
  await page.goto("/documents");
  await page
    .getByText(/Replaced by IN/)
    .locator("xpath=ancestor::tr")
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByText(/replaced by invoice IN/)).toBeVisible();
  await expect(invoice.sheet).not.toContainText("PO/2026-88");
});
