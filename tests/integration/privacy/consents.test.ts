/** Consents with version, time and network: given with an account or an order, shown to the person, and provable later. */
import { expect, test } from "vitest";
import type { UserId } from "#db/ids.ts";
import { consentsOf, consentText, consentVersion } from "#server/accounts/consents.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { freshEmail, signUpForm, toCheckout } from "#tests/support/journey.ts";
import { proveMailboxOf, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

async function userOf(email: string): Promise<UserId> {
  const user = await findUserByEmail(db, email);
  if (user === null) throw new Error(`User ${email} not found`);
  return user.id;
}

test("accepts at sign-up the privacy notice that the page links to", async () => {
  const browser = new HttpBrowser(stack.url);
  expect((await browser.get(paths.signup())).text).toContain(
    `<a href="${paths.privacy()}">privacy notice</a>`,
  );
  const email = freshEmail();
  await browser.post(paths.signup(), signUpForm(email));
  expect(await consentsOf(db, await userOf(email))).toMatchObject([
    {
      text: "privacy",
      version: consentVersion("privacy"),
      language: "en",
      network: browser.address,
      orderId: null,
    },
  ]);
});

test("records the terms with the order and the notice with its account", async () => {
  const order = await toCheckout(stack.url);
  const userId = await userOf(order.email);
  expect(await consentsOf(db, userId)).toMatchObject([
    { text: "terms", version: consentVersion("terms"), orderId: order.id, network: order.browser.address },
    { text: "privacy", version: consentVersion("privacy"), orderId: null },
  ]);
  await proveMailboxOf(db, userId);
  const browser = await signedIn(context, stack.url, { userId, email: order.email });
  const words = wordsOf((await browser.get(paths.myData())).text);
  for (const said of [
    "Terms of sale and of the order",
    "Privacy notice",
    consentVersion("terms"),
    order.browser.address,
  ])
    expect(words).toContain(said);
});

test("stores the text of each version once", async () => {
  const stored = await db
    .selectFrom("consent_texts")
    .select(["text", "version", "words"])
    .orderBy("text")
    .execute();
  expect(stored).toEqual([
    { text: "privacy", version: consentVersion("privacy"), words: consentText("privacy") },
    { text: "terms", version: consentVersion("terms"), words: consentText("terms") },
  ]);
});
