/** Passkeys over HTTP: ownership, refusals, and use as a second factor. */
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { Authenticator, type Wrongly } from "#tests/support/authenticator.ts";
import { codeAt } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { toReview } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const visitor = () => new HttpBrowser(stack.url);
const isIn = async (browser: HttpBrowser) => (await browser.get(paths.account())).status === 200;

async function optionsFor(browser: HttpBrowser, purpose: "make" | "sign-in") {
  const { status, text } = await browser.post(paths.passkeyOptions(), { for: purpose });
  expect(status).toBe(200);
  return JSON.parse(text);
}

async function add(
  browser: HttpBrowser,
  passkey: Authenticator,
  more: Record<string, string> = {},
  wrongly: Wrongly = {},
) {
  const response = passkey.make(await optionsFor(browser, "make"), wrongly);
  return browser.post(paths.passkeys(), {
    intent: "add",
    name: "My phone",
    response,
    currentPassword: buyerPassword,
    ...more,
  });
}

/** Creates a buyer with one passkey and no other second factor. */
async function withPasskey(passkey = new Authenticator(stack.url), wrongly: Wrongly = {}) {
  const buyer = await makeBuyer(context);
  const browser = await signedIn(context, stack.url, buyer);
  const { text } = await add(browser, passkey, {}, wrongly);
  const codes = [...mainContentOf(text).matchAll(/<code>([a-z0-9-]{19})<\/code>/g)].map(
    ([, code = ""]) => code,
  );
  expect(codes).toHaveLength(10);
  return { ...buyer, browser, passkey, codes };
}

async function signIn(passkey: Authenticator, wrongly: Wrongly = {}, next = "/subscriptions") {
  const browser = visitor();
  const response = passkey.signIn(await optionsFor(browser, "sign-in"), wrongly);
  return { browser, response, answer: await browser.post(paths.loginPasskey(), { response, next }) };
}

