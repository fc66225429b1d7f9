/** Sellers, terms and contacts: linked from every page's footer, in both languages, for every screen. */
import { expect, test } from "./fixtures.ts";
import { misfitsInLargeText } from "./pages/screen.ts";

const pages = [
  ["/about", "About us", "हमारे बारे में"],
  ["/terms", "Terms of sale", "बिक्री की शर्तें"],
  ["/refunds", "Refunds and cancellation", "रिफ़ंड और कैंसलेशन"],
  ["/privacy", "Privacy", "निजता (Privacy)"],
  ["/accessibility", "Accessibility", "सुगम्यता (Accessibility)"],
  ["/grievances", "Grievance contact", "शिकायत के लिए संपर्क (Grievance contact)"],
] as const;

for (const [path, english, hindi] of pages) {
  test(`${english} is linked from the footer and passes axe`, async ({ page, expectAccessible }) => {
    await page.goto("/login");
    await page.getByRole("contentinfo").getByRole("link", { name: english, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(english);
    await expectAccessible();
  });

  test.describe("in Hindi", () => {
    test.use({ locale: "hi-IN" });
    test(`${english} is in Hindi`, async ({ page, expectAccessible }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(hindi);
      await expectAccessible();
      expect(await misfitsInLargeText(page)).toEqual([]);
    });
  });

  test(`${english} fits a phone in large text`, async ({ page }) => {
    await page.goto(path);
    expect(await misfitsInLargeText(page)).toEqual([]);
  });
}

test("each country's seller and its grievance officer are named @keyboard", async ({ page }) => {
  await page.goto("/about");
  const main = page.getByRole("main");
  await expect(main).toContainText("29AABCH9876K1ZR");
  await expect(main).toContainText("00-0000000");
  await page
    .getByRole("navigation", { name: "See also" })
    .getByRole("link", { name: "Grievance contact" })
    .click();
  await expect(main).toContainText("Kavya Rao");
  await expect(main).toContainText("Laura Chen");
  await expect(main.getByRole("link", { name: "+91 00000 00101" })).toHaveAttribute(
    "href",
    "tel:+910000000101",
  );
});

test("the terms link to the page about refunds", async ({ page }) => {
  await page.goto("/terms");
  await expect(page.getByRole("main")).toContainText("You may cancel within 7 days for a prorated refund.");
  await page.getByRole("main").getByRole("paragraph").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Refunds and cancellation");
});
