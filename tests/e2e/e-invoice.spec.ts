/** A registered invoice and one without GST, as the buyer sees them: the page, and the downloaded PDF. */
import { expect, test } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { widerThanScreen } from "./pages/screen.ts";

const brio = { family: "brio", plan: "brio-desk" } as const;

test("a company in a special economic zone gets a registered invoice without GST", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { email } = await shop.reachPlaceOrder({
    country: "IN",
    ...brio,
    account: {
      companyName: "Silver Comet Software Pvt Ltd",
      registration: "29AAGCS5678Q1Z7",
      pincode: "560066",
    },
  });
  const why = page.getByText("No GST: your company is in a special economic zone");
  await expect(page.getByRole("paragraph").and(why)).toBeVisible();
  await shop.pay();
  await shop.expectStep("closure");
  await page.getByRole("link", { name: "Invoice", exact: true }).click();

  const invoice = new InvoicePage(page);
  await invoice.untilFinal();
  await expect(invoice.sheet).toContainText("GSTIN 29AAGCS5678Q1Z7");
  await expect(invoice.sheet).toContainText("SUPPLY TO SEZ UNIT OR SEZ DEVELOPER");
  await expect(invoice.sheet).not.toContainText(/CGST|IGST 18/);
  const code = page.getByRole("img", { name: "Signed QR code of the invoice registration portal" });
  await expect(code).toBeVisible();
  const right = async (element: typeof code) => {
    const box = await element.boundingBox();
    return box === null ? Number.NaN : box.x + box.width;
  };
  // Next to its numbers, not in the middle of the sheet.
  expect(await right(code)).toBe(await right(invoice.sheet.getByRole("table")));
  await expectAccessible();
  const number = /[0-9a-f]{64}/.exec((await invoice.sheet.textContent()) ?? "")?.[0] ?? "none";
  const file = (await invoice.pdf()).replaceAll(" ", "");
  expect(file).toContain(number);
  expect(file).toContain("LETTEROFUNDERTAKING");
  expect(file).toContain("Serviceperiod");

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);
  await shop.inbox.wait(email, /^Your invoice IN\/.* is ready$/);
});

test("an order with the seller in the USA has an invoice without any GST", async ({ page, shop }) => {
  await shop.reachPlaceOrder({ country: "US", ...brio });
  await shop.pay();
  await shop.expectStep("closure");
  await page.getByRole("link", { name: "Invoice", exact: true }).click();
  const invoice = new InvoicePage(page);
  await expect(invoice.heading).toHaveText("Invoice");
  for (const words of [(await invoice.sheet.textContent()) ?? "", await invoice.pdf()]) {
    expect(words).toContain("Hubs of Happiness Incorporated");
    expect(words).toContain("Service period");
    expect(words).not.toMatch(/GST|SAC|IRN|UNDERTAKING/);
  }
});
