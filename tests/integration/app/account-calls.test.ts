/**
 * The JSON calls of an account (docs/specification.md, section 7): their responses, and their refusals as JSON with a request
 * id.
 */
import { describe, expect, test } from "vitest";
import { newPasswordTooCommon } from "#server/accounts/new-password.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession, revokeSession } from "#server/accounts/sessions.ts";
import { createUser, findUserByEmail } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import { HttpBrowser, type RequestOptions, type TestResponse } from "#tests/support/http-browser.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

// No worker, so that jobs stay in the queue and can be counted.
const { stack, context } = await startStore();

const client = () => new HttpBrowser(stack.url);
const json = { "Content-Type": "application/json" };
const encode = (text: string) => Buffer.from(text, "utf8").toString("base64");
const password = "pässwörd 🔑";

function call(
  path: string,
  body: unknown,
  headers: RequestOptions["headers"] = {},
  who = client(),
): Promise<TestResponse> {
  return who.ask(path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
}
const bodyOf = (answer: TestResponse): unknown => JSON.parse(answer.text);
/** Expects a refusal in the shape that every call uses. */
function expectRefused(
  answer: TestResponse,
  status: number,
  error: unknown = expect.any(String),
  fields?: object,
) {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(bodyOf(answer)).toEqual({
    error,
    requestId: answer.headers.get("x-request-id"),
    ...(fields !== undefined && { fields }),
  });
}

async function somebody() {
  const email = freshEmail();
  const person = { email, firstName: "Asha", lastName: "Rao", phone: "9876543210", password };
  const id = await context.db.transaction().execute((trx) => createUser(trx, person));
  return { id, email };
}
const tokenOf = async (id: Awaited<ReturnType<typeof somebody>>["id"]) =>
  createSession(context.db, context.env.SESSION_SECRETS, id);
const linkFor = (userId: Awaited<ReturnType<typeof somebody>>["id"], ttlSeconds = 60) =>
  context.db
    .transaction()
    .execute((trx) => mintToken(trx, { purpose: "reset-password", userId, ttlSeconds }));

const posts: [path: string, body: Record<string, string>][] = [
  ["/api/login", { encodedEmail: encode("nobody@example.com"), encodedPassword: encode("x") }],
  [
    "/api/signup",
    {
      firstname: "A",
      lastname: "B",
      phonenumber: "9876543210",
      encodedEmail: encode("never-made@example.com"),
      encodedPassword: encode("x"),
    },
  ],
  ["/reset-mail", { email: "nobody@example.com" }],
];

describe.each(posts)("POST %s", (path, body) => {
  test("accepts only POST and names it in Allow", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const answer = await client().ask(path, {
        method,
        headers: json,
        ...(method !== "GET" && { body: JSON.stringify(body) }),
      });
      expectRefused(answer, 405, "Method not allowed");
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });

  test("accepts only JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      expectRefused(await call(path, body, { "Content-Type": type }), 415, "Send the request body as JSON.");
    }
    const broken = { method: "POST", headers: json, body: "{" };
    expectRefused(await client().ask(path, broken), 400, "The request body isn't valid JSON.");
    for (const wrong of [null, [], "text", 7, {}]) {
      const answer = await call(path, wrong);
      expectRefused(answer, 400, "The request is malformed.", expect.any(Object));
    }
  });

  test("accepts at most 64 KiB", async () => {
    const large = { ...body, more: "x".repeat(65_536) };
    expectRefused(await call(path, large), 413);
  });

  test("refuses other sites, and cookies without browser headers", async () => {
    const foreign: RequestOptions["headers"][] = [
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { Origin: "https://evil.example" },
      { Cookie: "session=x" },
    ];
    for (const headers of foreign) {
      expectRefused(await call(path, body, headers), 403);
    }
    // An Authorization header cannot come from another site's page: browsers send a preflight request first.
    const answer = await call(path, {}, { "Sec-Fetch-Site": "cross-site", Authorization: "Bearer x" });
    expect(answer.status).toBe(400);
  });
});

