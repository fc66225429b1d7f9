/** Two-step sign-in and passkeys in a browser: an app with and without scripts, a passkey by a virtual authenticator. */
import { readFileSync } from "node:fs";
import { codeAt } from "#tests/support/desk.ts";
import { expect, type Sql, test } from "./fixtures.ts";
import type { Shop } from "./pages/shop.ts";

/** Signs in with the password of a new account that has a verified mailbox. */
async function signInNewly(shop: Shop, sql: Sql): Promise<{ email: string; password: string }> {
  const person = await shop.signUpAs();
  await sql("update users set email_verified_at = now() where email = $1", [person.email]);
  await shop.login.logIn(person.email, person.password);
  await shop.menu.expectLoggedIn();
  return person;
}

test("a user connects an app, enters a code, and saves recovery codes as a file", async ({
  page,
  shop,
  sql,
  expectAccessible,
}) => {
  const { email, password } = await signInNewly(shop, sql);
  await page.goto("/account");
  await page.getByRole("link", { name: "Two-step sign-in" }).click();
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  await expect(page.getByRole("img", { name: "The key as a QR code" })).toBeVisible();
  await expectAccessible();
  const secret = ((await page.locator("main code").textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  await expectAccessible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download codes" }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  const [, code = ""] = /^([a-z2-9]{4}(?:-[a-z2-9]{4}){3})\r$/m.exec(file) ?? [];
  expect(file).toContain(email);

  await page.context().clearCookies();
  await page.goto("/login?next=/account");
  await shop.login.logIn(email, password);
  await expect(page.getByRole("heading", { name: "Enter a code" })).toBeVisible();
  await expectAccessible();
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("You signed in with a recovery code. You have 9 left.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "My Account" })).toBeVisible();
});

test("a user adds a passkey, signs in with it after signing out, and removes it", async ({
  page,
  shop,
  sql,
  expectAccessible,
}) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { password } = await signInNewly(shop, sql);
  await page.goto("/account");
  await page.getByRole("link", { name: "Passkeys" }).click();
  await expectAccessible();
  await page.getByLabel("Name").fill("My laptop");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  const code = (await page.locator("main code").first().textContent()) ?? "";

  await page.context().clearCookies();
  await page.goto("/login?next=/account/passkeys");
  await page.getByRole("link", { name: "Sign in with a passkey" }).click();
  await expectAccessible();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Your passkeys" })).toContainText("My laptop");

  await page.getByText("Remove My laptop…").click();
  const row = page.getByRole("listitem").filter({ hasText: "My laptop" });
  await row.getByLabel("Password").fill(password);
  await row.getByLabel("Code").fill(code);
  await row.getByRole("button", { name: "Remove My laptop" }).click();
  await expect(page.getByText("My laptop removed.")).toBeVisible();
});

test("without scripts a passkey's page names the alternatives @without-scripts", async ({ page }) => {
  await page.goto("/login/passkey");
  await expect(page.getByText("Passkeys need JavaScript")).toBeVisible();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeHidden();
});
