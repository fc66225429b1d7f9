/** Accounts in a browser: signing up and in, a forgotten password, sessions, and a login in another window. */
import { expect, test } from "./fixtures.ts";
import { newEmail } from "./pages/account-step.ts";
import { ChangePasswordPage, ContinueAsPage } from "./pages/accounts.ts";
import { errorSummary, expectErrors, expectFormError } from "./pages/errors.ts";
import { Inbox } from "./pages/inbox.ts";

test("a visitor signs up, logs in and continues where they were @keyboard @both", async ({
  page,
  shop,
  scriptsOff,
  expectAccessible,
}) => {
  const { login, signUp, menu } = shop;
  await page.goto("/subscriptions");
  await expect(login.heading).toBeVisible();
  await expect(login.link("Contact Support")).toHaveAttribute("href", /^mailto:/);
  await expectAccessible();
  await login.link("Sign up").click();
  await expect(signUp.heading).toBeVisible();
  await signUp.backToLogin();
  await expect(login.heading).toBeVisible();
  await login.link("Sign up").click();
  await expectAccessible();

  await signUp.submit.click();
  await expectErrors(page, [
    ["Please enter your first name", signUp.field("firstName")],
    ["Please enter your last name", signUp.field("lastName")],
    ["Please enter your email", signUp.field("email")],
    ["Please enter your password", signUp.field("password")],
    ["Please enter your phone number", signUp.field("phoneNumber")],
  ]);
  const email = newEmail("person");
  await signUp.fill({ firstName: "Asha", lastName: "Rao", email, password: "x", phoneNumber: "98765 43" });
  if (!scriptsOff) {
    await expect(signUp.field("phoneNumber")).toHaveValue("9876543");
    await expect(errorSummary(page)).toBeHidden();
  }
  await signUp.submit.click();
  await expectErrors(page, [["Phone number must be 10 digits long", signUp.field("phoneNumber")]]);
  await expect(signUp.field("password")).toHaveValue("");
  await signUp.fill({ password: "x", phoneNumber: "+91 98765 43210" });
  if (!scriptsOff) await expect(signUp.field("phoneNumber")).toHaveValue("9876543210");
  await signUp.submit.click();
  await expect(
    page.getByText("User account created successfully. Please login to explore services.", { exact: true }),
  ).toBeVisible();
  await expectAccessible();
  // Continues automatically, with and without scripts.
  await expect(login.heading).toBeVisible();
  await login.logIn(email, "x");
  await expect(shop.subscriptions.heading).toBeVisible();
  await menu.expectLoggedIn();
  await login.open();
  await expect(shop.home.tagline).toHaveText("Transforming workplaces into Hubs of Happiness");
});

test("a taken email shows an error with links to continue", async ({ page, shop, expectAccessible }) => {
  const { signUp } = shop;
  const { email } = await shop.signUpAs();
  await page.goto("/signup");
  await signUp.fill({
    firstName: "Bela",
    lastName: "Sen",
    email: email.toUpperCase(),
    password: "y",
    phoneNumber: "9876543211",
  });
  await signUp.submit.click();
  await expectErrors(page, [["Account already exists, please Login instead", signUp.field("email")]]);
  await expect(signUp.field("firstName")).toHaveValue("Bela");
  await expect(signUp.field("password")).toHaveValue("");
  await expectAccessible();
  await page.getByRole("main").getByRole("link", { name: "reset your password" }).click();
  await expect(shop.forgotPassword.heading).toBeVisible();
});

test("the ways to sign in are one column, without a link to the open page", async ({ page }) => {
  await page.goto("/login");
  await expect(page.locator('a[href="/login"]')).toHaveCount(0);
  const widths = await page
    .getByRole("main")
    .locator(".wide")
    .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
  expect(new Set(widths).size).toBe(1);
});

test("a refused login keeps the email, clears the password and drops errors on edit", async ({
  page,
  shop,
  scriptsOff,
}) => {
  const { login } = shop;
  const { email, password } = await shop.signUpAs();
  await login.submit.click();
  await expectErrors(page, [
    ["Please enter your email", login.email],
    ["Please enter your password", login.password],
  ]);
  await login.email.fill("asha");
  if (!scriptsOff) {
    await expect(errorSummary(page).getByRole("listitem")).toHaveText(["Please enter your password"]);
    await expect(login.email).toHaveAccessibleDescription("");
    await expect(login.email).not.toHaveAttribute("aria-invalid", "true");
    await expect(login.password).toHaveAttribute("aria-invalid", "true");
  }
  await login.password.fill("x");
  if (!scriptsOff) await expect(errorSummary(page)).toBeHidden();
  await login.submit.click();
  await expectErrors(page, [["Please enter a valid email", login.email]]);
  await login.logIn(email, "wrong");
  await expectFormError(page, "Login failed. Please try again.");
  await expect(login.email).toHaveValue(email);
  await expect(login.password).toHaveValue("");
  await login.password.fill(password);
  await login.submit.click();
  await shop.menu.expectLoggedIn();
});

