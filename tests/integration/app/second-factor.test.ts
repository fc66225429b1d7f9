/** Two-step sign-in of buyers: setup, codes at every way to sign in, single use of codes, and mails to the owner. */
import { describe, expect, test } from "vitest";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { verifySecondFactor } from "#server/accounts/second-factor.ts";
import * as paths from "#server/foundation/paths.ts";
import { reEncryptAll } from "#server/foundation/security/reencrypt.ts";
import { codeAt, makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import { beginOrder, toReview } from "#tests/support/journey.ts";
import { makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer, makeGuardedBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const visitor = () => new HttpBrowser(stack.url);
const isIn = async (browser: HttpBrowser) => (await browser.get(paths.account())).status === 200;

/** Returns a browser that has passed the password step. */
async function withPassword(email: string, next?: string): Promise<HttpBrowser> {
  const browser = visitor();
  const form = { email, password: buyerPassword, ...(next !== undefined && { next }) };
  const { status, location } = await browser.post(paths.login(), form);
  expect(`${status} ${location}`).toBe(`303 ${paths.loginCode(next)}`);
  return browser;
}

async function mailed(email: string, subject: RegExp): Promise<string> {
  let text: string | undefined;
  await until(`a mail to ${email}: ${subject}`, async () => {
    text = (await controls.inbox(email)).find((mail) => subject.test(mail.subject))?.text;
    return text !== undefined;
  });
  return text ?? "";
}

describe("setup", () => {
  test("requires a code and the password, and shows recovery codes once", async () => {
    const { email } = await makeBuyer(context);
    const [browser, elsewhere] = [visitor(), visitor()];
    for (const each of [browser, elsewhere])
      await each.post(paths.login(), { email, password: buyerPassword });

    // Opening the page does not begin the setup.
    const off = mainContentOf((await browser.get(paths.secondFactor())).text);
    expect(off).toContain("Set up an authenticator app");
    expect(off).not.toContain("<svg");
    expect((await browser.post(paths.secondFactor(), { intent: "begin" })).status).toBe(303);
    const page = mainContentOf((await browser.get(paths.secondFactor())).text);
    expect(page).toContain('class="qr"');
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
    const confirm = (code: string, currentPassword: string) =>
      browser.post(paths.secondFactor(), { intent: "confirm", code, currentPassword });

    const wrongCode = await confirm("000000", buyerPassword);
    expect(wrongCode.status).toBe(400);
    expect(mainContentOf(wrongCode.text)).toContain(
      "That code is incorrect. Check that your phone&#x27;s clock is right",
    );
    expect((await confirm(codeAt(secret), "wrong")).status).toBe(400);
    const answer = await confirm(codeAt(secret), buyerPassword);
    expect(answer.status).toBe(200);
    const codes = [...mainContentOf(answer.text).matchAll(/<code>([a-z0-9-]{19})<\/code>/g)].map(
      ([, code]) => code,
    );
    expect(codes).toHaveLength(10);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const file = /href="data:text\/plain;charset=utf-8,([^"]+)" download="recovery-codes.txt"/.exec(
      answer.text,
    );
    for (const code of codes) expect(decodeURIComponent(file?.[1] ?? "")).toContain(code);

    const on = mainContentOf((await browser.get(paths.secondFactor())).text);
    expect(on).toContain("10 recovery codes left");
    for (const code of codes) expect(on).not.toContain(code);
    // Sessions opened with only the password end.
    expect(await isIn(elsewhere)).toBe(false);
    expect(await isIn(browser)).toBe(true);
    expect(await mailed(email, /^Two-step sign-in is on/)).toContain("reset your password now");
  });

  test("shows no key to an unproven mailbox or to impersonating staff", async () => {
    const unproven = visitor();
    await toReview(unproven);
    expect(mainContentOf((await unproven.get(paths.secondFactor())).text)).toContain(
      "Confirm your email first",
    );
    expect((await unproven.post(paths.secondFactor(), { intent: "begin" })).status).toBe(403);

    const owner = await makePerson(db);
    const company = await makeCompany(db, owner);
    await (await signedIn(context, stack.url, owner)).post(paths.secondFactor(), { intent: "begin" });
    const desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
    await desk.post(paths.deskActionForm("customer.view", company), { person: owner.userId, reason: "test" });
    const seen = await desk.get(paths.secondFactor());
    expect(seen.status).toBe(200);
    expect(mainContentOf(seen.text)).not.toContain("<svg");
  });
});

