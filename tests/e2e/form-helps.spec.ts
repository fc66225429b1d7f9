/** Help in forms for missing, refused and hidden input: checkboxes, free names and "Show". */
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { untilHydrated } from "./pages/checkout.ts";
import { newDomain } from "./pages/sign-in-step.ts";

test('a buyer ticks "none" for a line, last name or number @without-scripts', async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { account } = shop;
  await shop.reachAccount({ country: "US" });
  await account.fill(newAccount("US", { addressLine2: "", lastName: "", registration: "" }));
  const ticks = ["No second line", "No last name", "No EIN"].map((name) =>
    page.getByRole("checkbox", { name }),
  );
  for (const tick of ticks) await tick.check();
  await expectAccessible();
  await account.next();
  await shop.expectStep("placeOrder");
  await shop.openStep("account");
  for (const tick of ticks) await expect(tick).toBeChecked();
});

for (const width of [320, 1280]) {
  test(`a checkbox for an empty field is 8 px below it at ${width} px @without-scripts`, async ({
    page,
    shop,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await shop.reachAccount({ country: "US" });
    const places = await page.getByRole("checkbox", { name: /^No / }).evaluateAll((ticks) =>
      ticks.map((tick) => {
        const fields = (tick.closest(".row") ?? tick.closest("label"))?.previousElementSibling;
        const field = [...(fields?.querySelectorAll("input") ?? [])].at(-1)?.getBoundingClientRect();
        const { left, top } = tick.getBoundingClientRect();
        return field && { left: left - field.left, below: Math.round(top - field.bottom) };
      }),
    );
    expect(places).toEqual(Array.from({ length: 3 }, () => ({ left: 0, below: 8 })));
  });
}

test("a buyer whose name is taken at Microsoft picks a free one @both", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { signIn, closure } = shop;
  await shop.reachSignIn({ country: "US" });
  await signIn.newTenant("takenname", "boss");
  const offers = page.getByRole("group", { name: "These names are free." }).getByRole("button");
  await expect(offers).toHaveCount(3);
  await expectAccessible();
  const name = (await offers.nth(1).textContent()) ?? "";
  expect(name).toMatch(/^boss@[a-z0-9]+\.onmicrosoft\.com$/);
  await offers.nth(1).click();
  await shop.expectStep("closure");
  await expect(closure.username).toHaveText(name);
});

test("Enter in a refused name sends the typed name", async ({ page, shop }) => {
  const { signIn } = shop;
  await shop.reachSignIn({ country: "US" });
  await signIn.newTenant("takenname");
  await expect(page.getByRole("group", { name: "These names are free." })).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await signIn.prefix.fill("takenagain");
  await signIn.prefix.press("Enter");
  expect((await sent).postData()).toContain("prefix=takenagain");
});

test.describe("the password button", () => {
  test("shows the password while it is pressed in, and hides it before it is sent", async ({
    page,
    shop,
  }) => {
    await page.goto("/login");
    const password = page.getByLabel("Password", { exact: true });
    const show = page.getByRole("button", { name: "Show password" });
    expect((await password.boundingBox())?.height).toBe(48);
    await password.fill("a-Good-Pass-1");
    await expect(show).toHaveAttribute("aria-pressed", "false");
    await show.click();
    await expect(password).toHaveAttribute("type", "text");
    await expect(show).toHaveAttribute("aria-pressed", "true");
    await show.click();
    await expect(password).toHaveAttribute("type", "password");

    await shop.reachSignIn({
      family: "google",
      plan: "google-workspace-business-starter",
      country: "IN",
      domain: newDomain(),
    });
    await untilHydrated(shop.signIn.password);
    await shop.signIn.password.fill("short");
    await show.click();
    await expect(shop.signIn.password).toHaveAttribute("type", "text");
    await shop.signIn.next();
    await expect(shop.signIn.password).toHaveAttribute("type", "password");
    await expect(shop.signIn.password).toHaveValue("");
  });
});

test("a page without scripts has no password button @without-scripts", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
  await expect(page.getByText("Show", { exact: true })).toBeHidden();
});