test("a mailed link resets a password once and ends every session @keyboard @journey", async ({
  page,
  shop,
  otherDevice,
  expectAccessible,
}) => {
  const { login, forgotPassword: forgot, setPassword } = shop;
  const { email, password } = await shop.signUpAs();
  const elsewhere = await otherDevice();
  await elsewhere.logIn(email, password);

  await login.link("Reset Password?").click();
  await expect(forgot.heading).toBeVisible();
  await expect(forgot.description).toBeVisible();
  await expectAccessible();
  await forgot.ask("");
  await expectErrors(page, [["Please enter your email", forgot.email]]);
  await forgot.ask(email);
  await expect(forgot.sent).toBeVisible();
  await expect(forgot.description).toBeHidden();
  await expectAccessible();

  const link = Inbox.linkIn(await shop.inbox.wait(email, /^Reset your/));
  await page.goto(link);
  await expect(setPassword.email).toHaveValue(email);
  await expect(setPassword.email).not.toBeEditable();
  await expect(page.getByRole("main").getByText(email)).toBeVisible();
  await expectAccessible();
  await setPassword.set("", "");
  await expectErrors(page, [["Please enter a new password.", setPassword.newPassword]]);
  await setPassword.set("1234567");
  await expectErrors(page, [["Password must be at least 8 characters long.", setPassword.newPassword]]);
  await expect(setPassword.newPassword).toHaveValue("");
  await expect(setPassword.confirmation).toHaveValue("");
  await setPassword.set("a-New-Pass-2", "a-New-Pass-3");
  await expectErrors(page, [["Password do not match!", setPassword.confirmation]]);
  await setPassword.set("a-New-Pass-2");
  await expect(page.getByText("Password Updated Successfully!", { exact: true })).toBeVisible();
  await expect(login.heading).toBeVisible();

  await elsewhere.myAccount.open();
  await expect(elsewhere.login.heading).toBeVisible();
  await login.logIn(email, password);
  await expectFormError(page, "Login failed. Please try again.");
  await login.logIn(email, "a-New-Pass-2");
  await shop.menu.expectLoggedIn();

  // The other spelling of the path is the same link, already used.
  await page.goto(link.replace("/reset-password/", "/reset/password/"));
  await expect(setPassword.heading).toHaveText("This link no longer works");
  await expectAccessible();
  await page.getByRole("link", { name: "Request a new link" }).click();
  await expect(forgot.heading).toBeVisible();
});

test("an unknown email gets the same message, and no mail", async ({ page, shop }) => {
  await page.goto("/forgot-password");
  const nobody = newEmail("nobody");
  await shop.forgotPassword.ask(nobody);
  await expect(shop.forgotPassword.sent).toBeVisible();
  // A mail requested later has arrived, and this one has not.
  const { email } = await shop.signUpAs();
  await page.goto("/forgot-password");
  await shop.forgotPassword.ask(email);
  await shop.inbox.wait(email, /^Reset your/);
  expect(await shop.inbox.read(nobody)).toEqual([]);
});

test("signing out everywhere ends another device's session too @keyboard", async ({
  shop,
  otherDevice,
  expectAccessible,
}) => {
  const { myAccount } = shop;
  const person = await shop.signUpAs();
  await shop.logIn(person.email, person.password);
  const elsewhere = await otherDevice();
  await elsewhere.logIn(person.email, person.password);
  await myAccount.open();
  await expect(myAccount.sessions).toHaveCount(2);
  await expect(myAccount.sessions.filter({ hasText: "This device" })).toHaveCount(1);
  await expectAccessible();
  await myAccount.signOutEverywhere();
  await expect(shop.login.heading).toBeVisible();
  await expect(shop.page.getByText("You've been signed out on all devices.")).toBeVisible();
  await elsewhere.myAccount.open();
  await expect(elsewhere.login.heading).toBeVisible();
  await elsewhere.login.logIn(person.email, person.password);
  await expect(elsewhere.myAccount.heading).toBeVisible();
});

