/** Connected sign-ins over HTTP: connecting an identity while signed in, removing one, and what is refused. */
import { describe, expect, test } from "vitest";
import type { UserId } from "#db/ids.ts";
import { erasePerson } from "#db/privacy/account-deletions.ts";
import { readExportRows } from "#db/privacy/data-exports.ts";
import { mintCode, mintToken } from "#server/accounts/one-time-tokens.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { codeAt } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { signInWith, throughProvider } from "#tests/support/identity-providers.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const visitor = () => new HttpBrowser(stack.url);
const isIn = async (browser: HttpBrowser) => (await browser.get(paths.account())).status === 200;
const identitiesOf = (userId: UserId) =>
  db.selectFrom("identities").selectAll().where("user_id", "=", userId).orderBy("created_at").execute();
const page = async (browser: HttpBrowser) => mainContentOf((await browser.get(paths.signIns())).text);
const keyIn = (text: string) => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";
const connect = (browser: HttpBrowser, shown: Record<string, string> = {}) =>
  browser.post(paths.signIns(), { intent: "connect", currentPassword: buyerPassword, ...shown });

async function untilMailed(email: string, subject: string): Promise<void> {
  await until(`a mail to ${email}: ${subject}`, async () =>
    (await controls.inbox(email)).some((mail) => mail.subject.includes(subject)),
  );
}