describe("signing in", () => {
  test("requires password and code, then redirects to the destination", async () => {
    const { email, secret } = await makeGuardedBuyer(context);
    const next = "/subscriptions?service=google";
    const browser = await withPassword(email, next);
    expect(await isIn(browser)).toBe(false);
    expect(mainContentOf((await browser.get(paths.loginCode(next))).text)).toContain(email);
    const answer = await browser.post(paths.loginCode(), { code: codeAt(secret), next });
    expect(`${answer.status} ${answer.location}`).toBe(`303 ${next}`);
    expect(await isIn(browser)).toBe(true);
  });

  test("accepts a code once over all browsers and ends the pending sign-in", async () => {
    const { email, secret } = await makeGuardedBuyer(context);
    const [first, second] = [await withPassword(email), await withPassword(email)];
    const code = codeAt(secret);
    const kept = first.cookie("sign-in") ?? "";
    expect((await first.post(paths.loginCode(), { code })).status).toBe(303);
    const again = await second.post(paths.loginCode(), { code });
    expect(again.status).toBe(400);
    expect(mainContentOf(again.text)).toContain("incorrect or has already been used");
    expect(await isIn(second)).toBe(false);
    const thief = visitor();
    thief.setCookie("sign-in", kept);
    expect((await thief.get(paths.loginCode())).location).toBe(paths.login());
  });

  test("signs in one of four simultaneous posts of a code", async () => {
    const { email, secret } = await makeGuardedBuyer(context);
    const browsers = await Promise.all([1, 2, 3, 4].map(() => withPassword(email)));
    const code = codeAt(secret);
    const answers = await Promise.all(browsers.map((each) => each.post(paths.loginCode(), { code })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test("accepts a recovery code once, shows how many are left and mails the owner", async () => {
    const { email, recoveryCodes } = await makeGuardedBuyer(context);
    const [code = ""] = recoveryCodes;
    const browser = await withPassword(email);
    expect((await browser.post(paths.loginCode(), { code: code.toUpperCase() })).status).toBe(303);
    expect((await browser.get(paths.account())).text).toContain(
      "You signed in with a recovery code. You have 9 left.",
    );
    expect((await (await withPassword(email)).post(paths.loginCode(), { code })).status).toBe(400);
    expect(await mailed(email, /^A recovery code was used for your/)).toContain("reset your password now");
  });

  test("blocks all codes after five wrong ones, also from other browsers", async () => {
    const { email, secret } = await makeGuardedBuyer(context);
    const browser = await withPassword(email);
    for (let tries = 0; tries < 5; tries += 1)
      expect((await browser.post(paths.loginCode(), { code: "000000" })).status).toBe(400);
    const refused = await (await withPassword(email)).post(paths.loginCode(), { code: codeAt(secret) });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });

  test("ends pending sign-ins when the password changes", async () => {
    const { userId, email, secret } = await makeGuardedBuyer(context);
    const browser = await withPassword(email);
    const token = await mintToken(db, { purpose: "reset-password", userId, ttlSeconds: 60 });
    const chosen = { password: "a-new-Pass-2", confirmPassword: "a-new-Pass-2" };
    expect((await visitor().post(paths.resetPassword(token), chosen)).status).toBe(200);
    const late = await browser.post(paths.loginCode(), { code: codeAt(secret) });
    expect(`${late.status} ${late.location}`).toBe("303 /login");
    expect(await isIn(browser)).toBe(false);
  });
});

describe("every way to sign in", () => {
  test("requires the code after Outlook and a mailed order link", async () => {
    const { userId, email, secret } = await makeGuardedBuyer(context);
    const byOutlook = visitor();
    const arrived = await signInWith("outlook", byOutlook, { email, verified: true });
    expect(`${arrived.status} ${arrived.location}`).toMatch(/^30\d \/login\/code/);
    expect(await isIn(byOutlook)).toBe(false);
    expect((await byOutlook.post(paths.loginCode(), { code: codeAt(secret) })).status).toBe(303);
    expect(await isIn(byOutlook)).toBe(true);

    const { id } = await toReview(byOutlook);
    const token = await mintToken(db, { purpose: "resume-order", userId, orderId: id, ttlSeconds: 60 });
    const byLink = visitor();
    const resumed = await byLink.post(paths.resume(token), {});
    expect(resumed.location).toMatch(/^\/login\/code\?next=%2Forder%2F/);
    expect(await isIn(byLink)).toBe(false);
  });

  test("refuses the API login, which cannot take a code, and names the website", async () => {
    const { email } = await makeGuardedBuyer(context);
    const encoded = (text: string) => Buffer.from(text).toString("base64");
    const answer = await visitor().ask("/api/login", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify({ encodedEmail: encoded(email), encodedPassword: encoded(buyerPassword) }),
    });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: expect.stringContaining("sign in on the website"),
    });
    expect(JSON.parse(answer.text)).not.toHaveProperty("token");
  });

  test("requires the code after the login in an order, then continues the order", async () => {
    const { email, secret } = await makeGuardedBuyer(context);
    const browser = visitor();
    const { path } = await beginOrder(browser);
    const here = `${path}/create-account`;
    const response = await browser.post(here, {
      intent: "login",
      loginEmail: email,
      loginPassword: buyerPassword,
    });
    expect(response.location).toBe(paths.loginCode(here));
    expect(await isIn(browser)).toBe(false);
    const answer = await browser.post(paths.loginCode(), { code: codeAt(secret), next: here });
    expect(answer.location).toBe(here);
    expect((await browser.get(here)).status).toBe(200);
    expect(await isIn(browser)).toBe(true);
  });

  test.each(["https://evil.example", "//evil.example", "/\\evil.example"])(
    "ignores the destination %s",
    async (next) => {
      const { email, secret } = await makeGuardedBuyer(context);
      const browser = await withPassword(email);
      const { location } = await browser.post(paths.loginCode(), { code: codeAt(secret), next });
      expect(new URL(location ?? "", stack.url).href).toBe(`${stack.url}/`);
    },
  );
});

describe("an active second factor", () => {
  test("requires password and code for new codes and for switching off, with mails", async () => {
    const buyer = await makeBuyer(context);
    const { email, secret, recoveryCodes } = await connectApp(context, buyer);
    const browser = await signedIn(context, stack.url, buyer);
    const post = (intent: string, code: string, currentPassword = buyerPassword) =>
      browser.post(paths.secondFactor(), { intent, code, currentPassword });
    const [first = "", second = ""] = recoveryCodes;
    expect((await post("off", codeAt(secret), "wrong")).status).toBe(400);
    // The wrong password did not use up the code.
    const renewed = await post("new-codes", codeAt(secret));
    const [, fresh = ""] = /<code>([a-z0-9-]{19})<\/code>/.exec(mainContentOf(renewed.text)) ?? [];
    expect(fresh).not.toBe("");
    expect((await post("off", first)).status).toBe(400);
    expect((await post("off", second)).status).toBe(400);
    expect((await post("off", fresh)).status).toBe(303);
    expect((await visitor().post(paths.login(), { email, password: buyerPassword })).location).toBe("/");
    await mailed(email, /^New recovery codes/);
    await mailed(email, /^Two-step sign-in is off/);
  });

  test("keeps working after the encryption key changes", async () => {
    const { userId, email, secret } = await makeGuardedBuyer(context);
    const next = { id: "next", bytes: Buffer.alloc(32, 7) };
    const done = await reEncryptAll({ ...context, encryptionKeys: [next, ...context.encryptionKeys] });
    expect(done.find(({ table }) => table === "authenticator_apps")).toMatchObject({ unreadable: 0 });
    const afterwards = { db, encryptionKeys: [next] } as const;
    const taken = await verifySecondFactor(afterwards, { userId, email }, codeAt(secret));
    expect(taken).toEqual({ recoveryCodesLeft: null });
  });

  test("allows support to remove it, with a reason and a mail", async () => {
    const buyer = await makeBuyer(context);
    const company = await makeCompany(db, buyer);
    const { email, userId } = await connectApp(context, buyer);
    const browser = await signedIn(context, stack.url, buyer);
    const desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
    const act = paths.deskActionForm("customer.remove-second-factor", company);
    expect(
      (await desk.post(act, { person: userId, reason: "Called back at the company's number" })).status,
    ).toBe(303);
    expect(await isIn(browser)).toBe(false);
    expect((await visitor().post(paths.login(), { email, password: buyerPassword })).location).toBe("/");
    expect(await mailed(email, /^Two-step sign-in is off/)).toContain("Our support team removed");
    expect(mainContentOf((await desk.get(act)).text)).toContain(
      "No members of this company use two-step sign-in.",
    );
  });
});