describe("POST /api/login", () => {
  const login = (email: string, secret: string, who = client()) =>
    call("/api/login", { encodedEmail: encode(email), encodedPassword: encode(secret) }, {}, who);

  test("returns the token and the user under the specification's names", async () => {
    const { id, email } = await somebody();
    const who = client();
    const answer = await login(email, password, who);
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id,
        email,
        first_name: "Asha",
        last_name: "Rao",
        customerId: "",
        phone: "9876543210",
        role: "CUSTOMER",
      },
    });
    expect(who.hasCookie("session")).toBe(false);
  });

  test("includes the user's company", async () => {
    const buyer = client();
    const { email } = await toReview(buyer);
    const user = await findUserByEmail(context.db, email);
    if (user === null) throw new Error("Expected an account");
    const token = await linkFor(user.id);
    await client().post(`/reset-password/${token}`, {
      password: "a-new-Pass-2",
      confirmPassword: "a-new-Pass-2",
    });
    const answer = await login(email, "a-new-Pass-2");
    expect(bodyOf(answer)).toMatchObject({ user: { customerId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  });

  test("gives the same error for a wrong password and an unknown email", async () => {
    const { email } = await somebody();
    for (const requested of [email, freshEmail()]) {
      expectRefused(await login(requested, "wrong"), 401, "Login failed. Please try again.");
    }
  });

  test.each([
    [{}, { encodedEmail: expect.any(String), encodedPassword: expect.any(String) }],
    [
      { encodedEmail: "", encodedPassword: "" },
      { encodedEmail: "Please enter your email", encodedPassword: "Please enter your password" },
    ],
    [
      { encodedEmail: encode("asha"), encodedPassword: encode("x") },
      { encodedEmail: "Please enter a valid email" },
    ],
    [
      { encodedEmail: "%%%", encodedPassword: encode("x") },
      { encodedEmail: "Must be base64 of UTF-8 text." },
    ],
    [
      { encodedEmail: encode("a@example.com"), encodedPassword: Buffer.from([0xff]).toString("base64") },
      { encodedPassword: "Must be base64 of UTF-8 text." },
    ],
    [{ encodedEmail: 7, encodedPassword: encode("x") }, { encodedEmail: expect.any(String) }],
  ])("refuses %j", async (body, fields) => {
    expectRefused(await call("/api/login", body), 400, "The request is malformed.", fields);
  });

  test("limits guesses with 429 and Retry-After", async () => {
    const { email } = await somebody();
    const guesser = client();
    let answer = await login(email, "wrong", guesser);
    for (let tries = 1; answer.status === 401 && tries < 12; tries += 1) {
      answer = await login(email, "wrong", guesser);
    }
    expectRefused(answer, 429, expect.stringContaining("Too many attempts. Please try again in"));
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });
});

describe("POST /api/signup", () => {
  const body = (email: string) => ({
    firstname: "Asha",
    lastname: "Rao",
    phonenumber: "98765-43210",
    encodedEmail: encode(email),
    encodedPassword: encode(password),
  });

  test("creates an account that can log in", async () => {
    const email = freshEmail();
    const answer = await call("/api/signup", body(email));
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({
      message: "User account created successfully. Please login to explore services.",
    });
    expect(await findUserByEmail(context.db, email)).toMatchObject({
      firstName: "Asha",
      phone: "9876543210",
    });
    const login = { encodedEmail: encode(email), encodedPassword: encode(password) };
    expect((await call("/api/login", login)).status).toBe(200);
  });

  test("refuses a taken email with 409, then a network's repeated tries with 429", async () => {
    const { email } = await somebody();
    const guesser = client();
    const taken = "Account already exists, please Login instead";
    let answer = await call("/api/signup", body(email), {}, guesser);
    expectRefused(answer, 409, taken, { email: taken });
    for (let tries = 1; answer.status === 409 && tries < 45; tries += 1) {
      answer = await call("/api/signup", body(email), {}, guesser);
    }
    expectRefused(answer, 429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });

  test("validates fields like the form", async () => {
    const wrong = { ...body("asha"), firstname: "", lastname: " ", phonenumber: "123" };
    expectRefused(await call("/api/signup", wrong), 400, "The request is malformed.", {
      firstname: "Please enter your first name",
      lastname: "Please enter your last name",
      phonenumber: "Phone number must be 10 digits long",
      encodedEmail: "Please enter a valid email",
    });
    const long = { ...body(freshEmail()), encodedPassword: encode("x".repeat(1_025)) };
    expectRefused(
      await call("/api/signup", long),
      400,
      "Use a shorter password, up to about 1,000 characters.",
      {
        password: "Use a shorter password, up to about 1,000 characters.",
      },
    );
  });
});

describe("POST /reset-mail", () => {
  test("responds the same to a known and an unknown email and queues the same job", async () => {
    const { email } = await somebody();
    const jobs = async () =>
      Number(
        (
          await context.pool.query(
            "select count(*) from graphile_worker.jobs where task_identifier = 'mail-reset-link'",
          )
        ).rows[0]?.count,
      );
    const before = await jobs();
    const [known, unknown] = [
      await call("/reset-mail", { email }),
      await call("/reset-mail", { email: freshEmail() }),
    ];
    expect([known.status, known.text]).toEqual([200, '{"ok":true}']);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
    expect(await jobs()).toBe(before + 2);
  });

  test("refuses an invalid email", async () => {
    expectRefused(await call("/reset-mail", { email: "asha" }), 400, "The request is malformed.", {
      email: "Please enter a valid email",
    });
  });
});

describe("POST /api/logout", () => {
  test.each([
    ["Bearer, and nothing sent", (token: string) => ({ Authorization: `Bearer ${token}` }), undefined],
    [
      "the raw token, and JSON",
      (token: string) => ({ Authorization: token, "Content-Type": "application/json" }),
      "{}",
    ],
    [
      "headers of another site, and another content type",
      (token: string) => ({
        Authorization: `Bearer ${token}`,
        "Content-Type": "text/plain",
        "Sec-Fetch-Site": "cross-site",
        Origin: "https://elsewhere.example",
      }),
      "x",
    ],
  ] as const)("ends the token, by %s", async (_how, headers, body) => {
    const { id } = await somebody();
    const { token } = await tokenOf(id);
    const other = await tokenOf(id);
    const asking = { method: "POST", headers: headers(token), ...(body !== undefined && { body }) };
    const done = await client().ask("/api/logout", asking);
    expect([done.status, done.text]).toEqual([200, '{"ok":true}']);
    const valid = (kept: string) => client().get("/api/validate-token", { Authorization: kept });
    expect((await valid(token)).text).toBe('{"valid":false}');
    expect((await valid(other.token)).text).toBe('{"valid":true}');
    expect((await client().ask("/api/logout", asking)).status).toBe(401);
  });
});

describe.each(["/reset-password", "/reset/password"])("%s/{id} as a call", (path) => {
  const asJson = { Accept: "application/json" };

  test("returns the email, sets a password once and ends every session", async () => {
    const { id, email } = await somebody();
    const session = await tokenOf(id);
    const token = await linkFor(id);
    const response = await client().get(`${path}/${token}`, asJson);
    expect([response.status, response.text]).toEqual([200, JSON.stringify({ data: { email } })]);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");

    const done = await call(`${path}/${token}`, { password: "a-new-Pass-2" }, asJson);
    expect([done.status, done.text]).toEqual([200, '{"ok":true}']);
    const login = { encodedEmail: encode(email), encodedPassword: encode("a-new-Pass-2") };
    expect((await call("/api/login", login)).status).toBe(200);
    const valid = await client().get("/api/validate-token", { Authorization: session.token });
    expect(valid.text).toBe('{"valid":false}');

    expectRefused(await client().get(`${path}/${token}`, asJson), 404, "We could not find that link.");
    const again = await call(`${path}/${token}`, { password: "a-third-Pass-3" }, asJson);
    expectRefused(again, 400, expect.stringMatching(/^Failed to update password\./));
  });

  test("refuses expired, guessed or malformed links and short passwords", async () => {
    const { id } = await somebody();
    for (const token of [await linkFor(id, -1), "g".repeat(43), "short"]) {
      expectRefused(await client().get(`${path}/${token}`, asJson), 404);
    }
    expectRefused(await call(`${path}/${"g".repeat(43)}`, { password: "a-new-Pass-2" }, asJson), 400);
    expectRefused(await call(`${path}/short`, { password: "a-new-Pass-2" }, asJson), 404);
    const token = await linkFor(id);
    expectRefused(
      await call(`${path}/${token}`, { password: "IloveYou" }, asJson),
      400,
      english(newPasswordTooCommon),
      { password: english(newPasswordTooCommon) },
    );
    const short = "Password must be at least 8 characters long.";
    expectRefused(await call(`${path}/${token}`, { password: "1234567" }, asJson), 400, short, {
      password: short,
    });
    expectRefused(await call(`${path}/${token}`, {}, asJson), 400, "The request is malformed.", {
      password: "Please enter a new password.",
    });
    expectRefused(await call(`${path}/${token}`, {}, { ...asJson, "Sec-Fetch-Site": "cross-site" }), 403);
    const form = { ...asJson, "Content-Type": "application/x-www-form-urlencoded" };
    expectRefused(await call(`${path}/${token}`, {}, form), 415);
    expect((await call(`${path}/${token}`, { password: "a-new-Pass-2" }, asJson)).status).toBe(200);
  });

  test.each(["*/*", "application/xml", "", null])("responds with JSON to Accept %j", async (Accept) => {
    const { id, email } = await somebody();
    const answer = await client().get(`${path}/${await linkFor(id)}`, { Accept });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ data: { email } })]);
    const password = { password: "a-new-Pass-2" };
    expect((await call(`${path}/${await linkFor(id)}`, password, { Accept })).text).toBe('{"ok":true}');
  });

  test("sends the page to browsers", async () => {
    const { id } = await somebody();
    for (const Accept of ["text/html", "text/html,application/xhtml+xml,application/json;q=0.9"]) {
      const page = await client().get(`${path}/${await linkFor(id)}`, { Accept });
      expect(page.headers.get("content-type")).toContain("text/html");
      expect(page.text).toContain("Choose a password");
    }
  });
});

