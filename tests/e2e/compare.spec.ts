/** Comparing plans and choosing one: on a desktop and on a phone, with and without scripts. */
import { expect, test } from "./fixtures.ts";
import { ComparePage } from "./pages/compare.ts";
import { misfitsInLargeText, widerThanScreen } from "./pages/screen.ts";

const phone = { width: 360, height: 740 };

test("a desktop shows all plans, each with a link to its order", async ({ page, shop, expectAccessible }) => {
  const compare = new ComparePage(page);
  await shop.home.open();
  await page.getByRole("link", { name: "Compare these plans" }).click();
  await expect(compare.heading).toHaveText("Compare Microsoft 365 plans");
  await expect(compare.row("Per month, from")).toContainText(["₹137", "₹729", "₹1,733", "₹79"]);
  await expect(compare.show).toBeHidden();
  expect(await widerThanScreen(page)).toBe(0);
  await expectAccessible();
  await compare.plan("Microsoft 365 Business Standard").getByRole("link").click();
  await expect(page).toHaveURL(/\/order\/microsoft\/microsoft-365-business-standard\/IN/);
});

test("names of rows and plans stay visible during scrolling", async ({ page }) => {
  const compare = new ComparePage(page);
  await compare.open();
  const name = page.getByRole("rowheader", { name: "Desktop apps" });
  const before = await name.boundingBox();
  await compare.plan("Office 365 E1").scrollIntoViewIfNeeded();
  await expect(compare.plan("Office 365 E1")).toBeInViewport();
  expect((await name.boundingBox())?.x).toBe(before?.x);
  await compare.table.locator("xpath=..").evaluate((frame) => {
    frame.scrollIntoView();
    frame.scrollTop = frame.scrollHeight;
  });
  await expect(page.getByRole("rowheader", { name: "Seats" })).toBeInViewport();
  await expect(compare.plan("Office 365 E1")).toBeInViewport();
});

test("a phone shows the two chosen plans @keyboard", async ({ page, expectAccessible }) => {
  await page.setViewportSize(phone);
  const compare = new ComparePage(page);
  await compare.open();
  await expect(compare.row("Desktop apps")).toHaveCount(2);
  await compare.chooseTwo("Microsoft 365 Business Premium", "Microsoft Teams Essentials");
  await expect(compare.row("Per month, from")).toHaveText(["₹1,733", "₹79"]);
  await expect(compare.plan("Microsoft 365 Business Basic")).toBeHidden();
  const apps = compare.row("Web and mobile apps").filter({ visible: true }).first();
  await expect(apps.locator("svg")).toBeVisible();
  await expect(apps).toContainText("Included");
  await page.getByRole("rowheader", { name: "Seats" }).scrollIntoViewIfNeeded();
  await expect(compare.plan("Microsoft Teams Essentials")).toBeInViewport({ ratio: 1 });
  expect(await widerThanScreen(page)).toBe(0);
  await expectAccessible();
});

test("a visitor compares each family in each country", async ({ page }) => {
  const compare = new ComparePage(page);
  await compare.open();
  await page.getByRole("main").getByRole("link", { name: "Google", exact: true }).click();
  await expect(compare.heading).toHaveText("Compare Google Workspace plans");
  await page.getByRole("main").getByRole("link", { name: "USA ($)" }).click();
  await expect(compare.row("Per month, from").first()).toHaveText("$5.60");
  await page.getByRole("main").getByRole("link", { name: "brio", exact: true }).click();
  await expect(compare.heading).toHaveText("Compare brio plans");
});

test("three answers lead to a plan, its order and the comparison @keyboard @journey", async ({
  page,
  expectAccessible,
}) => {
  const compare = new ComparePage(page);
  await compare.open();
  await page.getByRole("link", { name: "Answer three questions" }).click();
  await expectAccessible();
  await compare.answer(
    "In desktop apps",
    "Email on our domain, and online meetings",
    "Advanced protection for computers and phones",
  );
  await compare.expectAdvice("Microsoft 365 Business Premium");
  await expect(page.getByRole("main")).toContainText("advanced protection for computers and phones");
  await expectAccessible();
  await page.getByRole("link", { name: "Compare with other plans" }).click();
  await expect(compare.plan("Microsoft 365 Business Premium")).toContainText("Best match");
  await expectAccessible();
  await page.goBack();
  await page.getByRole("link", { name: /Buy Now.*Business Premium/ }).click();
  await expect(page).toHaveURL(/microsoft-365-business-premium\/IN/);
});

test("missing answers in a URL are asked for", async ({ page }) => {
  await page.goto("/choose?service=google&mail=here");
  await expect(page.getByRole("alert")).toHaveText("Please answer all three questions.");
  await expect(page.getByRole("radio", { name: "On our domain, in this plan" })).toBeChecked();
});

test.describe("in Hindi", () => {
  test.use({ locale: "hi-IN" });
  test("compares plans and gives advice", async ({ page, expectAccessible }) => {
    await page.goto("/compare");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Microsoft 365 प्लान की तुलना");
    await expectAccessible();
    await page.goto("/choose?documents=browser&talking=both&protection=usual");
    await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(
      "हमारा सुझाव: Microsoft 365 Business Basic",
    );
    await expectAccessible();
  });
});

for (const [name, address] of [
  ["the comparison", "/compare"],
  ["the questions", "/choose"],
  ["the advice", "/choose?documents=desktop&talking=both&protection=devices"],
] as const) {
  for (const locale of ["en-GB", "hi-IN"]) {
    test.describe(`in ${locale}`, () => {
      test.use({ locale });
      test(`${name} fits a phone in large text`, async ({ page }) => {
        await page.goto(address);
        expect(await misfitsInLargeText(page)).toEqual([]);
      });
    });
  }
}
