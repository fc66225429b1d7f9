/** The steps: when each can be opened, what it keeps, and its errors. */
import { languages } from "#server/foundation/languages/language.ts";
import { expect, test } from "./fixtures.ts";
import { accountFields, accountLabels, newAccount } from "./pages/account-step.ts";
import { untilHydrated } from "./pages/checkout.ts";
import { errorSummary, expectErrors } from "./pages/errors.ts";
import type { StepName } from "./pages/shop.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const { prefixRule } = languages.en.messages.signIn;

const steps: readonly StepName[] = ["details", "account", "placeOrder", "signIn", "closure"];

test.describe("links", () => {
  test("open the first unfinished step or an earlier one @without-scripts", async ({ shop }) => {
    /** Expected targets of the links, by the current step. */
    const expectLinks = async (expected: Record<StepName, StepName>) => {
      for (const step of steps) {
        await shop.openStep(step);
        await shop.expectStep(expected[step]);
      }
      await shop.page.goto(shop.orderLink);
      await shop.expectStep(expected.closure);
    };
    const account = newAccount("US");
    await shop.reachAccount({ country: "US" });
    await expectLinks({
      details: "details",
      account: "account",
      placeOrder: "account",
      signIn: "account",
      closure: "account",
    });

    await shop.account.fill(account);
    await shop.account.next();
    await shop.expectStep("placeOrder");
    await expectLinks({
      details: "details",
      account: "account",
      placeOrder: "placeOrder",
      signIn: "placeOrder",
      closure: "placeOrder",
    });

    await shop.placeOrder.place();
    await shop.checkout.open();
    await shop.checkout.pay();
    await shop.expectStep("signIn");
    await expectLinks({
      details: "signIn",
      account: "signIn",
      placeOrder: "signIn",
      signIn: "signIn",
      closure: "signIn",
    });

    await shop.signIn.newTenant(newPrefix());
    await shop.expectStep("closure");
    await expectLinks({
      details: "closure",
      account: "closure",
      placeOrder: "closure",
      signIn: "closure",
      closure: "closure",
    });
  });

  test("a button pressed twice posts once", async ({ page, shop }) => {
    // Without scripts the browser itself aborts the first post in favour of the second.
    const posts: string[] = [];
    await page.route("**/order/**", async (route) => {
      if (route.request().method() === "POST") {
        posts.push(route.request().url());
        // Delayed long enough for another press.
        await page.waitForTimeout(500);
      }
      await route.continue();
    });
    await shop.details.open("microsoft-365-business-basic", "US");
    const next = page.getByRole("button", { name: "Next" });
    await untilHydrated(next);
    await next.dblclick();
    await shop.expectStep("account");
    expect(posts).toHaveLength(1);
  });

  test("Buy Now's plain link and a SKU in the URL lead to the plan @without-scripts", async ({
    page,
    shop,
  }) => {
    const plan = /\/order\/microsoft\/microsoft-365-business-basic\/US$/;
    await page.goto("/order?sku_id=MS-BUSINESS-BASIC&country=US");
    await expect(page).toHaveURL(plan);
    await expect(shop.details.heading).toBeVisible();
    await page.goto("/order/microsoft/MS-BUSINESS-BASIC/US");
    await expect(page).toHaveURL(plan);
    await expect(shop.details.heading).toBeVisible();
  });

  test("an order's link with another plan or country is corrected @without-scripts", async ({
    page,
    shop,
  }) => {
    await shop.reachAccount({ country: "US" });
    const right = shop.orderLink;
    await page.goto(
      `${right.replace("business-basic/US", "business-premium/IN").replace(/US$/, "IN")}/create-account`,
    );
    await expect(page).toHaveURL(new RegExp(`${right}/create-account$`));
  });

  test("nothing is sold at a URL with a mistake @without-scripts", async ({ page }) => {
    for (const path of [
      "/order/microsoft/no-such-plan/IN",
      "/order/google/microsoft-365-business-basic/IN",
      "/order/microsoft/microsoft-365-business-basic/FR",
      "/order?sku_id=no-such-sku&country=IN",
      "/order",
      "/Order/microsoft/microsoft-365-business-basic/IN",
    ]) {
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(404);
      await expect(
        page.getByRole("heading", {
          level: 1,
          // The second where no route matches the URL.
          name: /^(We could not find that page|Unexpected Application Error!)$/,
        }),
      ).toBeVisible();
    }
  });
});