describe.each(identityProviderIds)("%s", (id) => {
  const { name, paths: ours } = identityProviders[id];
  const start = ours.signIn(undefined, "yes");
  const remove = (browser: HttpBrowser, key: string, shown: Record<string, string> = {}) =>
    browser.post(paths.signIns(), { intent: "remove", key, currentPassword: buyerPassword, ...shown });

  async function buyerWithOffer(chosen: { email: string; verified?: boolean } = { email: freshEmail() }) {
    const buyer = await makeBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    const answer = await signInWith(id, browser, chosen, { start });
    expect([answer.status, answer.location]).toEqual([302, paths.signIns()]);
    return { ...buyer, browser, chosen };
  }
  async function connected() {
    const buyer = await buyerWithOffer();
    expect((await connect(buyer.browser)).status).toBe(303);
    return buyer;
  }

  test("connects an identity after a password check, mails the owner, then signs in", async () => {
    const { userId, email, browser, chosen } = await buyerWithOffer();
    const requested = await page(browser);
    expect(requested).toContain(`Connect ${name}?`);
    expect(requested).toContain(chosen.email);
    expect(await identitiesOf(userId)).toEqual([]);
    const wrong = await connect(browser, { currentPassword: "wrong" });
    expect(wrong.status).toBe(400);
    expect(await identitiesOf(userId)).toEqual([]);

    const answer = await connect(browser);
    expect([answer.status, answer.location]).toEqual([303, paths.signIns()]);
    expect(await identitiesOf(userId)).toMatchObject([
      { provider: id, email: chosen.email, proof: "password" },
    ]);
    const after = await page(browser);
    expect(after).toContain(chosen.email);
    expect(after).not.toContain(`Connect ${name}?`);
    await untilMailed(email, `${name} sign-in was added to your`);

    const elsewhere = visitor();
    expect((await signInWith(id, elsewhere, chosen)).status).toBe(303);
    expect((await elsewhere.get(paths.account())).text).toContain(email);
  });

  test("keeps only identities with the account's verified email after a password reset", async () => {
    const buyer = await makeBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    await signInWith(id, browser, { email: buyer.email, verified: true }, { start });
    await connect(browser);
    await signInWith(id, browser, { email: freshEmail(), verified: true }, { start });
    await connect(browser);
    expect((await identitiesOf(buyer.userId)).map(({ proof }) => proof)).toEqual(["email", "password"]);
    const token = await mintToken(db, { purpose: "reset-password", userId: buyer.userId, ttlSeconds: 60 });
    const chosen = { password: "another-Pass-2", confirmPassword: "another-Pass-2" };
    expect((await visitor().post(`/reset-password/${token}`, chosen)).status).toBe(200);
    expect((await identitiesOf(buyer.userId)).map(({ email }) => email)).toEqual([buyer.email]);
  });

  test("asks for a code where there is a second factor", async () => {
    const buyer = await buyerWithOffer();
    const { secret } = await connectApp(context, buyer);
    const browser = await signedIn(context, stack.url, buyer);
    await signInWith(id, browser, buyer.chosen, { start });
    expect((await connect(browser)).status).toBe(400);
    expect(await identitiesOf(buyer.userId)).toEqual([]);
    expect((await connect(browser, { code: codeAt(secret) })).status).toBe(303);
    expect(await identitiesOf(buyer.userId)).toHaveLength(1);
  });

  test("refuses an identity that is already connected to this or another account", async () => {
    const first = await connected();
    const other = await signedIn(context, stack.url, await makeBuyer(context));
    const answer = await signInWith(id, other, first.chosen, { start });
    expect([answer.status, answer.location]).toEqual([303, paths.signIns()]);
    expect((await other.get(paths.signIns())).text).toContain(
      `This ${name} account is already connected to a different account`,
    );
    expect((await connect(other)).status).toBe(409);
    await signInWith(id, first.browser, first.chosen, { start });
    expect((await first.browser.get(paths.signIns())).text).toContain(
      `This ${name} account is already connected.`,
    );
    expect(await identitiesOf(first.userId)).toHaveLength(1);
  });

  test("does not offer an identity to another user who signed in in the meantime", async () => {
    const one = await signedIn(context, stack.url, await makeBuyer(context));
    const answer = await throughProvider(id, one, { email: freshEmail() }, { start });
    const victim = await makeBuyer(context);
    const session = (await signedIn(context, stack.url, victim)).cookie("session") ?? "";
    one.setCookie("session", session);
    const back = await one.get(`${answer.pathname}${answer.search}`);
    expect(back.location).toBe(paths.login(paths.signIns()));
    expect((await connect(one)).status).toBe(409);

    const offered = await buyerWithOffer();
    offered.browser.setCookie("session", session);
    expect(await page(offered.browser)).not.toContain(`Connect ${name}?`);
    expect((await connect(offered.browser)).status).toBe(409);
    expect(await identitiesOf(victim.userId)).toEqual([]);
  });

  test("requires a session to start connecting, so that it creates no second account", async () => {
    const browser = visitor();
    const { status, location } = await browser.get(start);
    expect([status, location]).toEqual([302, paths.login(paths.signIns())]);
    expect(browser.hasCookie(id)).toBe(false);
  });

  test("refuses to connect an identity before the mailbox is proven", async () => {
    const buyer = await buyerWithOffer();
    await db.updateTable("users").set({ email_verified_at: null }).where("id", "=", buyer.userId).execute();
    expect((await connect(buyer.browser)).status).toBe(403);
    expect(await identitiesOf(buyer.userId)).toEqual([]);
  });

  test("returns to the sign-ins page after Cancel and connects nothing", async () => {
    const buyer = await makeBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    const answer = await signInWith(id, browser, { email: freshEmail() }, { start, cancel: true });
    expect([answer.status, answer.location]).toEqual([303, paths.signIns()]);
    expect((await browser.get(paths.signIns())).text).toContain(`Sign-in with ${name} was cancelled`);
    expect((await connect(browser)).status).toBe(409);
  });

  test("removes an identity after a password check and ends all other sessions", async () => {
    const { userId, email, browser, chosen } = await connected();
    const elsewhere = visitor();
    await signInWith(id, elsewhere, chosen);
    expect(await isIn(elsewhere)).toBe(true);
    const key = keyIn(await page(browser));
    expect((await remove(browser, key, { currentPassword: "wrong" })).status).toBe(400);
    expect(await identitiesOf(userId)).toHaveLength(1);
    expect((await remove(browser, key)).status).toBe(303);
    expect((await browser.get(paths.signIns())).text).toContain(
      `${name} removed. You&#x27;ve been signed out everywhere else`,
    );
    expect(await identitiesOf(userId)).toEqual([]);
    expect([await isIn(browser), await isIn(elsewhere)]).toEqual([true, false]);
    await untilMailed(email, `${name} sign-in was removed from your`);
    const again = await signInWith(id, visitor(), chosen);
    expect([again.status, again.location]).toEqual([302, ours.proof()]);
    // The same button, pressed in another tab.
    expect((await remove(browser, key)).status).toBe(303);
    expect((await browser.get(paths.signIns())).text).toContain("It has already been removed");
  });

  test("keeps the only way to sign in, and identities of other users", async () => {
    const email = freshEmail();
    const browser = visitor();
    await signInWith(id, browser, { email, verified: true });
    const key = keyIn(await page(browser));
    const { id: userId } = await db
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    // An account without a password needs a mailed code instead.
    const proven = async () => ({
      currentPassword: await mintCode(db, { purpose: "account-code", userId, ttlSeconds: 60 }),
    });
    const refused = await remove(browser, key, await proven());
    expect([
      refused.status,
      refused.text.includes("This is the only way to sign in to your account"),
    ]).toEqual([409, true]);
    const stranger = await signedIn(context, stack.url, await makeBuyer(context));
    await remove(stranger, key);
    expect((await signInWith(id, visitor(), { email, verified: true })).status).toBe(303);

    // A second identity, so that the first can be removed.
    await signInWith(id, browser, { email: freshEmail(), verified: true }, { start });
    expect((await connect(browser, await proven())).status).toBe(303);
    expect((await remove(browser, key, await proven())).status).toBe(303);
  });
});

test("exports both identities and erases them with the account", async () => {
  const { userId, email } = await makeBuyer(context);
  const browser = await signedIn(context, stack.url, { userId, email });
  for (const id of identityProviderIds) {
    const start = identityProviders[id].paths.signIn(undefined, "yes");
    await signInWith(id, browser, { email: freshEmail() }, { start });
    await connect(browser);
  }
  const of = { userId, email, customerIds: [], names: [] };
  const { rows } = await readExportRows(db, "identities", { scope: "own", of, after: "", limit: 10 });
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).toMatch(/"provider":"outlook".*"provider":"google"|"google".*"outlook"/);
  await db.transaction().execute((trx) => erasePerson(trx, of));
  expect(await identitiesOf(userId)).toEqual([]);
});
