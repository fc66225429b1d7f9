/** `npm run dev`: the store compiled on demand, and `/ui`, the page of components that exists only there. */
import { type Development, startDevelopment } from "#tests/support/development.ts";
import { expect, test as shared } from "./fixtures.ts";
import { untilHydrated } from "./pages/checkout.ts";

const test = shared.extend<{ development: Development }>({
  development: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
    async ({}, use, testInfo) => {
      const development = await startDevelopment();
      await use(development);
      if (testInfo.status !== testInfo.expectedStatus) throw new Error(await development.report());
      const errors = await development.errors();
      // A first start checks the catalogue only once the vendors' ids are known.
      const missed = development.terminal().filter((line) => line.includes("the catalogue differs"));
      const openToOthers = await development.openToOthers();
      await development.stop();
      expect(errors, "errors in the logs").toEqual([]);
      expect(missed, "warnings of the catalogue").toEqual([]);
      expect(openToOthers, "what others of this machine may read").toEqual([]);
    },
    { timeout: 240_000 },
  ],
  baseURL: async ({ development }, use) => use(development.url),
});

test("the store works during development, and shows every component in its states", async ({
  page,
  shop,
  expectAccessible,
}) => {
  await shop.home.open();
  await expect(shop.home.card("Microsoft Teams Essentials")).toContainText(/₹[\d,]+ \/ Monthly/);
  await expect(shop.home.pause).toBeVisible();
  await shop.home.buyNow("Microsoft 365 Business Basic");
  await untilHydrated(page.getByRole("button", { name: "Next" }));
  await shop.details.quantity.fill("2");
  await shop.details.next();
  await shop.expectStep("account");

  const part = (name: string) =>
    page.locator("section", { has: page.getByRole("heading", { level: 2, name, exact: true }) });
  await page.goto("/ui");
  // Before it closes automatically, as a notification does.
  await expect(part("Notification").getByRole("alert")).toContainText("You must have base product");
  await expect(part("Notification").getByRole("status")).toContainText("on its way");
  await expect(page.getByRole("heading", { level: 1, name: "Components" })).toBeVisible();

  const button = part("Button").getByRole("button");
  await expect(button).toHaveText(["Next", "Save", "Remove", "On its way", "On its way", "Not yet"]);
  await expect(button.nth(3)).toHaveAttribute("aria-busy", "true");
  await expect(button.last()).toBeDisabled();

  const field = part("Field");
  await expect(field.getByLabel("Company Name")).not.toBeEditable();
  await expect(field.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(field.getByLabel("Email")).toHaveAccessibleDescription(/Please enter a valid email/);
  await expect(field.getByRole("alert")).toContainText("There is a problem");
  await expect(field.getByLabel("Domain Name")).toBeEditable();
  await expect(field.getByText("(optional)")).toBeVisible();
  await expect(field.getByRole("radio", { name: "One Year" })).toBeChecked();

  await expect(part("Bill").getByRole("region", { name: "Your bill" })).toContainText("₹1,75,485");
  const people = part("Choice cards and stepper").getByLabel("How many users?");
  await part("Choice cards and stepper").getByRole("button", { name: "Add one user" }).click();
  await expect(people).toHaveValue("18");
  await people.fill("1");
  await part("Choice cards and stepper").getByRole("button", { name: "Remove one user" }).click();
  await expect(people).toHaveValue("1");
  const story = part("Progress and story").getByRole("listitem");
  await expect(story.filter({ hasText: "Create Account" })).toHaveAttribute("aria-current", "step");
  await expect(story.filter({ hasText: "made ready" })).toHaveAttribute("aria-current", "step");

  await expect(part("Money").locator(".money").first()).toHaveText("₹1,23,85,100.00");
  await expect(part("Money").locator("s .money")).toBeVisible();
  await expect(part("Date").locator("time")).toHaveText(/^\d{1,2}(st|nd|rd|th) [A-Z][a-z]+ \d{4}$/);
  await expect(part("Callout").locator("p")).toHaveCount(5);
  await expect(part("Card").locator(".card")).toBeVisible();
  await expect(part("Table").getByRole("table", { name: "Orders" }).getByRole("row")).toHaveCount(3);
  await expect(part("Table").getByRole("link", { name: "Older" })).toBeVisible();
  await expect(part("Empty state")).toContainText("Orders not found.");

  const dialog = part("Dialog").getByRole("dialog", { name: "Your order" });
  await expect(part("Dialog").getByRole("dialog", { name: /^Account already exists/ })).toBeVisible();
  await expect(dialog).toBeHidden();

  const steps = part("Steps").getByRole("listitem");
  await expect(steps).toHaveText(["Subscription Details (done)", "Place Order", "Order Processed"]);
  await expect(steps.nth(1)).toHaveAttribute("aria-current", "step");
  await expect(part("Pending and failed").getByRole("progressbar", { name: "Working" })).toBeVisible();
  await expect(part("Pending and failed")).toContainText("We're working on your order");
  await expect(page.getByRole("button", { name: "Copy the username" })).toBeVisible();
  await expectAccessible();

  await part("Dialog").getByRole("button", { name: "Open" }).click();
  await expect(dialog).toBeVisible();
  await expectAccessible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
});
