/** Create Account during input: keyboards on phones, autofill, and the layout of the fields. */
import type { Locator } from "playwright/test";
import { expect, test } from "./fixtures.ts";
import { accountFields, newAccount } from "./pages/account-step.ts";
import { untilHydrated } from "./pages/checkout.ts";
import { expectErrors } from "./pages/errors.ts";
import { newDomain } from "./pages/sign-in-step.ts";

/** Expects these attributes of an input, as HTML writes them. */
async function expectAttributes(input: Locator, attributes: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(attributes)) await expect(input).toHaveAttribute(name, value);
}

/** Attributes against a phone's corrections: codes are in capitals, machine-read names begin in lower case. */
const code = { autocapitalize: "characters", autocomplete: "off", spellcheck: "false" };
const name = { autocapitalize: "none", autocomplete: "off", spellcheck: "false" };

test("fields have phone keyboards and autofill names @without-scripts", async ({ shop }) => {
  const { account } = shop;
  await shop.reachAccount({ country: "IN" });
  await expectAttributes(account.address.gstin, code);
  await account.address.manually();
  const expected = {
    companyName: { autocomplete: "organization" },
    addressLine1: { autocomplete: "address-line1" },
    addressLine2: { autocomplete: "address-line2" },
    city: { autocomplete: "address-level2" },
    state: { autocomplete: "address-level1" },
    pincode: { autocomplete: "postal-code", inputmode: "numeric" },
    registration: code,
    firstName: { autocomplete: "given-name" },
    lastName: { autocomplete: "family-name" },
    email: { autocomplete: "email", type: "email" },
    phoneNumber: { autocomplete: "tel-national", type: "tel", inputmode: "tel", enterkeyhint: "done" },
  } as const;
  for (const field of accountFields) await expectAttributes(account.field(field), expected[field]);
  await expectAttributes(account.gstCode, code);
  await expectAttributes(account.phoneCode, { autocomplete: "tel-country-code" });
  // A list: "MH" needs no typing, and no guess at a state's spelling.
  expect(await account.field("state").evaluate(({ tagName }) => tagName)).toBe("SELECT");

  await shop.reachAccount({ country: "US" });
  await expectAttributes(account.field("pincode"), { inputmode: "text" });
});

test("the USA has a ZIP Code and an EIN, and no GST code @without-scripts", async ({ page, shop }) => {
  const { account } = shop;
  await shop.reachAccount({ country: "US" });
  await expect(page.getByRole("main").getByText(/pincode|GST|PAN\b/i)).toHaveCount(0);
  await account.fill(newAccount("US", { pincode: "", registration: "" }));
  await account.next();
  await expectErrors(page, [
    ["ZIP Code field is required.", page.getByLabel("ZIP Code", { exact: true })],
    [
      "Employer Identification Number (EIN) field is required.",
      page.getByLabel("Employer Identification Number (EIN)", { exact: true }),
    ],
  ]);
  await account.fill(newAccount("US", { pincode: "787" }));
  await account.next();
  await expectErrors(page, [["Please enter a valid ZIP code", account.field("pincode")]]);
});

test("phones do not capitalise machine-read names @without-scripts", async ({ shop, otherDevice }) => {
  await shop.details.open("google-workspace-business-starter", "IN", "google");
  await expectAttributes(shop.details.domain, { ...name, inputmode: "url" });
  await shop.reachSignIn({ country: "US" });
  await expectAttributes(shop.signIn.username, name);
  await expectAttributes(shop.signIn.prefix, name);
  await expectAttributes(shop.signIn.existingUsername, { ...name, inputmode: "email" });
  const elsewhere = await otherDevice();
  await elsewhere.reachSignIn({
    family: "google",
    plan: "google-workspace-business-starter",
    country: "IN",
    domain: newDomain("transfer"),
  });
  await expectAttributes(elsewhere.signIn.transferToken, name);
});

test("fields side by side stay aligned when one has an error @without-scripts", async ({ page, shop }) => {
  const { account } = shop;
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await shop.reachAccount({ country: "US" });
    await account.fill(newAccount("US", { phoneNumber: "12345" }));
    await account.next();
    await expect(page.getByRole("main").getByText("Please enter valid phone number")).toHaveCount(2);
    const top = async (field: Locator) => (await field.boundingBox())?.y ?? Number.NaN;
    expect(await top(account.phoneCode)).toBeCloseTo(await top(account.field("phoneNumber")), 0);
  }
});

test("a visitor reads about the account before and after it exists @without-scripts", async ({
  page,
  shop,
}) => {
  const { account } = shop;
  const typed = newAccount("US");
  await shop.reachAccount({ country: "US" });
  await expect(account.field("email")).toHaveAccessibleDescription(
    "We'll create an account and email you a link to set its password.",
  );
  await account.fill(typed);
  await account.next();
  await shop.expectStep("placeOrder");
  await shop.openStep("account");
  await expect(page.getByText(`Signed in as ${typed.email}`)).toBeVisible();
  await expect(account.field("email")).not.toHaveAccessibleDescription(/We'll create an account/);
});

test("a complete GSTIN is copied to the second field", async ({ shop }) => {
  const { account } = shop;
  const registration = account.field("registration");
  await shop.reachAccount({ country: "IN" });
  await account.address.manually();
  await untilHydrated(account.field("companyName"));
  await registration.pressSequentially("29 aabcb1234c1z");
  await expect(account.gstCode).toHaveValue("");
  await registration.pressSequentially("a");
  await expect(account.gstCode).toHaveValue("29AABCB1234C1ZA");
  // It follows the first field, and is emptied with it.
  await registration.fill("27AAPFU0939F1ZV");
  await expect(account.gstCode).toHaveValue("27AAPFU0939F1ZV");
  await registration.fill("AABCB1234C");
  await expect(account.gstCode).toHaveValue("");
  // Typed input is not overwritten.
  await account.gstCode.fill("29AABCB1234C1ZA");
  await registration.fill("27AAPFU0939F1ZV");
  await expect(account.gstCode).toHaveValue("29AABCB1234C1ZA");

  await account.fill(newAccount("IN", { registration: "29AABCB1234C1ZA", state: "Karnataka" }));
  await account.next();
  await shop.expectStep("placeOrder");
});