describe("GET /api/validate-token", () => {
  const valid = async (headers: RequestOptions["headers"], who = client()) => {
    const answer = await who.get("/api/validate-token", headers);
    expect(answer.status).toBe(200);
    return answer.text;
  };

  test("accepts a valid token, with or without Bearer, and a browser's session", async () => {
    const { id, email } = await somebody();
    const { token, sessionId } = await tokenOf(id);
    expect(await valid({ Authorization: `Bearer ${token}` })).toBe('{"valid":true}');
    expect(await valid({ Authorization: token })).toBe('{"valid":true}');
    const buyer = client();
    expect(await valid({}, buyer)).toBe('{"valid":false}');
    await buyer.post("/login", { email, password });
    expect(await valid({}, buyer)).toBe('{"valid":true}');
    // The header takes precedence over the browser's cookie.
    expect(await valid({ Authorization: "Bearer nonsense" }, buyer)).toBe('{"valid":false}');
    expect(await valid({ Authorization: "" }, buyer)).toMatch(/valid/);

    await revokeSession(context.db, sessionId);
    expect(await valid({ Authorization: token })).toBe('{"valid":false}');
  });

  test("rejects expired, foreign and malformed tokens", async () => {
    const { id } = await somebody();
    const { token, sessionId } = await tokenOf(id);
    await context.db
      .updateTable("sessions")
      .set({ expires_at: new Date() })
      .where("id", "=", sessionId)
      .execute();
    const foreign = await createSession(context.db, ["another-secret-of-32-characters-!"], id);
    for (const bad of [token, foreign.token, "x", "Basic YTpi", `Bearer ${"x".repeat(4_000)}`]) {
      expect(await valid({ Authorization: bad }), bad).toBe('{"valid":false}');
    }
  });

  test("accepts only GET", async () => {
    const answer = await call("/api/validate-token", {});
    expectRefused(answer, 405, "Method not allowed");
    expect(answer.headers.get("allow")).toBe("GET");
  });
});