test("every step has a preview of the service @keyboard", async ({ page, shop, expectAccessible }) => {
  await shop.reachAccount({ country: "US" });
  await shop.panel.openPreview();
  await expect(shop.panel.preview).toBeVisible();
  await expect(shop.panel.preview).toContainText("Email on your own domain with a 50 GB mailbox");
  await expectAccessible();
  await page.keyboard.press("Escape");
  await expect(shop.panel.preview).toBeHidden();
  await shop.panel.openPreview();
  await shop.panel.preview.getByRole("button", { name: "Close" }).click();
  await expect(shop.panel.preview).toBeHidden();
});

test.describe("the total", () => {
  test("follows the number and the plan, before anything is ordered", async ({
    page,
    shop,
    scriptsOff,
    sql,
  }) => {
    const pressing = scriptsOff;
    await shop.details.open("microsoft-365-business-standard", "IN");
    if (!scriptsOff) await untilHydrated(shop.details.quantity);
    await shop.details.quantity.fill("17");
    await shop.details.expectTotal("17 × ₹8,748 + GST = ₹1,75,485, or ₹729 per user/month", {
      pressing,
    });
    await shop.details.term("One Month").check();
    await shop.details.expectTotal("17 × ₹875 + GST = ₹17,553 per month, or ₹875 per user/month", {
      pressing,
    });
    if (!scriptsOff) {
      await shop.details.count("more");
      await shop.details.count("more");
      await shop.details.count("less");
      await shop.details.expectTotal("18 × ₹875 + GST = ₹18,585 per month, or ₹875 per user/month", {
        pressing,
      });
      await shop.details.quantity.fill("301");
      await shop.details.expectTotal("", { pressing });
    }
    await expect(page).toHaveURL(/business-standard\/IN$/);
    await shop.details.quantity.fill("18");
    await shop.details.pressEnter();
    await shop.expectStep("account");
    const [made] = await sql("select quantity, term from order_lines where order_id = $1", [shop.orderId]);
    expect(made).toEqual({ quantity: 18, term: "P1M" });
  });

  test("has no tax where none applies, and two prices for a new domain above 20 people", async ({
    shop,
    scriptsOff,
  }) => {
    const pressing = scriptsOff;
    await shop.details.open("microsoft-365-business-basic", "US");
    if (!scriptsOff) await untilHydrated(shop.details.quantity);
    await shop.details.quantity.fill("10");
    await shop.details.expectTotal("10 × $68.40 = $684.00, or $5.70 per user/month", { pressing });
    await shop.details.open("google-workspace-business-starter", "IN", "google");
    if (!scriptsOff) await untilHydrated(shop.details.quantity);
    await shop.details.quantity.fill("25");
    await shop.details.expectTotal("20 × ₹1,932 + 5 × ₹2,760 + GST = ₹61,879, for a domain new to Google", {
      pressing,
    });
  });
});

test.describe("back, forward and reload", () => {
  test("show the posted input of the first step after going back", async ({ page, shop }) => {
    await shop.details.open("microsoft-365-business-basic", "US");
    await shop.details.quantity.fill("7");
    await shop.details.term("One Month").check();
    await shop.details.next();
    await shop.expectStep("account");
    const { orderId } = shop;
    await page.goBack();
    await expect(shop.details.quantity).toHaveValue("7", { timeout: 2_000 });
    await expect(shop.details.term("One Month")).toBeChecked();
    await page.goForward();
    await shop.expectStep("account");
    await expect(shop.panel.root).toContainText("7 licenses, one month");
    await page.goBack();
    await shop.details.quantity.fill("8");
    await shop.details.next();
    await shop.expectStep("account");
    expect(shop.orderId).toBe(orderId);
    await expect(shop.panel.root).toContainText("8 licenses, one month");
  });

  test("keep the data of every step", async ({ page, shop }) => {
    const account = newAccount("US");
    await shop.details.open("microsoft-365-business-basic", "US");
    await shop.details.quantity.fill("7");
    await shop.details.term("One Month").check();
    await shop.details.next();
    await shop.expectStep("account");
    const { orderLink } = shop;
    await page.reload();
    await shop.expectStep("account");
    await expect(shop.panel.root).toContainText("7 licenses, one month");

    await shop.account.fill(account);
    await page.reload();
    for (const name of ["firstName", "lastName", "email", "phoneNumber"] as const)
      await expect(shop.account.field(name)).toHaveValue(account[name]);
    await shop.account.fill(account);
    await shop.account.next();
    await shop.expectStep("placeOrder");
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.goBack();
    await shop.expectStep("account");
    await shop.account.expectFilled(account);
    await page.reload();
    await shop.account.expectFilled(account);
    await page.goForward();
    await shop.expectStep("placeOrder");
    await page.reload();
    expect(await shop.placeOrder.lines()).toContain("Quantity: 7");

    // Opens the first step through the side panel, where a change affects nothing else.
    await shop.panel.go("Subscription Details");
    await shop.expectStep("details");
    await expect(shop.details.quantity).toHaveValue("7");
    await page.reload();
    await expect(shop.details.quantity).toHaveValue("7");
    await shop.details.quantity.fill("8");
    await shop.details.next();
    await shop.expectStep("placeOrder");
    expect(await shop.placeOrder.lines()).toContain("Quantity: 8");
    expect(shop.orderLink).toBe(orderLink);
    await shop.panel.go("Create Account");
    await shop.account.expectFilled(account);
    await page.goBack();

    await shop.placeOrder.place();
    await expect(shop.placeOrder.payButton).toBeVisible();
    await page.reload();
    await expect(shop.placeOrder.payButton).toBeVisible();
    await page.goBack();
    await page.goForward();
    await expect(shop.placeOrder.payButton).toBeVisible();
    await shop.checkout.open();
    await shop.checkout.pay();
    await shop.expectStep("signIn");

    // A paid order stays paid, regardless of the browser's buttons.
    await page.goBack();
    await page.goto(orderLink);
    await shop.expectStep("signIn");
    await page.reload();
    await shop.expectStep("signIn");
  });
});

