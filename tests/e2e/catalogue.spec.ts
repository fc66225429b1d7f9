/** Finding a plan: the catalogue of each family and country, and search. */
import { expect, test } from "./fixtures.ts";

test("the catalogue shows each family in each country", async ({ page, shop }) => {
  const { home } = shop;
  await home.open();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "What will it cost?",
    "Featured Services",
    "Other Services",
    "Add-On Services",
    "Frequently asked questions",
    "Talk to us first",
  ]);
  await expect(home.card("Microsoft Teams Essentials")).toContainText(
    "Starting at List price ₹100 ₹79 / Monthly",
  );
  await home.choose("Google");
  await expect(home.card("Google Workspace Business Starter")).toContainText("₹161 / Monthly");
  await home.choose("USA ($)");
  await expect(home.card("Google Workspace Business Starter")).toContainText("$5.60 / Monthly");
});

test("a search replaces the previous one, and a slow one shows a spinner", async ({ page, shop }) => {
  const { search, home } = shop;
  await home.open();
  await search.search("exchange");
  await expect(search.heading).toHaveText("Results for “exchange”");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/icon.svg", async (route) => {
    await held;
    await route.continue();
  });
  const form = page.getByRole("search").locator("form[data-overlay]").first();
  const overlay = () => form.evaluate((element) => getComputedStyle(element, "::after").content);
  expect(await overlay()).toBe("none");
  await search.search("teams");
  await expect(form.getByRole("status")).toHaveText("Searching…");
  expect(await overlay()).toBe('""');
  answer();
  await expect(search.heading).toHaveText("Results for “teams”");
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test("search tolerates a typo, has pages and leads to the order @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { search } = shop;
  await shop.home.open();
  await search.search("exchang");
  await expect(search.heading).toHaveText("Results for “exchang”");
  await expect(search.results.first()).toContainText("Exchange Online");
  await search.search("exchagne");
  await expect(search.heading).toHaveText("Results for “exchagne”");
  await expect(search.results.first()).toContainText("Exchange Online");
  await search.search("microsoft");
  await expect(search.heading).toHaveText("Results for “microsoft”");
  await expect(search.results).toHaveCount(3);
  await search.pager.getByRole("link", { name: "Next" }).click();
  await expect(search.pager.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", /.+/);
  await expectAccessible();
  await search.results.first().getByRole("link", { name: "Buy Now" }).click();
  await expect(shop.details.heading).toBeVisible();
  await search.search("zzzzqqqq");
  await expect(page.getByText("No results.")).toBeVisible();
  await expectAccessible();
});
