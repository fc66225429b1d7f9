/**
 * A link that signs its reader in as its sender unnoticed, so that their orders, payments and input end in the sender's
 * account.
 */
import { describe, expect, test } from "vitest";
import { createSession } from "#server/accounts/sessions.ts";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import { makePerson, type Person, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

const tokenOf = async ({ userId }: Person) =>
  (await createSession(context.db, context.env.SESSION_SECRETS, userId)).token;
const shown = async (who: HttpBrowser) => (await who.get("/account")).text;
const isSignedIn = async (who: HttpBrowser) => (await who.get("/account")).status === 200;

/** Sec-Fetch-Site values for links in a mail, in a messenger, on another site, on a neighbouring host, and in old browsers. */
const ways = ["none", "cross-site", "same-site", null] as const;

describe("a link with the attacker's token", () => {
  test.each([...ways, "same-origin"] as const)(
    "asks the signed-in user first (Sec-Fetch-Site: %s)",
    async (site) => {
      const [attacker, victim] = [await makePerson(context.db), await makePerson(context.db)];
      const browser = await signedIn(context, stack.url, victim);
      const before = browser.cookie("session");
      const answer = await browser.get(`/?jwt-token=${await tokenOf(attacker)}&service=google`, {
        "Sec-Fetch-Site": site,
      });
      expect([answer.status, answer.location]).toEqual([302, "/continue?next=%2F%3Fservice%3Dgoogle"]);
      expect(browser.cookie("session")).toBe(before);
      expect(await shown(browser)).toContain(victim.email);
      const question = (await browser.get(answer.location ?? "")).text.replaceAll("<!-- -->", "");
      expect(question).toContain(`Continue as ${attacker.email}`);
      expect(question).toContain(`Stay signed in as ${victim.email}`);
    },
  );

  test.each(ways)("asks a signed-out visitor first (Sec-Fetch-Site: %s)", async (site) => {
    const attacker = await makePerson(context.db);
    const token = await tokenOf(attacker);
    const browser = new HttpBrowser(stack.url);
    const answer = await browser.get(`/?jwt-token=${token}`, { "Sec-Fetch-Site": site });
    expect([answer.status, answer.location]).toEqual([302, "/continue?next=%2F"]);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.get("/continue?next=%2F")).text).not.toContain(token);
    // The confirmation cannot come from another site, either.
    const forged = await browser.post("/continue?next=%2F", {}, { "Sec-Fetch-Site": "cross-site" });
    expect(forged.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("opens a separate session after confirmation, once", async () => {
    const [other, person] = [await makePerson(context.db), await makePerson(context.db)];
    const browser = await signedIn(context, stack.url, person);
    const token = await tokenOf(other);
    await browser.get(`/?jwt-token=${token}`);
    expect((await browser.post("/continue?next=%2Fcart", {})).location).toBe("/cart");
    expect(await shown(browser)).toContain(other.email);
    expect(browser.cookie("session")).not.toContain(Buffer.from(JSON.stringify(token)).toString("base64"));
    expect((await browser.get("/continue?next=%2Fcart")).location).toBe("/cart");
    const left = await context.db
      .selectFrom("sessions")
      .select("revoked_at")
      .where("user_id", "=", person.userId)
      .execute();
    expect(left).toEqual([{ revoked_at: expect.any(Date) }]);
  });

  test.each(["/home", "/search", "/login", "/cart"])("has no effect at %s", async (path) => {
    const attacker = await makePerson(context.db);
    const browser = new HttpBrowser(stack.url);
    await browser.get(`${path}?jwt-token=${await tokenOf(attacker)}`, { "Sec-Fetch-Site": "same-origin" });
    expect(browser.cookies()).not.toHaveProperty("session");
    expect(browser.cookies()).not.toHaveProperty("offered");
  });

  test.each(["//", "///"])("redirects from %s to a path of the store", async (path) => {
    const attacker = await makePerson(context.db);
    for (const token of ["x", await tokenOf(attacker)]) {
      const answer = await new HttpBrowser(stack.url).ask(`${stack.url}${path}?jwt-token=${token}`);
      expect(answer.location).toMatch(/^\/($|continue\?next=%2F$)/);
    }
  });
});

describe("a destination after the login with the attacker's token", () => {
  const password = "a-good-Pass-1";
  const nestings = [
    (token: string) => `/?jwt-token=${token}`,
    (token: string) => `/?jwt%2Dtoken=${token}`,
    (token: string) => `/login?next=${encodeURIComponent(`/?jwt-token=${token}`)}`,
    (token: string) => `/continue?next=${encodeURIComponent(`/login?next=%2F%3Fjwt-token%3D${token}`)}`,
  ];

  test.each(nestings)("does not change who is signed in (%s)", async (nested) => {
    const attacker = await makePerson(context.db);
    const next = nested(await tokenOf(attacker));
    const form = { firstName: "Vera", lastName: "Rao", password, phoneNumber: "9876543210" };
    const victim = `victim-${crypto.randomUUID()}@example.com`;
    const browser = new HttpBrowser(stack.url);
    expect(
      (await browser.post("/signup", { ...form, email: victim, next })).headers.get("refresh"),
    ).not.toContain("jwt");
    const page = await browser.get(`/login?next=${encodeURIComponent(next)}`);
    expect(hiddenFieldValue(page.text, "next")).toBe("/");
    const answer = await browser.post("/login", { email: victim, password, next });
    expect([answer.status, answer.location]).toEqual([303, "/"]);
    await browser.get(answer.location ?? "");
    expect(await shown(browser)).toContain(victim);
    expect((await browser.get(`/login?next=${encodeURIComponent(next)}`)).location).toBe("/");
    const outlook = await new HttpBrowser(stack.url).get(
      `/azure/ad/authentication/?next=${encodeURIComponent(next)}`,
    );
    expect(outlook.headers.getSetCookie().join()).not.toContain("jwt");
  });
});
