/** Create Account for known users: logging in inside the order, the company's name, and its saved addresses. */
import { expect, test } from "./fixtures.ts";
import { accountFields, newAccount } from "./pages/account-step.ts";
import { expectErrors, expectFormError } from "./pages/errors.ts";

test("a known email leads to the login and back to the order @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { account } = shop;
  const known = await shop.becomeKnown("IN");
  const typed = newAccount("IN", { email: known.email.toUpperCase(), addressLine1: "99 New Street" });

  await shop.page.context().clearCookies();
  await shop.reachAccount({ country: "IN", quantity: "5" });
  const { orderId } = shop;
  await account.address.manually();
  await account.fill(typed);
  await account.next();
  await expect(account.exists.root).toBeVisible();
  await expect(account.exists.root).toContainText(known.email.toUpperCase());
  await expectAccessible();
  await account.exists.useAnotherEmail();
  await account.expectFilled(typed);
  await account.next();
  await account.exists.logIn();

  const { login } = account;
  await expect(login.username).toHaveValue(typed.email);
  await expectAccessible();
  await login.submit("", "");
  await expectErrors(page, [["Username or password must not be empty", login.username]]);
  await login.submit(known.email, "");
  await expectErrors(page, [["Username or password must not be empty", login.username]]);
  await login.submit("asha", known.password);
  await expectErrors(page, [
    ["Username must be a valid Email address (e.g., you@company.com)", login.username],
  ]);
  await login.submit(known.email, "not-the-password");
  await expectFormError(page, "Login failed. Please try again.");
  await expect(login.password).toHaveValue("");
  await login.submit(known.email, known.password);

  await shop.expectStep("account");
  expect(shop.orderId).toBe(orderId);
  await expect(login.root).toBeHidden();
  await expect(page.getByText(`Signed in as ${known.email}`)).toBeVisible();
  const { companyName: _, ...kept } = typed;
  await account.expectFilled(kept);
  // A customer company's name is fixed, regardless of the earlier input.
  await expect(account.field("companyName")).toHaveValue(known.companyName);
  await expect(account.field("companyName")).not.toBeEditable();
  await expect(account.field("addressLine1")).toBeEditable();
  await account.next();
  await shop.expectStep("placeOrder");
  expect(shop.orderId).toBe(orderId);
  expect(await shop.placeOrder.lines()).toContain("Quantity: 5");
  await expect(shop.placeOrder.soldTo).toContainText("99 New Street");
});

test("a known customer picks a saved address, read-only here @keyboard", async ({
  shop,
  expectAccessible,
}) => {
  const { account } = shop;
  const known = await shop.becomeKnown("IN");
  await shop.logIn(known.email, known.password);
  await shop.reachAccount({ country: "IN" });
  await expect(account.address.root).toContainText(known.addressLine1);
  await expectAccessible();
  // A returning customer needs one press: the last order's address is preselected, and shown as a card.
  await expect(account.address.choice("Use a saved address")).toBeChecked();
  await account.address.proceed.click();
  await expect(account.field("city")).toBeHidden();
  await account.allDetails.click();
  const { password: __, ...saved } = known;
  await account.expectFilled(saved);
  for (const name of accountFields) await expect(account.field(name)).not.toBeEditable();
  await expectAccessible();

  // The choice can be changed: with manual entry everything but the company's name is editable.
  await account.changeAddress();
  await account.address.manually();
  await expect(account.field("companyName")).toHaveValue(known.companyName);
  await expect(account.field("companyName")).not.toBeEditable();
  await expect(account.field("city")).toBeEditable();
  await account.changeAddress();
  await account.address.saved();
  await account.next();
  await shop.expectStep("placeOrder");
  await expect(shop.placeOrder.soldTo).toContainText(known.addressLine1);
});

test("a mistyped email is corrected from the review, with its account @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { account, placeOrder } = shop;
  const wrong = await shop.reachPlaceOrder({ country: "US" });
  expect(await placeOrder.contact()).toEqual([
    `Name: ${wrong.firstName} ${wrong.lastName}`,
    `Email: ${wrong.email}`,
    `Phone: +1 ${wrong.phoneNumber}`,
  ]);
  await expectAccessible();
  await placeOrder.change("Email");
  await expect(account.field("email")).toBeInViewport();
  const email = newAccount("US").email;
  await account.fill({ email, companyName: "Acme Precision Tools Inc" });
  await account.next();
  await shop.expectStep("placeOrder");
  expect(await placeOrder.contact()).toContain(`Email: ${email}`);
  await expect(placeOrder.soldTo).toContainText("Acme Precision Tools Inc");
  await shop.inbox.wait(email, /^Set a password/);
  await shop.myAccount.open();
  await expect(page.getByRole("main")).toContainText(email);
});

test("a buyer opens the login first, and cancels it @keyboard", async ({ shop }) => {
  const { account } = shop;
  await shop.reachAccount({ country: "US" });
  await account.openLogin();
  await expect(account.login.root).toBeVisible();
  await account.login.root.getByRole("link", { name: "Cancel" }).click();
  await expect(account.login.root).toBeHidden();
  await shop.expectStep("account");
});
