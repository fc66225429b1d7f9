/** Heights of fields and buttons, links of the steps, rows of a company, and sticky elements in a low window. */
import type { Page } from "playwright/test";
import { expect, test } from "./fixtures.ts";

/** Visible fields and buttons of forms that are not 48 px high, and parts of the page that are wider than its window. */
function misfits(page: Page): Promise<string[]> {
  return page.getByRole("main").evaluate((main) => {
    const controls = main.querySelectorAll<HTMLElement>(
      "form :is(button, .button, select, input):not([type=hidden], [type=radio], [type=checkbox], .visually-hidden, .tall, .stepper > *), form .stepper",
    );
    const wrong = [...controls].flatMap((control) => {
      const { height } = control.getBoundingClientRect();
      const hasOneLine = control.textContent.length < 25;
      return height === 0 || Math.abs(height - 48) < 0.6 || (height > 48 && !hasOneLine)
        ? []
        : [`${control.outerHTML.slice(0, 120)}: ${height}`];
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [...wrong, `${scrollWidth} px wide`] : wrong;
  });
}

for (const width of [320, 360, 1280]) {
  test(`fields and buttons of a form are 48 px high at ${width} px @without-scripts`, async ({
    page,
    shop,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/login");
    expect(await misfits(page)).toEqual([]);
    await shop.details.open("microsoft-365-business-basic", "US");
    expect(await misfits(page)).toEqual([]);
    await shop.reachAccount({ country: "US" });
    expect(await misfits(page)).toEqual([]);
  });
}

test("circle and title of a step that can be opened are one link of 44 px", async ({ page, shop }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await shop.reachPlaceOrder({ country: "US" });
  const steps = page.getByRole("complementary", { name: "Your order" }).getByRole("listitem");
  await expect(steps).toHaveCount(5);
  for (const [number, isOpen] of [true, true, false, false, false].entries()) {
    const link = steps.nth(number).getByRole("link");
    await expect(link).toHaveCount(isOpen ? 1 : 0);
    if (!isOpen) continue;
    const whole = await steps.nth(number).boundingBox();
    const pressed = await link.boundingBox();
    expect(pressed?.height).toBeGreaterThanOrEqual(44);
    expect(pressed?.x).toBe(whole?.x);
    const circle = await link.evaluate((element) => getComputedStyle(element, "::before").borderRadius);
    expect(circle).toBe("50%");
  }
});

test("nothing is sticky in a window below 400 px high @without-scripts", async ({ page, shop }) => {
  const stuck = () =>
    page.evaluate(() =>
      [...document.body.querySelectorAll("*")]
        .filter((element) => ["sticky", "fixed"].includes(getComputedStyle(element).position))
        .filter((element) => element.checkVisibility())
        .map(({ tagName, className }) => `${tagName} ${className}`),
    );
  await page.setViewportSize({ width: 360, height: 740 });
  await shop.details.open("microsoft-365-business-basic", "US");
  expect((await stuck()).length).toBeGreaterThan(0);
  for (const height of [256, 399]) {
    await page.setViewportSize({ width: 320, height });
    expect(await stuck()).toEqual([]);
  }
});

test("actions of a billing address are next to it in a wide window @without-scripts", async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await shop.becomeOwner("IN");
  await page.goto("/company");
  const address = page.getByRole("region", { name: "Billing addresses" }).getByRole("listitem");
  const words = await address.getByText("Bengaluru").boundingBox();
  const row = await address.boundingBox();
  const edit = await address.getByRole("link", { name: /^Edit/ }).boundingBox();
  if (words === null || row === null || edit === null)
    throw new Error("A part of the row is not on the page");
  expect(edit.x).toBeGreaterThan(words.x + words.width);
  // At the end of the row, with only the card's padding after it.
  expect(row.x + row.width - (edit.x + edit.width)).toBeLessThan(40);
});
