/**
 * Accounts over HTTP: login, sign-up, forgotten passwords and sessions, requested by buyers, guessers and other sites. The JSON
 * calls are in account-calls.test.ts.
 */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newPasswordTooCommon } from "#server/accounts/new-password.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession, readSession } from "#server/accounts/sessions.ts";
import { createUser, findUserByEmail } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import { HttpBrowser, hiddenFieldValue, type TestResponse } from "#tests/support/http-browser.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { disable } from "#tests/support/people.ts";
import { startStore } from "#tests/support/store.ts";
import { eventually } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });

const browser = () => new HttpBrowser(stack.url);
const password = "a-good-Pass-1";

async function somebody() {
  const email = freshEmail();
  const id = await context.db
    .transaction()
    .execute((trx) =>
      createUser(trx, { email, firstName: "Asha", lastName: "Rao", phone: "9876543210", password }),
    );
  return { id, email };
}

async function signedIn(email: string): Promise<HttpBrowser> {
  const buyer = browser();
  expect((await buyer.post("/login", { email, password })).status).toBe(303);
  return buyer;
}

/** Returns the token of a Set-Cookie line. */
const sessionIn = (line: string) =>
  z.string().parse(JSON.parse(atob(decodeURIComponent(/^session=([^;]*)/.exec(line)?.[1] ?? ""))));
const isSignedIn = async (who: HttpBrowser) => (await who.get("/account")).status === 200;
const open = (id: Awaited<ReturnType<typeof somebody>>["id"]) =>
  createSession(context.db, context.env.SESSION_SECRETS, id);
const linkFor = async (
  email: string,
  ttlSeconds = 60,
  purpose: "reset-password" | "set-password" = "reset-password",
) => {
  const user = await findUserByEmail(context.db, email);
  if (user === null) throw new Error(`Expected an account of ${email}`);
  return context.db.transaction().execute((trx) => mintToken(trx, { purpose, userId: user.id, ttlSeconds }));
};

/** Returns a page without the parts that differ between responses. */
const readable = ({ text }: TestResponse) => text.replaceAll(/nonce="[^"]*"|<!-- -->/g, "");
const said = ({ text }: TestResponse) =>
  [...text.matchAll(/<li><a href="#[^"]+">([^<]+)<\/a><\/li>/g)].map(([, message]) => message);

const evil = [
  "//evil.example",
  "\\\\evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "https://evil.example",
];

describe("every page of an account", () => {
  test.each(["/login", "/signup", "/forgot-password", `/reset-password/${"g".repeat(43)}`])(
    "%s: contains no React",
    async (path) => {
      const answer = await browser().get(path);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain("__remixContext");
      const scripts = answer.text.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.filter((tag) => !tag.includes('type="speculationrules"')).length).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/\/assets\/(framework|shared|entry)/);
    },
  );
});

