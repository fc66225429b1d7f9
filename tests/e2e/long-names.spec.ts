/** Names of people and companies at their longest, and amounts at their largest: every screen fits them. */
import { beginOrder } from "#tests/support/journey.ts";
import { expect, test } from "./fixtures.ts";
import { newEmail } from "./pages/account-step.ts";
import { CartPage, OrdersPage } from "./pages/lists.ts";
import { sessionOf } from "./pages/session.ts";

// Sold without a limit on seats.
const plan = "exchange-online-plan-2";
const planName = "Exchange Online Plan 2";
const longName = () => ({
  companyName: "Thiruvananthapuramkizhakkekottahandloomweaversandspinnerscooperativefederation",
  addressLine1: "Second Floor, Kizhakkekottahandloomweaversandspinners Complex, Opposite the Clock Tower",
  firstName: "Venkatanarasimharajuvaripeta",
  lastName: "Satyanarayanamurthy-Krishnamoorthy",
  email: newEmail("accounts-department.of-the-handloom-weavers"),
});
const quantity = "75000";

test("long names and amounts in crores fit every screen that shows them", async ({
  page,
  shop,
  otherDevice,
  expectAccessible,
}) => {
  const visitor = await otherDevice();
  await visitor.reachPlaceOrder({ country: "IN", quantity, plan, account: longName() });
  await expect(visitor.page.getByRole("main")).toContainText(/₹\d\d,\d\d,\d\d,\d\d\d/);
  await expectAccessible(visitor.page);

  const { companyName } = await shop.becomeCustomer({
    country: "IN",
    quantity,
    plan,
    account: longName(),
    byTransfer: true,
  });
  await expectAccessible();
  await page.getByRole("link", { name: "Invoice", exact: true }).click();
  await expect(page.getByRole("main")).toContainText(companyName);
  await expectAccessible();

  await page.goto("/subscriptions");
  await expect(page.getByRole("main")).toContainText("75000");
  await expectAccessible();

  const orders = new OrdersPage(page);
  await page.goto("/myorders");
  await orders.openDetails(planName);
  await expect(orders.details).toContainText(companyName);
  await expectAccessible();

  for (const item of [plan, "exchange-online-plan-1"])
    await beginOrder(sessionOf(page), {
      wanted: { family: "microsoft", item },
      quantity: Number(quantity),
    });
  await page.goto("/cart");
  await expect(new CartPage(page).row("75000")).toHaveCount(2);
  await expectAccessible();

  for (const path of ["/members", "/account"]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText(companyName);
    await expectAccessible();
  }
});