test("a link with a session asks first, for anyone and from anywhere @keyboard", async ({
  page,
  shop,
  request,
  baseURL,
  expectAccessible,
}) => {
  const question = new ContinueAsPage(page);
  const tokenOf = async (person: { email: string; password: string }) => {
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const answer = await request.post(`${baseURL}/api/login`, {
      data: { encodedEmail: encode(person.email), encodedPassword: encode(person.password) },
    });
    const { token }: { token: string } = await answer.json();
    return token;
  };
  const sender = await shop.signUpAs();
  const token = await tokenOf(sender);
  await page.route("http://elsewhere.example/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Elsewhere</title><a href="${baseURL}/?jwt-token=${token}&service=google">To the shop</a>`,
    }),
  );
  const follow = async () => {
    await page.goto("http://elsewhere.example/");
    await page.getByRole("link", { name: "To the shop" }).click();
    await expect(question.heading).toBeVisible();
    expect(page.url()).not.toContain(token);
  };
  // Nobody is signed in.
  await follow();
  await expectAccessible();
  await question.stay(null);
  await expect(shop.menu.root.getByRole("link", { name: "Log In" })).toBeVisible();
  // Typed, or opened from a mail.
  await page.goto(`/?jwt-token=${token}`);
  await expect(question.heading).toBeVisible();

  // Another user is signed in and stays so, even after a login through a link with the token.
  const person = await shop.signUpAs();
  await page.goto(`/login?${new URLSearchParams({ next: `/?jwt-token=${token}` })}`);
  await shop.login.logIn(person.email, person.password);
  await expect(page).toHaveURL(/\/$/);
  await shop.myAccount.open();
  await expect(page.getByRole("main").getByText(person.email).first()).toBeVisible();
  await follow();
  await question.stay(person.email);
  await expect(page).toHaveURL(/\/\?service=google$/);
  await shop.myAccount.open();
  await expect(page.getByRole("main").getByText(person.email).first()).toBeVisible();
  await follow();
  await question.continueAs(sender.email);
  await expect(page).toHaveURL(/\/\?service=google$/);
  await shop.myAccount.open();
  await expect(page.getByRole("main").getByText(sender.email).first()).toBeVisible();
});

test("a user changes the password in My Account and gets a mail @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { email, password } = await shop.signUpAs();
  await shop.logIn(email, password);
  await shop.myAccount.open();
  await shop.myAccount.changePassword();
  const change = new ChangePasswordPage(page);
  await expect(change.heading).toBeVisible();
  await expectAccessible();
  await change.change("wrong", "another-Pass-2");
  await expectErrors(page, [["Your current password is incorrect.", change.field("Current Password")]]);
  await expect(change.field("New Password")).toHaveValue("");
  await change.change(password, "Password1");
  await expectErrors(page, [
    ["This password is too common and easy to guess. Choose another one.", change.field("New Password")],
  ]);
  await change.change(password, "another-Pass-2");
  await expect(shop.myAccount.heading).toBeVisible();
  await expect(page.getByText("Password changed.")).toBeVisible();
  await shop.inbox.wait(email, /^Your .* password was changed$/);
  await shop.menu.logOut();
  await shop.login.logIn(email, "another-Pass-2");
  await expect(page).toHaveURL(/\/$/);
});

test("a user confirms an email with a link from My Account @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { email, password } = await shop.signUpAs();
  await shop.logIn(email, password);
  await shop.myAccount.open();
  await expect(page.getByText("Your email is not confirmed yet")).toBeVisible();
  await expectAccessible();
  await shop.myAccount.mailLink();
  await expect(page.getByText(`We've emailed a link to ${email}.`)).toBeVisible();
  await page.goto(Inbox.linkIn(await shop.inbox.wait(email, /^Confirm your email/)));
  await shop.setPassword.set("another-Pass-2");
  await expect(page.getByText("Password Updated Successfully!")).toBeVisible();
  await shop.logIn(email, "another-Pass-2");
  await shop.myAccount.open();
  await expect(page.getByText("Your email is not confirmed yet")).toBeHidden();
});