describe("the login", () => {
  test("links to the other ways to sign in and to support", async () => {
    const { text } = await browser().get("/login?next=%2Fsubscriptions");
    for (const link of ["/forgot-password", "/signup?next=%2Fsubscriptions", "mailto:support@hubs.example"]) {
      expect(text).toContain(`href="${link}"`);
    }
  });

  test.each([
    [{}, ["Please enter your email", "Please enter your password"]],
    [{ email: "asha", password: "x" }, ["Please enter a valid email"]],
    [{ email: "asha@example.com" }, ["Please enter your password"]],
  ])("refuses %j with %j", async (form, messages) => {
    const answer = await browser().post("/login", form);
    expect(answer.status).toBe(400);
    expect(said(answer)).toEqual(messages);
  });

  test("does not return a password", async () => {
    const answer = await browser().post("/login", { email: freshEmail(), password: "my-own-Secret" });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("Login failed. Please try again.");
    expect(answer.text).not.toContain("my-own-Secret");
    const long = await browser().post("/login", { email: freshEmail(), password: "x".repeat(2_000) });
    expect(long.status).toBe(401);
  });

  test("counts guesses on the page and the call together, with a time to retry", async () => {
    const { email } = await somebody();
    const guesser = browser();
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const guess = (turn: number) =>
      turn % 2 === 0
        ? guesser.post("/login", { email, password: "wrong" })
        : guesser.ask("/api/login", {
            method: "POST",
            headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
            body: JSON.stringify({ encodedEmail: encode(email), encodedPassword: encode("wrong") }),
          });
    const statuses: number[] = [];
    let last = await guess(0);
    // A window may end during the count and allow as many again.
    for (let turn = 1; last.status === 401 && turn < 12; turn += 1) {
      statuses.push(last.status);
      last = await guess(turn);
    }
    expect(last.status).toBe(429);
    expect(statuses.length).toBeGreaterThanOrEqual(5);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await guesser.post("/login", { email, password })).status).toBe(429);
    expect(await isSignedIn(await signedIn(email))).toBe(true);
  });

  test("shows its own error and keeps the email when the store fails", async () => {
    const email = freshEmail();
    await sql`alter table users rename to taken_away`.execute(context.db);
    try {
      const answer = await browser().post("/login", { email, password });
      expect(answer.status).toBe(500);
      expect(answer.text).toContain("Login failed. Please try again.");
      expect(hiddenFieldValue(answer.text, "email")).toBe(email);
      expect(answer.text).not.toMatch(/relation|taken_away/);
    } finally {
      await sql`alter table taken_away rename to users`.execute(context.db);
    }
  });

  test("redirects signed-in users to their destination", async () => {
    const buyer = await signedIn((await somebody()).email);
    expect((await buyer.get("/login?next=%2Fsubscriptions")).location).toBe("/subscriptions");
    expect((await buyer.get("/signup?next=%2Fsubscriptions")).location).toBe("/subscriptions");
    for (const next of evil) {
      const query = new URLSearchParams({ next });
      expect((await buyer.get(`/signup?${query}`)).location, next).toBe("/");
    }
  });
});

describe("sign-up", () => {
  const form = (changes: Record<string, string> = {}) => ({
    firstName: "Asha",
    lastName: "Rao",
    email: freshEmail(),
    password: "x",
    phoneNumber: "9876543210",
    ...changes,
  });

  test("creates an account that can log in, and opens the login after 3 seconds", async () => {
    const visitor = browser();
    const sent = form({ phoneNumber: "98765 432-10", email: ` ${freshEmail()} ` });
    const answer = await visitor.post("/signup", sent);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("User account created successfully. Please login to explore services.");
    expect(answer.headers.get("refresh")).toBe("3;url=/login");
    expect(visitor.hasCookie("session")).toBe(false);
    expect(await findUserByEmail(context.db, sent.email)).toMatchObject({
      email: sent.email.trim(),
      firstName: "Asha",
      lastName: "Rao",
      phone: "9876543210",
      emailVerifiedAt: null,
    });
    expect((await visitor.post("/login", { email: sent.email, password: "x" })).status).toBe(303);
  });

  test.each([
    [
      form({ firstName: "", lastName: " ", email: "", password: "", phoneNumber: "" }),
      [
        "Please enter your first name",
        "Please enter your last name",
        "Please enter your email",
        "Please enter your password",
        "Please enter your phone number",
      ],
    ],
    [
      form({ email: "asha@", phoneNumber: "98765" }),
      ["Please enter a valid email", "Phone number must be 10 digits long"],
    ],
    [form({ phoneNumber: "98765432101" }), ["Phone number must be 10 digits long"]],
    [form({ phoneNumber: "none" }), ["Please enter your phone number"]],
    [form({ password: "é".repeat(513) }), ["Use a shorter password, up to about 1,000 characters."]],
  ])("refuses %j with %j", async (sent, messages) => {
    const answer = await browser().post("/signup", sent);
    expect(answer.status).toBe(400);
    expect(said(answer)).toEqual(messages);
    expect(await findUserByEmail(context.db, sent.email)).toBeNull();
  });

  test.each(["+91 98765 43210", "09876543210", "0091 (98765) 43210"])(
    "accepts a mobile number pasted as %s",
    async (phoneNumber) => {
      const sent = form({ phoneNumber });
      expect((await browser().post("/signup", sent)).status).toBe(200);
      expect((await findUserByEmail(context.db, sent.email))?.phone).toBe("9876543210");
    },
  );

  test("accepts a password of 1,024 bytes", async () => {
    expect((await browser().post("/signup", form({ password: "é".repeat(512) }))).status).toBe(200);
  });

  test("refuses a taken email in any case, suggests a reset and changes nothing", async () => {
    const { email } = await somebody();
    const answer = await browser().post("/signup", form({ email: email.toUpperCase(), password: "another" }));
    expect(answer.status).toBe(409);
    expect(said(answer)).toEqual(["Account already exists, please Login instead"]);
    expect(answer.text).toContain('href="/forgot-password"');
    expect(answer.headers.has("refresh")).toBe(false);
    expect(hiddenFieldValue(answer.text, "firstName")).toBe("Asha");
    await signedIn(email);
  });

  test("limits tries, so that it cannot list our customers", async () => {
    const { email } = await somebody();
    const guesser = browser();
    let answer = await guesser.post("/signup", form({ email }));
    for (let tries = 1; answer.status === 409 && tries < 45; tries += 1) {
      answer = await guesser.post("/signup", form({ email }));
    }
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });

  test.each(evil)("ignores the destination %s", async (next) => {
    const answer = await browser().post("/signup", form({ next }));
    expect(answer.headers.get("refresh")).toBe("3;url=/login");
  });

  test("keeps the visitor's destination", async () => {
    const answer = await browser().post("/signup", form({ next: "/subscriptions" }));
    expect(answer.headers.get("refresh")).toBe("3;url=/login?next=%2Fsubscriptions");
  });
});

