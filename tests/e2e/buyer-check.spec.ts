/** Errors at Create Account for details that Microsoft would refuse after the payment. */
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { expectErrors } from "./pages/errors.ts";

test("a buyer chooses a suggestion for an incomplete address, and pays", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { account } = shop;
  const { suggestion } = account;
  await shop.reachAccount({ country: "US" });
  await account.fill(newAccount("US", { addressLine1: "Partial Main Street" }));
  await account.next();
  await expect(suggestion.root).toBeVisible();
  await expect(suggestion.places).toHaveCount(4);
  await expectAccessible();

  await page.reload();
  await expect(suggestion.places).toHaveCount(4);
  await suggestion.use(/2 Main Street, Suite 2, Austin, Texas 78701/);
  await shop.expectStep("placeOrder");
  await expect(page.getByRole("main")).toContainText("2 Main Street");

  // Another correction does not show the suggestions again.
  await shop.openStep("account");
  await account.expectFilled({ addressLine1: "2 Main Street" });
  await account.fill({ companyName: "Acme Tools and Dies Inc" });
  await account.next();
  await shop.expectStep("placeOrder");
});

test("a buyer keeps an address as typed", async ({ page, shop }) => {
  const { account } = shop;
  const typed = newAccount("US", { addressLine1: "Renamed Harbour Road" });
  await shop.reachAccount({ country: "US" });
  await account.fill(typed);
  await account.next();
  // Leaving the dialog keeps the input.
  await account.suggestion.change();
  await account.expectFilled(typed);
  await account.next();
  await account.suggestion.use(/^As entered/);
  await shop.expectStep("placeOrder");
  await expect(page.getByRole("main")).toContainText("Renamed Harbour Road");
  await shop.openStep("account");
  await account.next();
  await shop.expectStep("placeOrder");
});

test("an address or a phone number that Microsoft refuses shows an error at its field", async ({
  page,
  shop,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  const { account } = shop;
  await shop.reachAccount({ country: "US" });
  await account.fill(newAccount("US", { addressLine1: "Nowhere 1", phoneNumber: "1234567890" }));
  await account.next();
  await expectErrors(page, [
    ["Microsoft can't find this address. Check the building and street.", account.field("addressLine1")],
    ["Microsoft can't find this address. Check the ZIP code.", account.field("pincode")],
    ["Microsoft doesn't accept this phone number. Check it.", account.field("phoneNumber")],
  ]);
  await account.fill({ addressLine1: "1 Main Street", phoneNumber: "5125550100" });
  await account.next();
  await shop.expectStep("placeOrder");
});
