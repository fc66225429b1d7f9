/** A step whose document changes before its scripts load, as extensions and translators do, loses nothing. */
import { expect, test } from "./fixtures.ts";
import { Shop } from "./pages/shop.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

/** Changes that extensions make to a page. */
const changes = {
  "a style before all others": () => document.head.prepend(document.createElement("style")),
  "an element behind the body": () =>
    document.documentElement.append(document.createElement("grammar-check")),
  "an element at the body's beginning": () => document.body.prepend(document.createElement("div")),
  "an icon beside each field": () => {
    for (const field of document.querySelectorAll("main input")) field.after(document.createElement("span"));
  },
  "a translation": () => {
    for (const heading of document.querySelectorAll("h1, h2, legend, label")) {
      const font = document.createElement("font");
      font.append(...heading.childNodes);
      heading.append(font);
    }
  },
};

for (const [what, change] of Object.entries(changes))
  test(`${what} leaves a step complete and working`, async ({ page, shop }) => {
    await page.addInitScript(`document.addEventListener("DOMContentLoaded", ${change})`);
    await shop.details.open("microsoft-365-business-basic", "US");
    await expect(page.locator("html")).toHaveClass(/\bunhydrated\b/);
    await expect(page.getByRole("contentinfo")).toContainText("Terms of sale");
    await shop.details.quantity.fill("7");
    await page.getByRole("button", { name: "Update total" }).click();
    await expect(page.getByText("7 × $68.40 = $478.80")).toBeVisible();
    await shop.details.next();
    await shop.expectStep("account");
    await expect(page.getByRole("contentinfo")).toContainText("Terms of sale");
    await expect(shop.panel.root).toContainText("7 licenses");
  });

test("a changed step still reacts to the buyer's input", async ({ page, shop }) => {
  await shop.reachSignIn({ country: "US" });
  await page.addInitScript(
    `document.addEventListener("DOMContentLoaded", ${changes["an icon beside each field"]})`,
  );
  await page.reload();
  await expect(page.locator("html")).toHaveClass(/\bunhydrated\b/);
  await shop.signIn.mode("I do not have a Microsoft 365 account").check();
  await shop.signIn.username.fill("admin");
  const prefix = newPrefix();
  await shop.signIn.prefix.fill(prefix);
  await expect(shop.signIn.preview).toContainText(`admin@${prefix}.onmicrosoft.com`);
  await shop.signIn.next();
  await shop.expectStep("closure");
});

test("a purchase completes on changed pages", async ({ page, sandboxUrl }) => {
  await page.addInitScript(
    `document.addEventListener("DOMContentLoaded", ${changes["an element behind the body"]})`,
  );
  // They work as without scripts, including their checkout.
  const shop = new Shop(page, { scriptsOff: true, sandboxUrl });
  await shop.reachSignIn({ country: "IN" });
  await shop.signIn.newTenant(newPrefix());
  await shop.expectStep("closure");
});