describe("a forgotten password", () => {
  const ask = (email: string, who = browser()) => who.post("/forgot-password", { email });

  test("responds the same to known, unknown and disabled accounts; mails the known", async () => {
    const { email } = await somebody();
    const disabled = await somebody();
    await disable(context.db, disabled.id);
    // Of the same length, because the page shows the email again.
    const unknown = email.replace("buyer", "boyer");
    const answers = await Promise.all([email, unknown, disabled.email].map((each) => ask(each)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain("Reset Password Link has been sent to your Email.");
      expect(answer.text).not.toContain("we&#x27;ll send you a link");
    }
    const [known, ...others] = answers.map((answer, index) =>
      readable(answer).replaceAll([email, unknown, disabled.email][index] ?? "", "EMAIL"),
    );
    for (const other of others) expect(other).toBe(known);
    await eventually(async () => expect(await controls.inbox(email)).toHaveLength(1));
    await queueEmpty();
    expect(await controls.inbox(unknown)).toEqual([]);
    expect(await controls.inbox(disabled.email)).toEqual([]);
  });

  test("takes the same time for a known and an unknown email", async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let n = 0; n < 12; n += 1) {
      const { email } = await somebody();
      for (const [kind, requested] of [
        ["known", email],
        ["unknown", freshEmail()],
      ] as const) {
        const startedAt = performance.now();
        await ask(requested);
        times[kind].push(performance.now() - startedAt);
      }
    }
    const median = (all: number[]) => all.sort((a, b) => a - b)[6] ?? 0;
    const ratio = median(times.known) / median(times.unknown);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  });

  test.each([
    ["", "Please enter your email"],
    ["asha@example", "Please enter a valid email"],
  ])("refuses %j: %s", async (email, message) => {
    const answer = await ask(email);
    expect([answer.status, said(answer)]).toEqual([400, [message]]);
    expect(answer.text).toContain("we&#x27;ll send you a link");
  });

  test.each(["known", "unknown"])(
    "%s email: allows five requests per hour over all networks",
    async (kind) => {
      const email = kind === "known" ? (await somebody()).email : freshEmail();
      let answer = await ask(email);
      let count = 1;
      for (; answer.status === 200 && count < 12; count += 1) answer = await ask(email.toUpperCase());
      expect(count).toBeGreaterThan(5);
      expect(answer.status).toBe(429);
      expect(answer.text).toContain("Failed to send data. Please try again.");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      const call = await browser().ask("/reset-mail", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email }),
      });
      expect(call.status).toBe(429);
    },
  );

  test("allows twenty requests per hour from one network", async () => {
    const guesser = browser();
    let answer = await ask(freshEmail(), guesser);
    let count = 1;
    for (; answer.status === 200 && count < 45; count += 1) answer = await ask(freshEmail(), guesser);
    expect(count).toBeGreaterThan(20);
    expect(answer.status).toBe(429);
  });

  test("sends one mail although the job runs twice", async () => {
    const { email } = await somebody();
    const payload = JSON.stringify({ requestId: crypto.randomUUID(), email });
    for (let n = 0; n < 2; n += 1) {
      await sql`select graphile_worker.add_job('mail-reset-link', ${payload}::json)`.execute(context.db);
    }
    await queueEmpty();
    expect(await controls.inbox(email)).toHaveLength(1);
  });

  /** Waits until no mail job is left. */
  async function queueEmpty(): Promise<void> {
    await eventually(async () => {
      const { rows } = await sql`
        select 1 from graphile_worker.jobs where task_identifier in ('mail-reset-link', 'send-mail')`.execute(
        context.db,
      );
      expect(rows).toEqual([]);
    });
  }
});

