/** Devices and places of sessions: the account page's list, ending a session, and the mail about a new browser. */
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({
  worker: true,
  env: { CLIENT_COUNTRY_HEADER: "X-Country" },
});

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

const isIn = async (browser: HttpBrowser) => (await browser.get(paths.account())).status === 200;
const newDevice = /^A new sign-in to your/;
const mailsTo = async (email: string) =>
  (await controls.inbox(email)).filter(({ subject }) => newDevice.test(subject));

async function logIn(email: string, client: string, country = "IN"): Promise<HttpBrowser> {
  const browser = new HttpBrowser(stack.url, { "User-Agent": client, "X-Country": country });
  expect((await browser.post(paths.login(), { email, password: buyerPassword })).status).toBe(303);
  return browser;
}

describe("the account page", () => {
  test("lists browser, system, network and country of each session, marking this one", async () => {
    const { email } = await makeBuyer(context);
    const desktop = await logIn(email, chrome);
    await logIn(email, safari, "US");
    const page = mainContentOf((await desktop.get(paths.account())).text);
    expect(page).toContain("Chrome on Windows");
    expect(page).toContain("Safari on iOS");
    expect(page).toMatch(/India, network 10\.\d+\.\d+\.x/);
    expect(page).toContain("United States, network");
    expect(page.match(/This device/g)).toHaveLength(1);
    // Only the network part of the address is stored.
    const stored = await context.db
      .selectFrom("sessions")
      .select("network")
      .where("client", "=", chrome)
      .execute();
    for (const { network } of stored) expect(network).toMatch(/^\d+\.\d+\.\d+\.x$/);
  });

  test("hides unknown browser names and invalid countries", async () => {
    const { email } = await makeBuyer(context);
    const browser = await logIn(email, `<b>evil.example</b>/1 ${"x".repeat(900)}`, "<i>");
    const page = mainContentOf((await browser.get(paths.account())).text);
    expect(page).not.toContain("evil.example");
    expect(page).toContain("An unknown browser");
    expect(page).not.toContain("&lt;i&gt;");
  });

  test("ends one session and no other; ignores other users' requests", async () => {
    const { email } = await makeBuyer(context);
    const [desktop, phone] = [await logIn(email, chrome), await logIn(email, safari)];
    const stranger = await signedIn(context, stack.url, await makePerson(context.db));
    const page = mainContentOf((await desktop.get(paths.account())).text);
    const ids = [...page.matchAll(/name="session" value="([^"]+)"/g)].map(([, id = ""]) => id);
    // The current session ends by logging out.
    expect(ids).toHaveLength(1);
    await stranger.post(paths.account(), { session: ids[0] ?? "" });
    expect(await isIn(phone)).toBe(true);
    expect((await desktop.post(paths.account(), { session: ids[0] ?? "" })).status).toBe(303);
    expect(await isIn(phone)).toBe(false);
    expect(await isIn(desktop)).toBe(true);
    expect((await desktop.post(paths.account(), { session: "nonsense" })).status).toBe(400);
    expect(await isIn(desktop)).toBe(true);
  });
});

describe("the mail about a new sign-in", () => {
  test("reports an unknown browser, but not a known or the first one", async () => {
    const { email } = await makeBuyer(context);
    const known = await logIn(email, chrome);
    await logIn(email, safari, "US");
    await until("a mail about the phone", async () => (await mailsTo(email)).length === 1);
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain("Safari on iOS");
    expect(mail?.text).toContain("United States, network");
    expect(mail?.text).toContain("reset your password now");

    await known.post(paths.logout(), {});
    expect((await known.post(paths.login(), { email, password: buyerPassword })).status).toBe(303);
    const third = await logIn(email, chrome);
    await until("a mail about the third", async () => (await mailsTo(email)).length === 2);
    expect(await isIn(third)).toBe(true);
  });

  test("reports an API sign-in once per client and network, as it keeps no cookie", async () => {
    const { email } = await makeBuyer(context);
    const encoded = (text: string) => Buffer.from(text).toString("base64");
    const body = JSON.stringify({ encodedEmail: encoded(email), encodedPassword: encoded(buyerPassword) });
    const client = new HttpBrowser(stack.url, {
      "User-Agent": "curl/8.5",
      "Content-Type": "application/json",
    });
    const call = (from: HttpBrowser) => from.ask("/api/login", { method: "POST", body });
    await logIn(email, chrome);
    for (const from of [client, client]) expect((await call(from)).status).toBe(200);
    await until("a mail about the call", async () => (await mailsTo(email)).length > 0);
    expect(await mailsTo(email)).toHaveLength(1);
  });
});
