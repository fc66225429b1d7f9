/**
 * Every step of every journey on a phone, where a form is several screens long: after a post the page begins at its top with the
 * focus on its heading, or an error or a dialog is in view and has the focus.
 */
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { type Arrived, expectArrived } from "./pages/arrival.ts";
import type { Shop, StepName } from "./pages/shop.ts";
import { newDomain, newPrefix } from "./pages/sign-in-step.ts";
import { endSoon } from "./running-term.ts";

test.use({ viewport: { width: 360, height: 740 } });

/** An action, the expected focus, and the step afterwards: the same one, unless another is named. */
type Stop = readonly [act: (shop: Shop) => Promise<unknown>, at: Arrived, step?: StepName];

const next = (shop: Shop) => shop.details.next();
const withQuantity = (quantity: string) => async (shop: Shop) => {
  await shop.details.quantity.fill(quantity);
  await shop.details.next();
};
const withDomain =
  (domain: string, transferLater = false) =>
  async (shop: Shop) => {
    await shop.details.domain.fill(domain);
    if (transferLater) await shop.details.giveToken(null);
    await shop.details.next();
  };

/** Step 1 of a customer's changes and additions. The wait after the payment ends with a page load. */
const ofCustomer: readonly Stop[] = [
  [withQuantity("0"), "problem"],
  [withQuantity("1"), "heading", "placeOrder"],
];

const account: readonly Stop[] = [
  [(shop) => shop.account.address.manually(), "heading"],
  [(shop) => shop.account.next(), "problem"],
  // A repeated mistake is reported again.
  [(shop) => shop.account.next(), "problem"],
  [
    async (shop) => {
      await shop.account.fill(newAccount("IN"));
      await shop.account.next();
    },
    "heading",
    "placeOrder",
  ],
];

/** Place Order opens the checkout automatically, over the page. */
const payment: readonly Stop[] = [
  [(shop) => shop.placeOrder.pressPlaceOrder(), "problem"],
  [(shop) => shop.placeOrder.place(), "checkout"],
];

const pay: Stop = [
  async (shop) => {
    await shop.checkout.open();
    await shop.checkout.pay();
  },
  "heading",
  "signIn",
];

/** Expects the end: the wait has its focus on the heading, and continues to a loaded page at its top. */
async function expectDone(shop: Shop): Promise<void> {
  await shop.expectStep("closure");
  // It may still be loading.
  await expect(async () => expect(await shop.page.evaluate(() => scrollY)).toBe(0)).toPass();
}

const starter = "/order/google/google-workspace-business-starter/IN";

const ofNewBuyer: readonly { name: string; from: string; stops: readonly Stop[] }[] = [
  {
    name: "Microsoft, a new tenant",
    from: "/order/microsoft/microsoft-365-business-basic/IN",
    stops: [
      [withQuantity("0"), "problem"],
      [withQuantity("3"), "heading", "account"],
      ...account,
      ...payment,
      pay,
      [(shop) => shop.signIn.newTenant(`taken${newPrefix()}`.slice(0, 27)), "problem"],
      [(shop) => shop.signIn.newTenant(newPrefix()), "wait"],
    ],
  },
  {
    name: "Google, a new sign-up",
    from: starter,
    stops: [
      [next, "problem"],
      [withDomain(newDomain()), "heading", "account"],
      ...account,
      ...payment,
      pay,
      [(shop) => shop.signIn.googleAdministrator("too short"), "problem"],
      [(shop) => shop.signIn.googleAdministrator("Good$Pass1"), "wait"],
    ],
  },
  {
    name: "Google, a transfer",
    from: starter,
    stops: [
      [withDomain("taken-one.com"), "problem"],
      [withDomain(newDomain("transfer"), true), "heading", "account"],
      ...account,
      ...payment,
      pay,
      [(shop) => shop.signIn.transfer(""), "problem"],
      [(shop) => shop.signIn.transfer("SANDBOX-TOKEN"), "wait"],
    ],
  },
  {
    name: "brio",
    from: "/order/brio/brio-desk/IN",
    stops: [
      [withQuantity("0"), "problem"],
      [withQuantity("2"), "heading", "account"],
      ...account,
      ...payment,
      [pay[0], "wait"],
    ],
  },
];