describe.each(["/reset-password", "/reset/password", "/set-password"])("the mailed link %s", (path) => {
  const post = (token: string, chosen: string, confirmPassword = chosen) =>
    browser().post(`${path}/${token}`, { password: chosen, confirmPassword });
  const isDead = (answer: TestResponse) => {
    expect(answer.text).toContain("This link no longer works");
    expect(answer.text).toContain('href="/forgot-password"');
    expect(answer.text).not.toContain('name="password"');
  };

  test("sets a password once, ends every session and opens the login after 2 seconds", async () => {
    const { email } = await somebody();
    const elsewhere = await signedIn(email);
    const token = await linkFor(email);
    const page = await browser().get(`${path}/${token}`);
    expect(page.text).toContain(`value="${email}"`);
    expect(page.text).toMatch(/<input[^>]*readOnly=""/i);

    const answer = await post(token, "a-new-Pass-2");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Password Updated Successfully!");
    expect(answer.headers.get("refresh")).toBe("2;url=/login");
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect((await browser().post("/login", { email, password })).status).toBe(401);
    expect((await browser().post("/login", { email, password: "a-new-Pass-2" })).status).toBe(303);

    isDead(await browser().get(`${path}/${token}`));
    const again = await post(token, "a-third-Pass-3");
    expect(again.status).toBe(400);
    expect(again.text).toContain("Failed to update password.");
    isDead(again);
    expect((await browser().post("/login", { email, password: "a-third-Pass-3" })).status).toBe(401);
  });

  test("accepts links of both kinds", async () => {
    const { email } = await somebody();
    const token = await linkFor(email, 60, "set-password");
    expect((await post(token, "a-new-Pass-2")).text).toContain("Password Updated Successfully!");
  });

  test("shows that a link is expired, guessed or for another purpose", async () => {
    const { email, id } = await somebody();
    const resume = await context.db
      .transaction()
      .execute((trx) => mintToken(trx, { purpose: "resume-order", userId: id, ttlSeconds: 60 }));
    for (const token of [await linkFor(email, -1), "g".repeat(43), resume]) {
      const page = await browser().get(`${path}/${token}`);
      expect(page.status).toBe(200);
      isDead(page);
      expect(page.text).not.toContain(email);
      const answer = await post(token, "a-new-Pass-2");
      expect(answer.status).toBe(400);
      isDead(answer);
    }
    await signedIn(email);
    // Cut off by a mail program.
    const cut = await browser().get(`${path}/abc`);
    expect(cut.status).toBe(200);
    isDead(cut);
  });

  test.each([
    ["", "", ["Please enter a new password."]],
    ["Password1", "Password1", [english(newPasswordTooCommon)]],
    ["1234567", "1234567", ["Password must be at least 8 characters long."]],
    ["abc", "", ["Password must be at least 8 characters long.", "Password do not match!"]],
    ["a-new-Pass-2", "a-new-Pass-3", ["Password do not match!"]],
    ["a-new-Pass-2", "", ["Password do not match!"]],
    ["é".repeat(513), "é".repeat(513), ["Use a shorter password, up to about 1,000 characters."]],
  ])("refuses %j and %j with %j and keeps working", async (chosen, confirmation, messages) => {
    const { email } = await somebody();
    const token = await linkFor(email);
    const answer = await post(token, chosen, confirmation);
    expect(answer.status).toBe(400);
    expect(said(answer)).toEqual(messages);
    if (chosen.length > 2) expect(answer.text).not.toContain(chosen);
    expect((await post(token, "a-new-Pass-2")).status).toBe(200);
  });
});

