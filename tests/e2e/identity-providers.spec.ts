/**
 * Sign-in with Outlook and with Google: the first creates an account, later ones sign in, and an unverified email requires a
 * proof.
 */
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { expectErrors, expectFormError } from "./pages/errors.ts";

const freshEmail = () => newAccount("IN").email;

for (const provider of ["Outlook", "Google"] as const) {
  test.describe(`with ${provider}`, () => {
    test("creates an account at first, then signs in to it and returns @keyboard @journey", async ({
      page,
      shop,
      sql,
      expectAccessible,
    }) => {
      const person = { email: freshEmail(), name: "Nina Menon", verified: true };
      await shop.login.open();
      await shop.login.continueWith(provider);
      await expect(shop.identityProviders[provider].heading).toBeVisible();
      await expectAccessible();
      await shop.identityProviders[provider].signInAsSomebody(person);
      await expect(page).toHaveURL("/");
      await expect(shop.menu.root).toContainText("Nina Menon");

      await shop.menu.logOut();
      await expect(shop.login.heading).toBeVisible();
      // A page for signed-in users redirects to the login, which keeps the return address.
      await page.goto("/subscriptions");
      await expect(shop.login.heading).toBeVisible();
      await shop.login.continueWith(provider);
      // Logging out of the store did not sign out at the provider, where a new person can be chosen.
      await shop.identityProviders[provider].signInAsSomebody(person);
      await expect(shop.subscriptions.heading).toBeVisible();
      const users = await sql("select email_verified_at from users where email = $1", [person.email]);
      expect(users).toHaveLength(1);
      expect(users[0]?.email_verified_at).not.toBeNull();
    });

    test("asks once for the password of an account with an unverified email", async ({
      page,
      shop,
      otherDevice,
      expectAccessible,
    }) => {
      const known = await shop.becomeKnown("IN");
      const claim = { email: known.email, name: "Asha Rao", verified: false };
      await shop.login.open();
      await shop.login.continueWith(provider);
      await shop.identityProviders[provider].signInAsSomebody(claim);
      const proof = shop.identityProof;
      await expect(proof.heading).toHaveText("Is this your account?");
      await expect(shop.menu.name).toHaveCount(0);
      await expectAccessible();
      await proof.enterPassword("");
      await expectErrors(page, [["Please enter your password", proof.password]]);
      await proof.enterPassword("not-the-password");
      await expectFormError(page, "Login failed. Please try again.");
      await proof.enterPassword(known.password);
      await expect(page).toHaveURL("/");
      await shop.menu.expectLoggedIn();

      const elsewhere = await otherDevice();
      await elsewhere.page.goto(new URL("/login", page.url()).href);
      await elsewhere.login.continueWith(provider);
      await elsewhere.identityProviders[provider].signInAsSomebody(claim);
      await elsewhere.menu.expectLoggedIn();
    });

    test("confirms an unverified new email with a mailed code @keyboard", async ({
      page,
      shop,
      sql,
      expectAccessible,
    }) => {
      const email = freshEmail();
      await shop.login.open();
      await shop.login.continueWith(provider);
      await shop.identityProviders[provider].signInAsSomebody({ email, name: "Mira Das", verified: false });
      const proof = shop.identityProof;
      await expect(proof.heading).toHaveText("Is this your email?");
      await expect(proof.email).toHaveValue(email);
      await expectAccessible();
      await proof.mailCode();
      await expect(proof.heading).toHaveText("Enter the code");
      await expectAccessible();
      expect(await sql("select id from users where email = $1", [email])).toEqual([]);
      await proof.enterCode("1234");
      await expectErrors(page, [["The code has 8 digits", proof.code]]);
      const mail = await shop.inbox.wait(email, `Your code to sign in with ${provider}`);
      await proof.enterCode(/\d{4} \d{4}/.exec(mail.text)?.[0] ?? "");
      await expect(page).toHaveURL("/");
      await expect(shop.menu.root).toContainText("Mira Das");
    });

    test("asks a person without an email for one; Cancel leads back to the login", async ({ page, shop }) => {
      await shop.login.open();
      await shop.login.continueWith(provider);
      await shop.identityProviders[provider].cancel();
      await expect(shop.login.heading).toBeVisible();
      await expect(page.getByRole("alert")).toContainText(`Sign-in with ${provider} was cancelled`);
      await shop.login.continueWith(provider);
      await shop.identityProviders[provider].signInAsSomebody({
        email: "",
        name: "Ravi Nomail",
        verified: false,
      });
      await expect(shop.identityProof.heading).toHaveText("What is your email?");
      await expect(shop.identityProof.email).toHaveValue("");
    });

    test("connects with the signed-in user's account, and disconnects @keyboard", async ({
      page,
      shop,
      expectAccessible,
    }) => {
      const known = await shop.becomeKnown("IN");
      const person = { email: freshEmail(), name: "Asha Rao", verified: false };
      await shop.logIn(known.email, known.password);
      await page.goto("/account");
      await page.getByRole("link", { name: "Connected accounts" }).click();
      await expect(page.getByText("No connected accounts yet.")).toBeVisible();
      await expectAccessible();
      await page.getByRole("link", { name: `Continue with ${provider}` }).click();
      await shop.identityProviders[provider].signInAsSomebody(person);
      await expect(page.getByRole("heading", { name: `Connect ${provider}?` })).toBeVisible();
      await expect(page.getByRole("main")).toContainText(person.email);
      await expectAccessible();
      await page.getByLabel("Password", { exact: true }).first().fill(known.password);
      await page.getByRole("button", { name: `Connect ${provider}` }).click();
      await expect(page.getByText(`${provider} connected. You can now sign in with it.`)).toBeVisible();

      await page.locator("summary", { hasText: `Remove ${provider}` }).click();
      await page.getByLabel("Password", { exact: true }).fill(known.password);
      await page.getByRole("button", { name: `Remove ${provider}` }).click();
      await expect(page.getByText(`${provider} removed.`)).toBeVisible();
      await expect(page.getByText("No connected accounts yet.")).toBeVisible();
    });
  });
}
