/** The vendor's agreement on the review: buyers can read it before they accept the terms, which include it. */
import { expect, test } from "./fixtures.ts";
import { expectErrors } from "./pages/errors.ts";

test("a buyer reads the agreement on the review and accepts it with the terms", async ({
  page,
  shop,
  sql,
  expectedErrors,
  expectAccessible,
}) => {
  expectedErrors.push(/400/);
  await shop.reachPlaceOrder({ country: "IN" });
  const link = page.getByRole("link", { name: "Your company accepts the Microsoft Customer Agreement." });
  await expect(shop.placeOrder.termsLines.last()).toContainText("Microsoft Customer Agreement");
  await expectAccessible();

  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Microsoft Customer Agreement");
  await page.goBack();
  await shop.expectStep("placeOrder");

  const accepted = () => sql("select version from agreement_acceptances where order_id = $1", [shop.orderId]);
  await shop.placeOrder.pressPlaceOrder();
  await expectErrors(page, [["Please accept the terms to place the order.", shop.placeOrder.terms]]);
  expect(await accepted()).toEqual([]);
  await shop.placeOrder.place();
  await expect(shop.placeOrder.payButton).toBeVisible();
  expect(await accepted()).toEqual([{ version: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
});