describe("arriving with a token in the address", () => {
  const arrive = (who: HttpBrowser, token: string, site: string | null = "none") =>
    who.get(`/?jwt-token=${token}`, { "Sec-Fetch-Site": site });
  const shown = async (who: HttpBrowser) => (await who.get("/account")).text;

  test("opens a separate session and removes the token from the address", async () => {
    const { id, email } = await somebody();
    const given = await open(id);
    const visitor = browser();
    const answer = await arrive(visitor, `${given.token}&service=google`, "same-origin");
    expect([answer.status, answer.location]).toEqual([302, "/?service=google"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
    const [session = "", ...others] = answer.headers.getSetCookie();
    expect(sessionIn(session)).toMatch(/^[\w.-]+$/);
    expect(sessionIn(session)).not.toBe(given.token);
    expect(others.map((cookie) => cookie.split("=")[0])).toEqual(["device"]);
    expect(await shown(visitor)).toContain(email);

    // Revoking the token's session does not end the new one.
    await context.db
      .updateTable("sessions")
      .set({ revoked_at: new Date() })
      .where("id", "=", given.sessionId)
      .execute();
    expect(await isSignedIn(visitor)).toBe(true);
  });

  test("does not log the token", async () => {
    const { id } = await somebody();
    const { token } = await open(id);
    await arrive(browser(), token);
    await arrive(browser(), token, "cross-site");
    await browser().get(`/search?jwt-token=${token}`);
    expect(stack.logs("web").length).toBeGreaterThan(3);
    expect(stack.logs().join("\n")).not.toContain(token.slice(0, 60));
  });

  test("ignores an invalid token and keeps the current user signed in", async () => {
    const { id, email } = await somebody();
    const over = await open(id);
    await context.db
      .updateTable("sessions")
      .set({ expires_at: new Date() })
      .where("id", "=", over.sessionId)
      .execute();
    const foreign = await createSession(context.db, ["another-secret-of-32-characters-!"], id);
    const buyer = await signedIn((await somebody()).email);
    for (const token of ["", "nonsense", "a.b.c", over.token, foreign.token]) {
      for (const who of [browser(), buyer]) {
        const answer = await arrive(who, token, "cross-site");
        expect([answer.status, answer.location], token).toEqual([302, "/"]);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
    expect(await shown(buyer)).not.toContain(email);
  });

  test("changes nothing for the user who is already signed in", async () => {
    const { id, email } = await somebody();
    const buyer = await signedIn(email);
    const answer = await arrive(buyer, (await open(id)).token, "cross-site");
    expect([answer.location, answer.headers.getSetCookie()]).toEqual(["/", []]);
    expect(await isSignedIn(buyer)).toBe(true);
  });

  test.each(evil)("ignores the destination %s", async (next) => {
    const visitor = browser();
    const query = new URLSearchParams({ next });
    expect((await visitor.get(`/continue?${query}`)).location).toBe("/");
    await arrive(visitor, (await open((await somebody()).id)).token, "cross-site");
    expect((await visitor.post(`/continue?${query}`, {})).location).toBe("/");
  });
});

describe("session management", () => {
  test("lists the owner's sessions and marks this one", async () => {
    const { email } = await somebody();
    const here = await signedIn(email);
    await signedIn(email);
    const { text } = await here.get("/account");
    expect(text.match(/This device/g)).toHaveLength(1);
    // The other session can be ended.
    expect(text.match(/name="session"/g)).toHaveLength(1);
    expect(text).toContain(email);
    // Each setting shows its state.
    expect(text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).toMatch(
      /Password Set Change .* Two-step sign-in Off Change .* Passkeys None Change .* Connected accounts None Change .* Notifications Renewals, Reminders Change/,
    );
    expect((await browser().get("/account")).location).toBe("/login?next=%2Faccount");
  });

  test("ends all sessions of the user and no one else's", async () => {
    const { email } = await somebody();
    const [here, there] = [await signedIn(email), await signedIn(email)];
    const neighbour = await signedIn((await somebody()).email);
    const forged = await here.post("/account", {}, { "Sec-Fetch-Site": "cross-site" });
    expect(forged.status).toBe(403);
    const answer = await here.post("/account", {});
    expect([answer.status, answer.location]).toEqual([303, "/login"]);
    expect(here.hasCookie("session")).toBe(false);
    expect((await here.get("/login")).text).toContain("You&#x27;ve been signed out on all devices.");
    expect(await isSignedIn(there)).toBe(false);
    expect(await isSignedIn(neighbour)).toBe(true);
    expect((await browser().post("/account", {})).location).toBe("/login?next=%2Faccount");
  });

  test("ends a session at Log Out, also for a copied cookie", async () => {
    const { id } = await somebody();
    const { token } = await open(id);
    const cookie = btoa(JSON.stringify(token));
    const [buyer, thief] = [browser(), browser()];
    for (const who of [buyer, thief]) who.setCookie("session", encodeURIComponent(cookie));
    expect(await isSignedIn(thief)).toBe(true);
    expect((await buyer.post("/logout", {})).location).toBe("/login");
    expect(buyer.hasCookie("session")).toBe(false);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("renews sessions in use and ends unused ones", async () => {
    const { id, email } = await somebody();
    const buyer = await signedIn(email);
    const moved = (changes: { last_seen_at?: Date; expires_at: Date }) =>
      context.db.updateTable("sessions").set(changes).where("user_id", "=", id).execute();
    const soon = new Date(Date.now() + 60_000);
    await moved({ last_seen_at: new Date(Date.now() - 2 * 3_600_000), expires_at: soon });
    expect(await isSignedIn(buyer)).toBe(true);
    const { expires_at } = await context.db
      .selectFrom("sessions")
      .select("expires_at")
      .where("user_id", "=", id)
      .executeTakeFirstOrThrow();
    expect(expires_at.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await moved({ expires_at: new Date() });
    expect(await isSignedIn(buyer)).toBe(false);
  });

  test("sets a cookie that lasts as long as the token can", async () => {
    const { email } = await somebody();
    const answer = await browser().post("/login", { email, password });
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^session=.*; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = sessionIn(cookie);
    const now = new Date(Date.now() + 29 * 86_400_000);
    expect(await readSession(context.db, context.env.SESSION_SECRETS, token, now)).toMatchObject({
      email,
    });
  });

  test("exposes no token to scripts", async () => {
    const { id, email } = await somebody();
    const buyer = await signedIn(email);
    const reported = /data-user="([^"]*)"/.exec((await buyer.get("/")).text)?.[1];
    expect(JSON.parse((reported ?? "").replaceAll("&quot;", '"'))).toEqual({
      userId: id,
      user: email,
      firstname: "Asha",
      lastname: "Rao",
      customerId: "",
      phone: "9876543210",
      role: "CUSTOMER",
    });
    expect((await browser().get("/")).text).toContain('data-user="null"');
  });
});
