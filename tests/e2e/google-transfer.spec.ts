/** A domain from another reseller: the subscriptions to move are shown before the payment, and move after it. */
import { expect, test } from "./fixtures.ts";
import { errorSummary, expectErrors } from "./pages/errors.ts";
import { newDomain } from "./pages/sign-in-step.ts";

const starter = { family: "google", plan: "google-workspace-business-starter" } as const;
const token = "SANDBOX-TOKEN";

test("the token shows which of two subscriptions cannot move, before payment @keyboard", async ({
  page,
  shop,
  scriptsOff,
  expectedErrors,
  expectAccessible,
}) => {
  expectedErrors.push(/400/);
  const { details } = shop;
  await details.open(starter.plan, "IN", "google");
  await expect(details.transferToken).toBeHidden();
  await details.domain.fill(newDomain("transfer-mixed"));
  if (scriptsOff) await details.next();
  // Shown unasked, so that the token cannot be forgotten.
  await expect(details.transferToken).toBeVisible();
  if (scriptsOff) {
    await expectErrors(page, [
      [
        "This domain comes from another reseller. Please enter its transfer token, or tick the box if you don't have it yet.",
        details.transferToken,
      ],
    ]);
  }
  await details.giveToken(token);
  await details.next();
  await expectErrors(page, [
    [
      "Google can't transfer Google Vault: this plan can't change resellers. Leave it out when you generate the token, then enter the new token.",
      details.transferToken,
    ],
  ]);
  await expectAccessible();
});

test("a domain known to Google costs the regular price once it is checked", async ({ page, shop }) => {
  const { details } = shop;
  await details.open(starter.plan, "IN", "google");
  await details.quantity.fill("25");
  const bill = page.getByRole("region", { name: "Your bill" });
  const reason = "The price for new domains doesn't apply to a transfer.";
  await expect(bill).toContainText("20 × ₹1,932 + 5 × ₹2,760");
  await expect(bill.locator("s")).toHaveCount(0);
  await details.domain.fill(newDomain("transfer-known"));
  await expect(bill).toContainText("25 × ₹2,760");
  await expect(bill.getByRole("status")).toContainText(reason);
  await expect(bill.locator("s")).toHaveText("₹61,879");
  await expect(bill.locator("[data-bill=total]")).toContainText("₹81,420");
  await expect(page.getByRole("main")).not.toContainText("₹161");
  await expect(page.getByRole("main")).not.toContainText("for a domain new to Google");
  await details.domain.fill(newDomain("fresh"));
  await expect(bill).toContainText("20 × ₹1,932 + 5 × ₹2,760");
  await expect(bill).not.toContainText(reason);
  await details.domain.fill(newDomain("transfer-known"));
  await expect(bill.locator("[data-bill=total]")).toContainText("₹81,420");
  await details.giveToken(token);
  await details.next();
  await shop.expectStep("account");
  await expect(page.getByText("₹81,420").first()).toBeAttached();
});

test("a token given early moves what the review showed, and is not asked for again", async ({
  page,
  shop,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  const { details } = shop;
  await details.open(starter.plan, "IN", "google");
  await details.domain.fill(newDomain("transfer-large"));
  await details.giveToken(token);
  await details.quantity.fill("5");
  await details.next();
  await expect(errorSummary(page)).toContainText("with at least 12 licenses");
  await details.quantity.fill("12");
  await details.giveToken(token);
  await details.next();
  await shop.expectStep("account");
  await shop.walkFromAccount();
  expect(await shop.placeOrder.lines()).toEqual(
    expect.arrayContaining([
      "Moves to us: Google Workspace Business Starter, which Google moves with at least 12 licenses. Nothing else moves",
      "Plan: 12 users x ₹2,760 user/year = ₹33,120",
    ]),
  );
  await shop.pay();
  await shop.expectStep("closure");
  await expect(page.getByRole("main")).toContainText("Your Google account and its plans have moved to us.");
});