test.describe("the shared script", () => {
  test("mirrors the user to local storage without the token, until Log Out", async ({ page, shop }) => {
    const person = await shop.signUpAs();
    const stored = () => page.evaluate(() => ({ ...localStorage }));
    expect(await stored()).toEqual({});
    await shop.logIn(person.email, person.password);
    await expect.poll(stored).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: person.email,
      firstname: "Asha",
      lastname: "Rao",
      customerId: "",
      phone: "9876543210",
      role: "CUSTOMER",
    });
    // Mirrors the order while it is in progress.
    await shop.reachAccount({ country: "US" });
    await expect
      .poll(stored)
      .toMatchObject({ item: "MS-BUSINESS-BASIC", customerName: "", selectedCust: "" });
    await page.goto("/");
    await expect.poll(stored).not.toHaveProperty("item");
    await page.evaluate(() => localStorage.setItem("item", "a-sku"));
    await shop.menu.logOut();
    await expect(shop.login.heading).toBeVisible();
    expect(await stored()).toEqual({});
  });

  test("shows a login in another window and keeps a half-filled form", async ({ page, shop, context }) => {
    await context.clock.install();
    const person = await shop.signUpAs();
    await page.goto("/search?query=business");
    const touched = await context.newPage();
    await touched.goto("/signup?next=%2Fsubscriptions");
    await touched.getByLabel("First Name").fill("Asha");
    const other = await context.newPage();
    await other.goto("/login");
    await other.getByLabel("Email", { exact: true }).fill(person.email);
    await other.getByLabel("Password", { exact: true }).fill(person.password);
    await other.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await expect(other.getByRole("navigation", { name: "Account" }).locator("summary")).toBeVisible();

    // Long enough for another poll.
    await context.clock.runFor(5_500);
    await shop.menu.expectLoggedIn();
    await expect(page).toHaveURL(/\/search\?query=business$/);
    const link = touched.getByRole("status").getByRole("link", { name: "Show this page signed in" });
    await expect(link).toBeVisible();
    await expect(touched.getByLabel("First Name")).toHaveValue("Asha");
    await link.click();
    await expect(touched.getByRole("heading", { level: 1, name: "My Subscriptions" })).toBeVisible();
  });

  test("does not report a sign-in on the page itself", async ({ page, shop }) => {
    await page.clock.install();
    const known = await shop.becomeKnown("US");
    await shop.reachAccount({ country: "US" });
    await shop.account.openLogin();
    await shop.account.login.submit(known.email, known.password);
    await shop.menu.expectLoggedIn();
    await shop.account.address.manually();
    expect(await page.evaluate(() => localStorage.getItem("user"))).toBe(known.email);
    await shop.account.field("city").fill("Dallas");
    // Long enough for another poll and its response.
    await page.clock.runFor(6_000);
    await page.waitForTimeout(500);
    await expect(page.getByRole("link", { name: "Show this page signed in" })).toBeHidden();
    await expect(shop.account.field("city")).toHaveValue("Dallas");
  });

  test("does not poll from a hidden page", async ({ page }) => {
    let count = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/validate-token")) count += 1;
    });
    await page.clock.install();
    await page.goto("/");
    await page.clock.runFor(5_500);
    await expect.poll(() => count).toBe(1);
    const turn = (state: string) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await turn("hidden");
    await page.clock.runFor(60_000);
    expect(count).toBeLessThanOrEqual(2);
    const before = count;
    await turn("visible");
    await expect.poll(() => count).toBe(before + 1);
  });

  test("shows progress on a submitted form and ignores a second click", async ({ page, shop, sql }) => {
    const { signUp } = shop;
    const email = newEmail("person");
    await page.goto("/signup");
    await signUp.fill({
      firstName: "Asha",
      lastName: "Rao",
      email,
      password: "x",
      phoneNumber: "9876543210",
    });
    let posts = 0;
    await page.route("**/signup", async (route) => {
      posts += 1;
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    // Inside the page, because a page that is being left cannot be queried from outside.
    await signUp.submit.evaluate((button: HTMLButtonElement) => {
      button.click();
      sessionStorage.setItem("busy", button.getAttribute("aria-busy") ?? "no");
      setTimeout(() => button.click(), 200);
    });
    await expect(page.getByText("User account created successfully.")).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem("busy"))).toBe("true");
    expect(posts).toBe(1);
    expect(await sql("select 1 from users where email = $1", [email])).toHaveLength(1);
  });

  test("reports a missing network at the form and keeps the input", async ({
    page,
    shop,
    context,
    expectedErrors,
  }) => {
    expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
    const words: [string, string][] = [
      ["/login", "Login failed. Please try again."],
      ["/signup", "Signup falied. Please try again after sometime."],
      ["/forgot-password", "An error occurred: you're offline"],
    ];
    for (const [path, message] of words) {
      await page.goto(path);
      await shop.login.email.fill("asha@example.com");
      await context.setOffline(true);
      await page.locator("main form button:not([type=button])").first().click();
      await expect(page.getByRole("alert")).toHaveText(message);
      await expect(shop.login.email).toHaveValue("asha@example.com");
      await context.setOffline(false);
    }
    await page.getByRole("button", { name: "Submit" }).click();
    await expect(shop.forgotPassword.sent).toBeVisible();
  });
});