async function follow(shop: Shop, stops: readonly Stop[]): Promise<void> {
  for (const [act, at, step] of stops) {
    // At the bottom, where the button is.
    await shop.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await act(shop);
    if (step !== undefined) await shop.expectStep(step);
    await expectArrived(shop.page, at);
  }
}

for (const { name, from, stops } of ofNewBuyer) {
  test(`${name}: every step begins at its heading or at an error`, async ({ page, shop }) => {
    await page.goto(from);
    await follow(shop, stops);
    await expectDone(shop);
  });
}

test("Microsoft, an existing tenant: the wait for approval begins at its heading", async ({ shop }) => {
  await shop.reachSignIn({ country: "US" });
  await follow(shop, [
    // Next is disabled for an impossible username, so only one of an unknown account is refused by the server.
    [(buyer) => buyer.signIn.existingTenant(`admin@unknown${newPrefix()}.onmicrosoft.com`), "problem"],
    [(buyer) => buyer.signIn.existingTenant(`admin@${newPrefix()}.onmicrosoft.com`), "heading"],
  ]);
});

test("a customer's journeys begin each step at its heading or at an error", async ({
  page,
  shop,
  sql,
  control,
}) => {
  const { domain } = await shop.becomeCustomer({ quantity: "3" });
  await endSoon({ sql, control }, domain);
  const journeys: readonly (() => Promise<unknown>)[] = [
    () => page.goto("/contract/microsoft/microsoft-365-business-standard/IN?TUP=true"),
    () => shop.subscriptions.addOn(domain),
    () => shop.subscriptions.buyMore(domain),
    () => shop.subscriptions.renew(domain),
  ];
  for (const begin of journeys) {
    await page.goto("/subscriptions");
    await begin();
    await follow(shop, [...ofCustomer, ...payment]);
  }
  // Completes one of them.
  await shop.checkout.open();
  await shop.checkout.pay();
  await expectDone(shop);
});

test("the dialog for a known email has the focus, and returns it to the email", async ({
  page,
  shop,
  scriptsOff,
}) => {
  const { account } = shop;
  const known = await shop.becomeKnown("US");
  await page.context().clearCookies();
  await shop.reachAccount({ country: "US" });
  await account.fill(newAccount("US", { email: known.email }));
  await account.next();
  await expect(account.exists.root).toBeInViewport({ ratio: 0.9 });
  await expect(account.exists.root.getByRole("link", { name: "Sign in" })).toBeFocused();
  if (!scriptsOff) {
    await expectArrived(page, "dialog");
    // Closed like any dialog, and opened again by the same response.
    await page.keyboard.press("Escape");
    await expect(account.exists.root).toBeHidden();
    await expect(account.field("email")).toBeFocused();
    await expect(account.field("email")).toBeInViewport();
    await account.next();
    await expectArrived(page, "dialog");
  }
  await account.exists.useAnotherEmail();
  await expect(account.exists.root).toBeHidden();
  await expect(account.field("email")).toBeFocused();
  await expect(account.field("email")).toBeInViewport();
  await account.next();
  await account.exists.logIn();
  await account.login.submit(known.email, "not-the-password");
  await expect(account.login.root).toContainText("Login failed. Please try again.");
  if (!scriptsOff) await expectArrived(page, "problem");
  await account.login.submit(known.email, known.password);
  // The company has an address to choose.
  await expect(account.address.root).toBeVisible();
  if (!scriptsOff) await expectArrived(page, "heading");
});

test("going back keeps the page's scroll position, with the focus on its heading", async ({ page, shop }) => {
  await shop.reachAccount({ country: "US" });
  await shop.account.fill(newAccount("US"));
  await page.waitForLoadState("networkidle");
  await shop.account.next();
  await shop.expectStep("placeOrder");
  await expectArrived(page, "heading");
  await page.goBack();
  await shop.expectStep("account");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await expect(shop.account.heading).toBeFocused();
});