describe("a passkey", () => {
  test("signs in without email, password or code; adding one is mailed", async () => {
    const { email, passkey, browser: first } = await withPasskey();
    const { browser, answer } = await signIn(passkey);
    expect(`${answer.status} ${answer.location}`).toBe("303 /subscriptions");
    expect((await browser.get(paths.account())).text).toContain(email);
    const list = mainContentOf((await first.get(paths.passkeys())).text);
    expect(list).toContain("My phone");
    expect(list).toContain("last used on");
    expect(list).not.toContain("never used");
    await until("a mail", async () =>
      (await controls.inbox(email)).some(({ subject }) => subject.startsWith("A passkey was added to your")),
    );
  });

  test("requires a second step after the password: a recovery code or the passkey", async () => {
    const { email, passkey, codes } = await withPasskey();
    const browser = visitor();
    const response = await browser.post(paths.login(), { email, password: buyerPassword });
    expect(response.location).toBe(paths.loginCode());
    expect(mainContentOf((await browser.get(paths.loginCode())).text)).toContain(paths.loginPasskey());
    expect((await browser.post(paths.loginCode(), { code: codes[0] ?? "" })).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
    expect((await signIn(passkey)).answer.status).toBe(303);
  });

  test.each<[string, Wrongly]>([
    ["left out, as security keys do", { leavesOutHandle: true }],
    ["null", { userHandle: null }],
    ["empty", { userHandle: "" }],
    ["its user's", {}],
  ])("signs in by the credential when the user handle is %s", async (_what, otherwise) => {
    const { passkey, email } = await withPasskey();
    const { browser, answer } = await signIn(passkey, otherwise);
    expect(`${answer.status} ${answer.location}`).toBe("303 /subscriptions");
    expect((await browser.get(paths.account())).text).toContain(email);
  });

  test("refuses the user handle of another customer", async () => {
    const [{ passkey }, other] = [await withPasskey(), await withPasskey()];
    const { id } = await context.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", other.email)
      .executeTakeFirstOrThrow();
    const userHandle = Buffer.from(id).toString("base64url");
    expect((await signIn(passkey, { userHandle })).answer.status).toBe(401);
    expect((await signIn(other.passkey, { userHandle })).answer.status).toBe(303);
  });

  test.each<[string, Wrongly]>([
    ["for another origin", { origin: "https://evil.example" }],
    ["for another site", { rpId: "evil.example" }],
    ["without asking its person", { verified: false }],
    ["that names another user", { userHandle: Buffer.from("somebody").toString("base64url") }],
    ["whose counter has not moved on, as a copy's", { counter: 1 }],
  ])("refuses a response %s", async (_what, wrongly) => {
    const { passkey } = await withPasskey();
    expect((await signIn(passkey)).answer.status).toBe(303);
    const { browser, answer } = await signIn(passkey, wrongly);
    expect(answer.status).toBe(401);
    expect(mainContentOf(answer.text)).toContain("This passkey isn&#x27;t linked to an account here");
    expect(await isIn(browser)).toBe(false);
  });

  test("signs in with a counter that stays at 0, but not with one that goes back", async () => {
    const synced = { counter: 0, isBackedUp: true } as const;
    const { passkey } = await withPasskey(new Authenticator(stack.url), synced);
    for (const counter of [0, 0, 0, 5])
      expect((await signIn(passkey, { ...synced, counter })).answer.status, String(counter)).toBe(303);
    expect((await signIn(passkey, synced)).answer.status).toBe(401);
  });

  test("signs in with an RSA key, which Windows Hello can create", async () => {
    const { passkey } = await withPasskey(new Authenticator(stack.url, "RS256"));
    expect((await signIn(passkey)).answer.status).toBe(303);
  });

  test("accepts a response once, and only for a challenge from the store", async () => {
    const { passkey } = await withPasskey();
    const { response } = await signIn(passkey);
    expect((await visitor().post(paths.loginPasskey(), { response })).status).toBe(401);
    const invented = passkey.signIn({ challenge: "aW52ZW50ZWQ" });
    expect((await visitor().post(paths.loginPasskey(), { response: invented })).status).toBe(401);
    // A challenge for adding a passkey.
    const { browser } = await withPasskey();
    const other = passkey.signIn(await optionsFor(browser, "make"));
    expect((await visitor().post(paths.loginPasskey(), { response: other })).status).toBe(401);
  });

  test.each([
    "",
    "{}",
    "null",
    "[1]",
    "not json",
    '{"id":"a","rawId":"a","type":"public-key","response":{}}',
  ])("refuses %j as a response", async (response) => {
    const answer = await visitor().post(paths.loginPasskey(), { response });
    expect(answer.status).toBe(response === "" ? 400 : 401);
  });

  test("refuses unknown and removed passkeys", async () => {
    expect((await signIn(new Authenticator(stack.url))).answer.status).toBe(401);
    const { browser, passkey, codes, email } = await withPasskey();
    const remove = (code: string) =>
      browser.post(paths.passkeys(), {
        intent: "remove",
        id: passkey.id,
        code,
        currentPassword: buyerPassword,
      });
    expect((await remove("")).status).toBe(400);
    expect((await signIn(passkey)).answer.status).toBe(303);
    expect((await remove(codes[0] ?? "")).status).toBe(303);
    expect((await signIn(passkey)).answer.status).toBe(401);
    // It was the only second factor, so the password is enough again and the codes are gone.
    expect((await visitor().post(paths.login(), { email, password: buyerPassword })).location).toBe("/");
    const again = await connectApp(context, await makeBuyer(context));
    expect(again.recoveryCodes).not.toContain(codes[1]);
  });
});

describe("adding a passkey", () => {
  test("requires the password, a proven mailbox and a code if there is a second factor", async () => {
    const unproven = visitor();
    await toReview(unproven);
    expect((await unproven.post(paths.passkeyOptions(), { for: "make" })).status).toBe(403);

    const buyer = await makeBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    expect((await add(browser, new Authenticator(stack.url), { currentPassword: "wrong" })).status).toBe(400);
    const { secret } = await connectApp(context, buyer);
    const guarded = await signedIn(context, stack.url, buyer);
    expect((await add(guarded, new Authenticator(stack.url))).status).toBe(400);
    const passkey = new Authenticator(stack.url);
    expect((await add(guarded, passkey, { code: codeAt(secret) })).status).toBe(303);
    expect((await signIn(passkey)).answer.status).toBe(303);
  });

  test("refuses another user's challenge and an existing key", async () => {
    const [one, other] = [await withPasskey(), await makeBuyer(context)];
    const browser = await signedIn(context, stack.url, other);
    const post = (response: string) =>
      browser.post(paths.passkeys(), {
        intent: "add",
        name: "Theirs",
        response,
        currentPassword: buyerPassword,
      });
    const fresh = new Authenticator(stack.url);
    expect((await post(fresh.make(await optionsFor(one.browser, "make")))).status).toBe(409);
    expect((await post(one.passkey.make(await optionsFor(browser, "make")))).status).toBe(409);
    expect((await post(fresh.make(await optionsFor(browser, "make"), { verified: false }))).status).toBe(409);
    expect((await post(fresh.make(await optionsFor(browser, "make")))).status).toBe(200);
  });

  test("allows connecting an app in addition, after a code", async () => {
    const { browser, codes } = await withPasskey();
    const begin = (code: string) =>
      browser.post(paths.secondFactor(), { intent: "begin", code, currentPassword: buyerPassword });
    expect((await begin("")).status).toBe(400);
    expect((await begin(codes[0] ?? "")).status).toBe(303);
    expect(mainContentOf((await browser.get(paths.secondFactor())).text)).toContain('class="qr"');
  });
});
