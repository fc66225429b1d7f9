/** Pages that are prefetched, and those that are not. */
import { expect, test } from "./fixtures.ts";

test("an order's first step is prefetched once its link is hovered, and not before", async ({
  page,
  context,
  shop,
}) => {
  const session = await context.newCDPSession(page);
  const fetched: string[] = [];
  session.on("Preload.prefetchStatusUpdated", ({ prefetchUrl, status }) => {
    if (status === "Ready") fetched.push(new URL(prefetchUrl).pathname);
  });
  await session.send("Preload.enable");
  await shop.home.open();
  const buy = shop.home.card("Microsoft 365 Business Basic").getByRole("link", { name: "Buy Now" });
  await buy.scrollIntoViewIfNeeded();
  expect(fetched).toEqual([]);
  await buy.hover();
  await expect.poll(() => fetched).toEqual(["/order/microsoft/microsoft-365-business-basic/IN"]);
  await buy.click();
  await expect(shop.details.quantity).toBeVisible();
});
