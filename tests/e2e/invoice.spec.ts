/** A buyer's invoice: from the closure page to paper and file, on any screen. */
import { expect, test } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { widerThanScreen } from "./pages/screen.ts";

test("the invoice of a purchase is read, printed without the shop around it, and downloaded @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { companyName } = await shop.reachPlaceOrder({ country: "IN", family: "brio", plan: "brio-desk" });
  await shop.placeOrder.place();
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("closure");
  await page.getByRole("link", { name: "Invoice" }).click();

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
