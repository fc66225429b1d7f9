/** The other families: Google Workspace, as a new sign-up and as a transfer, and brio, which has no sign-in step. */
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { errorSummary, expectErrors } from "./pages/errors.ts";
import { slugs } from "./pages/shop.ts";
import { newDomain } from "./pages/sign-in-step.ts";

const starter = { family: "google", plan: "google-workspace-business-starter" } as const;

const passwordRule =
  "Password must be at least 8 characters long, include at least one uppercase letter, one lowercase letter, one number, and one special character.";

for (const { country, where, lines } of [
  {
    country: "IN",
    where: " @keyboard",
    lines: [
      "Plan: 20 users x ₹1,932 user/year = ₹38,640",
      "Plan: 5 users x ₹2,760 user/year = ₹13,800",
      "Subtotal: ₹52,440.00",
      "Estimated tax (18%): ₹9,439.20",
      "Rounding: -₹0.20",
      "Grand Total: ₹61,879",
    ],
  },
  // The screens are the same in both countries.
  { country: "US", where: " @without-scripts", lines: ["Grand Total: $1,764.00"] },
] as const) {
  test(`a buyer in ${country} sets up 25 Google users for a new domain${where} @journey`, async ({
    shop,
    expectAccessible,
  }) => {
    const domain = newDomain();
    const account = await shop.walkToPlaceOrder({ ...starter, country, domain, quantity: "25" });
    const shown = await shop.placeOrder.lines();
    expect(shown).toContain(`Domain: ${domain}`);
    expect(shown).toEqual(expect.arrayContaining([...lines]));
    await expect(shop.placeOrder.termsLines.first()).toHaveText("You can buy up to 300 licenses.");
    await shop.placeOrder.place();
    await shop.checkout.open();
    await shop.checkout.pay();
    await shop.expectStep("signIn");
    await expectAccessible();
    const badOnes = country === "IN" ? ["Sh0rt$", "nouppercase1$", "NoDigits$$", "NoSpecial11"] : [];
    for (const bad of badOnes) {
      await shop.signIn.googleAdministrator(bad);
      await expectErrors(shop.page, [[passwordRule, shop.signIn.password]]);
    }
    await shop.signIn.googleAdministrator("Good$Pass1");
    await shop.expectStep("closure");
    await expect(shop.closure.heading).toHaveText("Welcome Onboard!");
    await expect(shop.closure.username).toHaveText(`admin@${domain}`);
    await expect(shop.closure.password).toHaveText("Good$Pass1");
    await shop.inbox.wait(account.email, /^Your order is complete/);
    await shop.closure.manageSubscriptions();
    await expect(shop.page.getByRole("row", { name: new RegExp(domain) })).toContainText("25");
  });
}

test("a Google domain is checked first", async ({ page, shop, scriptsOff }) => {
  const { details } = shop;
  const taken = "This domain is not available for signup. Please choose a different domain.";
  await details.open(starter.plan, "IN", "google");
  await expect(details.heading).toHaveText("Step 1 of 5 Set up your Google Subscription");
  for (const [typed, message] of [
    ["", "Domain is required"],
    ["no domain", "Please enter a valid domain (e.g., yourcompany.com)"],
    ["taken-one.com", `Please enter a valid domain. ${taken}`],
  ] as const) {
    await details.domain.fill(typed);
    if (!scriptsOff && typed !== "")
      await expect(details.domainVerdict).toHaveText(typed.startsWith("taken") ? taken : message);
    await details.next();
    await expectErrors(page, [[message, details.domain]]);
    await expect(details.domain).toHaveValue(typed);
    await expect(details.domainVerdict).toHaveText("");
  }
  if (scriptsOff) return;
  // Two opposite verdicts: the first domain's disappears when another is typed.
  await details.domain.fill(newDomain());
  await expect(details.domainVerdict).toHaveText("Domain available!");
  await expect(errorSummary(page)).toBeHidden();
  await expect(page.getByText(taken)).toBeHidden();
  await expect(details.domain).not.toHaveAttribute("aria-invalid");
  await expect(details.domain).not.toHaveAccessibleDescription(taken);
  await expect(details.domain).toBeFocused();
  await details.domain.fill(newDomain("transfer"));
  await expect(details.domainVerdict).toContainText("already registered and can be transferred");
});