test.describe("validation", () => {
  test("moves the focus to the error summary", async ({ page, shop }) => {
    await shop.reachAccount({ country: "US" });
    await shop.account.next();
    await expect(errorSummary(page)).toBeVisible();
    await expect(errorSummary(page)).toBeFocused({ timeout: 2_000 });
  });

  test("reports an invalid quantity", async ({ page, shop, scriptsOff }) => {
    const required = "Quantity required and it should be greater than 0";
    await shop.details.open("microsoft-365-business-basic", "IN");
    // A form sent before the scripts load behaves as without scripts.
    await page.waitForLoadState("networkidle");
    for (const [typed, message] of [
      ["0", required],
      ["", required],
      ["two", required],
      ["-3", required],
      ["301", "You can buy up to 300 licenses in one order."],
    ] as const) {
      await shop.details.quantity.fill(typed);
      await shop.details.pressEnter();
      await expectErrors(page, [[message, shop.details.quantity]]);
      // With scripts an empty field or a 0 becomes 1 when it loses the focus.
      await expect(shop.details.quantity).toHaveValue(scriptsOff || typed === "301" ? typed : "1");
    }
    // A press of the button moves the focus first, with the same result: nobody is charged for a number they did not see.
    await shop.details.quantity.fill("0");
    await shop.details.next();
    await expectErrors(page, [[required, shop.details.quantity]]);
    await shop.details.quantity.fill("300");
    await shop.details.next();
    await shop.expectStep("account");
  });

  test("cleans a quantity during typing", async ({ shop }) => {
    const { quantity } = shop.details;
    await shop.details.open("microsoft-365-business-basic", "IN");
    await quantity.fill("");
    await quantity.pressSequentially("1x2.");
    await expect(quantity).toHaveValue("12");
    await quantity.fill("2.5");
    await expect(quantity).toHaveValue("2");
    await quantity.fill("-5");
    await expect(quantity).toHaveValue("0");
    await quantity.blur();
    await expect(quantity).toHaveValue("1");
    await quantity.fill("");
    await quantity.blur();
    await expect(quantity).toHaveValue("1");
    // Digits of a Hindi or a full-width keyboard.
    await quantity.fill("१७");
    await expect(quantity).toHaveValue("17");
    await shop.details.expectTotal(/^17 × ₹1,644 /, { pressing: false });
    await quantity.fill("１२");
    await expect(quantity).toHaveValue("12");
    // A 0 becomes 1 when the field loses the focus.
    await shop.details.typeQuantity("-5");
    await quantity.blur();
    await expect(quantity).toHaveValue("1");
  });

  test("a quantity typed key by key never becomes a different number", async ({ shop }) => {
    await shop.details.open("microsoft-365-business-basic", "IN");
    await shop.details.expectTypedQuantities();
    await shop.details.open("google-workspace-business-starter", "IN", "google");
    await shop.details.expectTypedQuantities();
    // Deleting the character that ended the number lets it continue.
    const { quantity } = shop.details;
    await shop.details.typeQuantity("2.");
    await quantity.press("Backspace");
    await quantity.pressSequentially("34");
    await expect(quantity).toHaveValue("34");
    await shop.details.typeQuantity("2.");
    await quantity.selectText();
    await quantity.pressSequentially("25");
    await expect(quantity).toHaveValue("25");
  });

  test("a pasted phone number is accepted with its country code, or refused", async ({ page, shop }) => {
    const { account } = shop;
    const paste = async (text: string) => {
      await account.field("phoneNumber").fill("");
      // Inserted like a paste, which the field's own limit truncates.
      await page.keyboard.insertText(text);
    };
    await shop.reachAccount({ country: "US" });
    for (const [pasted, code, number] of [
      ["+91 98220 12345", "+91", "9822012345"],
      ["09822012345", "+91", "9822012345"],
      ["(98220) 12345", "+91", "9822012345"],
      ["+९१ ९८२२० १२३४५", "+91", "9822012345"],
      ["+1 (212) 555-0101", "+1", "2125550101"],
    ] as const) {
      await paste(pasted);
      await expect(account.field("phoneNumber"), pasted).toHaveValue(number);
      await expect(account.phoneCode, pasted).toHaveValue(code);
    }
    await account.field("phoneNumber").fill("");
    await account.field("phoneNumber").pressSequentially("2a1-2 555 0101");
    await expect(account.field("phoneNumber")).toHaveValue("2125550101");
    await account.fill(newAccount("US"));
    await paste("9822012345678");
    await account.next();
    await expectErrors(page, [["Please enter valid phone number", account.field("phoneNumber")]]);
    await expect(account.field("phoneNumber")).toHaveValue("9822012345678");
  });

  test("reports every field of the account", async ({ page, shop }) => {
    const { account } = shop;
    await shop.reachAccount({ country: "IN" });
    await account.address.manually();
    await account.next();
    await expectErrors(
      page,
      accountFields.map((name) => [`${accountLabels[name]} field is required.`, account.field(name)]),
    );

    // All errors of any kind are reported at once.
    const wrong = newAccount("IN", {
      state: "Goa",
      pincode: "12345",
      registration: "123",
      email: "asha@example",
      phoneNumber: "12345",
    });
    await account.fill(wrong);
    await account.gstCode.fill("29AABCB1234C1ZZ");
    await account.next();
    await expectErrors(page, [
      ["Please enter a valid pincode", account.field("pincode")],
      [
        "Please enter a valid GST number or PAN. A PAN is 5 letters, 4 digits and a letter, such as AABCB1234C; a GST number has 15 characters.",
        account.field("registration"),
      ],
      [
        "Please enter a valid GST number. One of the characters is mistyped: the last one doesn't match the rest.",
        account.gstCode,
      ],
      ["Please enter valid email", account.field("email")],
      ["Please enter valid phone number", account.field("phoneNumber")],
    ]);
    await account.expectFilled(wrong);
    await expect(account.gstCode).toHaveValue("29AABCB1234C1ZZ");

    await account.fill(newAccount("IN"));
    await account.gstCode.fill("");
    await account.next();
    await shop.expectStep("placeOrder");
  });

  test("requires the terms", async ({ page, shop }) => {
    await shop.reachPlaceOrder({ country: "US" });
    await shop.placeOrder.pressPlaceOrder();
    await expectErrors(page, [["Please accept the terms to place the order.", shop.placeOrder.terms]]);
    await expect(shop.placeOrder.payButton).toBeHidden();
    await shop.placeOrder.place();
    await expect(shop.placeOrder.payButton).toBeVisible();
  });

  test("reports errors in Microsoft Sign-In", async ({ page, shop }) => {
    const { signIn } = shop;
    const prefix = newPrefix();
    await shop.reachSignIn({ country: "US" });

    const taken = `taken${prefix}`.slice(0, 27);
    await signIn.prefix.fill(taken);
    await expect(signIn.preview).toContainText("domain is not available");
    await signIn.prefix.fill(prefix);
    await signIn.username.fill("office");
    await expect(signIn.preview).toContainText(`Your username will be office@${prefix}.onmicrosoft.com`);
    await expect(signIn.preview).toContainText("Domain available!");
    await signIn.newTenant(taken);
    await expectErrors(page, [["domain is not available", signIn.prefix]]);
    await expect(signIn.prefix).toHaveValue(taken);
    // Once, replacing the verdict on the previous prefix.
    await expect(signIn.preview).toHaveText(`Your username will be admin@${taken}.onmicrosoft.com`);

    await signIn.newTenant("", "");
    await expectErrors(page, [
      ["Username field is required.", signIn.username],
      ["Domain is required", signIn.prefix],
    ]);
    await signIn.newTenant("not a domain!", "no good name");
    await expectErrors(page, [
      [
        "Use letters, digits, dots, hyphens and underscores, starting with a letter or digit",
        signIn.username,
      ],
      [prefixRule, signIn.prefix],
    ]);
    // A trailing hyphen is reported during typing, with the server's message.
    await signIn.prefix.fill("taken-sahyadri");
    await expect(signIn.preview).toContainText(prefixRule);
    await expect(page.getByRole("link", { name: prefixRule })).toBeHidden();
    await expect(signIn.prefix).not.toHaveAttribute("aria-invalid");
    // The other field's error stays.
    await expect(signIn.username).toHaveAttribute("aria-invalid", "true");
    await signIn.prefix.fill(prefix);
    await expect(signIn.preview).toContainText("Domain available!");
    await expect(signIn.preview).not.toContainText(prefixRule);

    // An impossible username cannot be posted: Next waits for a possible one (existing-tenant.spec.ts).
    const unknown = "admin@unknowncontoso.onmicrosoft.com";
    await signIn.existingTenant(unknown);
    const message = "Microsoft doesn't recognise this domain. Check the username.";
    await expectErrors(page, [[message, signIn.existingUsername]]);
    await expect(signIn.existingUsername).toHaveValue(unknown);

    await signIn.newTenant(prefix);
    await shop.expectStep("closure");
  });
});

