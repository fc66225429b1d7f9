/**
 * An attacker who controls a subdomain or an unencrypted connection can set cookies for the whole site, such as their own
 * session or draft key, so that the visitor shops in the attacker's account. Over https the store therefore trusts only names
 * with the `__Host-` prefix, which browsers accept from this host only.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, plan } from "#tests/support/journey.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

// Like a store behind a proxy that ends TLS: restarted with its own address over https.
const { stack, context } = await startStore({ env: { LOG_LEVEL: "warn" } });
const stepOne = `/order/${plan.family}/${plan.item}/${plan.country}`;

beforeAll(async () => {
  await serveOver("https:");
});

async function serveOver(protocol: string): Promise<void> {
  stack.env.PUBLIC_URL = stack.url.replace(/^http:/, protocol);
  await stack.killWeb();
  await stack.startWeb();
}

const visitor = () => new HttpBrowser(stack.url);
const isIn = async (browser: HttpBrowser) => (await browser.get("/Home")).status === 200;
/** Returns a session cookie that the attacker got over https, or from before the prefix existed. */
async function attackersSession(): Promise<{ email: string; value: string }> {
  const person = await makePerson(context.db);
  const browser = await signedIn(context, stack.url, person);
  return { email: person.email, value: browser.cookie("session") ?? "" };
}

test("sets only cookies with the prefix over https, without a domain", async () => {
  const buyer = visitor();
  const { path } = await beginOrder(buyer);
  const { headers } = await buyer.get("/order/microsoft/copilot-for-microsoft-365/IN");
  expect(Object.keys(buyer.cookies())).toEqual(expect.arrayContaining(["__Host-draft"]));
  expect(Object.keys(buyer.cookies()).filter((name) => !name.startsWith("__Host-"))).toEqual([]);
  for (const line of headers.getSetCookie()) {
    expect(line).toMatch(/^__Host-/);
    expect(line).toMatch(/; Path=\/(;|$)/);
    expect(line).toContain("; Secure");
    expect(line).not.toMatch(/domain=/i);
  }
  expect((await buyer.get(`${path}/create-account`)).status).toBe(200);
});

describe("a planted session", () => {
  test("does not sign in returning visitors or replace their own session", async () => {
    const { value } = await attackersSession();
    const signedOut = visitor();
    await beginOrder(signedOut);
    signedOut.setCookie("session", value);
    expect(await isIn(signedOut)).toBe(false);

    const own = await makePerson(context.db);
    const member = visitor();
    const { value: ownValue } = { value: (await signedIn(context, stack.url, own)).cookie("session") ?? "" };
    member.setCookie("__Host-session", ownValue);
    member.setCookie("session", value);
    expect((await member.get("/")).text).toContain(own.email);
  });

  test("shows a new visitor its email and signs in only after confirmation", async () => {
    const { email, value } = await attackersSession();
    const newcomer = visitor();
    newcomer.setCookie("session", value);
    const response = await newcomer.get("/");
    expect([response.status, response.location]).toEqual([302, "/continue?next=%2F"]);
    // The store cannot delete a cookie set for the whole site, so it comes again.
    newcomer.setCookie("session", value);
    const question = await newcomer.get("/continue?next=%2F");
    expect(question.text.replaceAll(/<[^>]*>/g, "")).toContain(email);
    expect(await isIn(newcomer)).toBe(false);
    const home = await newcomer.get("/");
    expect(home.status).toBe(200);
    expect(home.text).not.toContain(email);
  });
});

test("replaces a planted draft key with one that the attacker does not know", async () => {
  // The attacker's own draft, from before the prefix.
  await serveOver("http:");
  const attacker = visitor();
  const { path } = await beginOrder(attacker, { quantity: 17 });
  const planted = attacker.cookie("draft") ?? "";
  await serveOver("https:");

  const victim = visitor();
  victim.setCookie("draft", planted);
  expect((await victim.get(stepOne)).status).toBe(302);
  victim.setCookie("draft", planted);
  const { path: victimsPath } = await beginOrder(victim, { quantity: 23 });
  for (const name of ["draft", "__Host-draft"]) {
    const spying = visitor();
    spying.setCookie(name, planted);
    for (const place of [path, victimsPath]) {
      const answer = await spying.get(`${place}/create-account`);
      expect(answer.status).not.toBe(200);
    }
  }
});

describe("a visitor from before the prefix", () => {
  test("continues after one confirmation and is not asked again", async () => {
    const { email, value } = await attackersSession();
    const returning = visitor();
    returning.setCookie("session", value);
    const { location } = await returning.get("/Home");
    const question = location?.startsWith("/login") ? (await returning.get(location)).location : location;
    expect(question).toMatch(/^\/continue\?next=/);
    const entered = await returning.post(question ?? "", { intent: "continue" });
    expect(entered.status).toBeLessThan(400);
    expect(returning.hasCookie("__Host-session")).toBe(true);
    expect((await returning.get("/")).text).toContain(email);
  });

  test("keeps a guest's draft", async () => {
    await serveOver("http:");
    const guest = visitor();
    const { path } = await beginOrder(guest, { quantity: 31 });
    await serveOver("https:");
    expect((await guest.get(stepOne)).status).toBe(302);
    expect(guest.hasCookie("__Host-draft")).toBe(true);
    expect((await guest.get(stepOne)).text).toContain('value="31"');
    expect((await guest.get(`${path}/create-account`)).status).toBe(200);
  });
});