test("an internationalised domain is converted to the registrars' form", async ({ shop, scriptsOff }) => {
  const { details } = shop;
  const name = newDomain().split(".")[0];
  await details.open(starter.plan, "IN", "google");
  await details.domain.fill(`https://www.bücher-${name}.भारत/`);
  if (!scriptsOff) await expect(details.domainVerdict).toHaveText("Domain available!");
  await details.next();
  await shop.expectStep("account");
  await shop.openStep("details");
  await expect(details.domain).toHaveValue(/^xn--bcher-[a-z0-9-]+\.xn--h2brj9c$/);
});

test("a Google transfer asks again for a bad token, not for payment @keyboard @journey", async ({
  page,
  shop,
  sql,
  expectAccessible,
}) => {
  const domain = newDomain("transfer");
  await shop.walkToPlaceOrder({ ...starter, domain, transferToken: null, quantity: "25" });
  expect(await shop.placeOrder.lines()).toEqual(
    expect.arrayContaining(["Plan: 25 users x ₹2,760 user/year = ₹69,000", "Grand Total: ₹81,420"]),
  );
  const { orderId } = shop;
  await shop.placeOrder.place();
  await shop.checkout.open();
  await shop.checkout.pay();
  for (const bad of ["NOT-A-TOKEN", "EXPIRED-TOKEN"]) {
    await shop.expectStep("signIn");
    await shop.signIn.transfer(bad);
    await expect(shop.signIn.problem).toContainText("Google didn't accept the transfer token.");
    await expect(shop.signIn.transferToken).toHaveValue("");
  }
  await expectAccessible();
  await shop.signIn.transfer("SANDBOX-TOKEN");
  await shop.expectStep("closure");
  await expect(page.getByRole("main")).toContainText("Your Google account and its plans have moved to us.");
  const paid = await sql("select id from payments where order_id = $1", [orderId]);
  expect(paid).toHaveLength(1);
});

for (const { name, beginning } of [
  { name: "Google, new sign-up", beginning: "shop" },
  { name: "Google, transfer", beginning: "transfer" },
  { name: "brio", beginning: null },
]) {
  test(`${name}: the order's link opens its step at every stage @without-scripts`, async ({ page, shop }) => {
    const resume = async (link: string) => {
      await page.goto("/");
      await page.goto(link);
    };
    const plan = beginning === null ? ({ family: "brio", plan: "brio-desk" } as const) : starter;
    const domain = beginning === null ? undefined : newDomain(beginning);
    await shop.reachAccount({ ...plan, country: "US", ...(domain !== undefined && { domain }) });
    const { orderLink } = shop;
    await resume(orderLink);
    await shop.expectStep("account");
    await shop.account.fill(newAccount("US"));
    await shop.account.next();
    await shop.expectStep("placeOrder");
    await resume(orderLink);
    await shop.expectStep("placeOrder");
    await shop.pay();
    if (beginning !== null) {
      await shop.expectStep("signIn");
      await resume(orderLink);
      await shop.expectStep("signIn");
      if (beginning === "shop") await shop.signIn.googleAdministrator("Good$Pass1");
      else await shop.signIn.transfer("SANDBOX-TOKEN");
    }
    await shop.expectStep("closure");
    await expect(shop.closure.lead).toBeVisible();
    await resume(orderLink);
    await shop.expectStep("closure");
    await expect(shop.closure.lead).toBeVisible();
  });
}

test("a buyer pays for brio and gets its access details by mail @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const account = await shop.walkToPlaceOrder({ family: "brio", plan: "brio-desk" });
  await expect(shop.panel.root).not.toContainText("Sign-In");
  await shop.placeOrder.place();
  await shop.checkout.open();
  await shop.checkout.pay();
  await expect(page).toHaveURL(new RegExp(`/${slugs.closure}$`));
  await expect(shop.closure.lead).toHaveText("brio Desk, 3 licenses are ready.");
  await expectAccessible();
  await expect(shop.closure.username).toHaveText(account.email);
  const code = await shop.closure.password.textContent();
  const mail = await shop.inbox.wait(account.email, /^Your access to brio Desk/);
  expect(mail.text).toContain(`Access code: ${code}`);
  await page.goto(shop.stepLink("signIn"));
  await expect(page).toHaveURL(new RegExp(`/${slugs.closure}$`));
});