test.describe("GST dialog", () => {
  test("preselects the first choice, so that Proceed need not wait for one", async ({ page, shop }) => {
    const { address } = shop.account;
    await shop.reachAccount({ country: "IN" });
    await expect(address.choice("Enter a GST number")).toBeChecked();
    await address.proceed.click();
    await expectErrors(page, [["Please enter a GST number", address.gstin]]);
    await address.choice("Add details manually").check();
    await expect(address.proceed).toBeEnabled();
    await address.proceed.click();
    await expect(address.root).toBeHidden();
    await expect(shop.account.field("companyName")).toHaveValue("");
    await expect(shop.account.field("companyName")).toBeEditable();
  });

  test("fills the address of a number that is found @without-scripts @keyboard", async ({ page, shop }) => {
    const { account } = shop;
    await shop.reachAccount({ country: "IN" });
    await account.address.byGst("29aabcb1234c1za");
    const registered = {
      companyName: "BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED",
      addressLine1: "Lakeview Towers, 4th Floor, 221",
      addressLine2: "100 Feet Road",
      city: "Bengaluru",
      state: "Karnataka",
      pincode: "560038",
      registration: "29AABCB1234C1ZA",
    };
    await account.expectFilled(registered);
    await expect(account.gstCode).toHaveValue("29AABCB1234C1ZA");
    await page.reload();
    await account.expectFilled(registered);
    const { firstName, lastName, email, phoneNumber } = newAccount("IN");
    await account.fill({ firstName, lastName, email, phoneNumber });
    await account.next();
    await shop.expectStep("placeOrder");
    await expect(shop.placeOrder.soldTo).toContainText("GSTIN 29AABCB1234C1ZA");
  });

  test("reports a wrong number, and allows manual entry", async ({ page, shop }) => {
    const { address } = shop.account;
    await shop.reachAccount({ country: "IN" });
    for (const [typed, message] of [
      ["", "Please enter a GST number"],
      [
        "29AABCB1234C1ZB",
        "Please enter a valid GST number. One of the characters is mistyped: the last one doesn't match the rest.",
      ],
      ["29AAGCB7383J1Z4", "This GST number was not found. Please check it, or add the details manually."],
      ["33AAACS4321K1ZM", "This GST registration is cancelled. You can only use an active one."],
    ] as const) {
      await address.byGst(typed);
      await expectErrors(page, [[message, address.gstin]]);
      await expect(address.gstin).toHaveValue(typed);
      await expect(address.choice("Enter a GST number")).toBeChecked();
    }
    await address.manually();
    await expect(address.root).toBeHidden();
    await expect(shop.account.field("companyName")).toBeVisible();
  });
});

test('a step with errors has a title that begins with "Error:" @both', async ({ page, shop, scriptsOff }) => {
  await shop.details.open("microsoft-365-business-basic", "US");
  if (!scriptsOff) await untilHydrated(shop.details.quantity);
  const title = await page.title();
  await shop.details.quantity.fill("0");
  await shop.details.next();
  await expect(page).toHaveTitle(`Error: ${title}`);
  // With scripts editing its field removes an error.
  await shop.details.quantity.fill("3");
  await expect(page).toHaveTitle(scriptsOff ? `Error: ${title}` : title);
  await shop.details.next();
  await shop.expectStep("account");
  await expect(page).not.toHaveTitle(/Error/);
});
