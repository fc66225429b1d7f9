/**
 * A reader of the log gets into no account. Live mailed tokens and sessions are used in every way that is logged, including
 * refusals and internal errors; then all debug output of web and worker is searched for them.
 */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { mintAdministratorToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { makeCustomer } from "#tests/support/customer.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore({ worker: true, env: { LOG_LEVEL: "debug" } });
const { db } = context;

const form = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" };
const visitor = () => new HttpBrowser(stack.url);

/** Waits for a mail from the worker. @returns the token of the newest link */
async function tokenMailedTo(email: string): Promise<string> {
  return expect
    .poll(async () => {
      const [mail] = await controls.inbox(email);
      return /https?:\/\/\S+\/([\w-]{43})\b/.exec(mail?.text ?? "")?.[1] ?? "";
    })
    .not.toBe("")
    .then(async () => {
      const [mail] = await controls.inbox(email);
      return /https?:\/\/\S+\/([\w-]{43})\b/.exec(mail?.text ?? "")?.[1] ?? "";
    });
}

/** Sends requests with a token in the address that are refused and therefore logged. */
async function abuse(page: string, token: string, stranger: HttpBrowser): Promise<void> {
  const path = `/${page}/${token}`;
  const large = `password=${"x".repeat(70_000)}`;
  await stranger.get(path);
  await stranger.post(path, { intent: "accept" });
  const requested: [string, Parameters<HttpBrowser["ask"]>[1]?][] = [
    [path, { method: "POST", headers: { ...form, "Sec-Fetch-Site": "cross-site" }, body: "a=1" }],
    [
      path,
      {
        method: "POST",
        headers: { ...form, Origin: "https://evil.example", "Sec-Fetch-Site": null },
        body: "a=1",
      },
    ],
    [path, { method: "POST", headers: form, body: "a[1]=1" }],
    [path, { method: "POST", headers: form, body: large }],
    [path, { method: "POST", headers: { ...form, "Content-Type": "text/plain" }, body: "a=1" }],
    [path, { method: "PUT", headers: form, body: "a=1" }],
    [path, { method: "DELETE" }],
    [`${path}/more`],
    [`/no-such-page${path}`],
    [`/no-such-page/${token}`],
    [`/${token}`],
    [`${path}%ff`],
    [`/${page.replace("s", "%73").replace("v", "%76")}/${token}`],
    [`/${page}%2F${token}`],
    [`/${page}/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`],
    [`${stack.url}//${page}//${token}`],
    [`/${page.toUpperCase()}/${token}`],
    [`${path}.data`],
    [`/search.data?next=${path}`],
    [`/login?next=${encodeURIComponent(path)}`],
    [`/check/user?email=${token}`],
    [`/get/${token}`],
    [path, { headers: { Accept: "application/json" } }],
  ];
  for (const [address, asking] of requested) await visitor().ask(address, asking);
}

/** Returns every substring of the log that could be a token, also within longer words. */
function tokensRead(lines: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const [word] of lines.join("\n").matchAll(/[\w-]{43,}/g)) {
    for (let at = 0; at + 43 <= word.length; at += 1) found.add(word.slice(at, at + 43));
  }
  return found;
}

test("writes no secret that opens an account to the logs of web and worker", async () => {
  const victim = await makePerson(db);
  const stranger = await signedIn(context, stack.url, await makePerson(db));
  const company = await makeCustomer(db);
  const buyer = visitor();
  const order = await toReview(buyer);
  const orderer = await findUserByEmail(db, order.email);
  if (orderer === null) throw new Error("Expected the order to have an account");

  // Mailed by the worker, as a buyer receives them.
  const invited = freshEmail();
  const owner = await signedIn(context, stack.url, company.owner);
  await owner.post("/members", { intent: "invite", email: invited, role: "buyer" });
  await visitor().post("/forgot-password", { email: victim.email });
  const tokens = {
    invite: await tokenMailedTo(invited),
    "reset-password": await tokenMailedTo(victim.email),
    "set-password": await tokenMailedTo(order.email),
    resume: await mintToken(db, {
      purpose: "resume-order",
      userId: orderer.id,
      orderId: order.id,
      ttlSeconds: 3_600,
    }),
    approve: await mintAdministratorToken(db, order.id, new Date(Date.now() + 3_600_000)),
  };
  for (const [page, token] of Object.entries(tokens)) await abuse(page, token, stranger);

  // Requests that only a reset link allows.
  const reset = `/reset-password/${tokens["reset-password"]}`;
  const tooLong = "x".repeat(1_100);
  await visitor().post(reset, { password: tooLong, confirmPassword: tooLong });
  for (const password of ["short", tooLong]) {
    await visitor().ask(reset, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ password }),
    });
  }

  // A session in the address.
  const { token: session } = await createSession(db, context.env.SESSION_SECRETS, victim.userId);
  for (const path of [
    `/?jwt-token=${session}`,
    `/home?jwt-token=${session}`,
    `/no-such-page?jwt-token=${session}`,
  ]) {
    await visitor().get(path, { "Sec-Fetch-Site": "cross-site" });
  }
  await visitor().get(`/api/validate-token?token=${session}`, { Authorization: `Bearer ${session}` });

  // An internal error with a token in the address.
  await sql`alter table one_time_tokens rename to one_time_tokens_away`.execute(db);
  const statuses = [];
  for (const [page, token] of Object.entries(tokens))
    statuses.push((await visitor().get(`/${page}/${token}`)).status);
  await sql`alter table one_time_tokens_away rename to one_time_tokens`.execute(db);
  expect(statuses).toContain(500);

  // The line of the last request has been written.
  const mark = randomUUID();
  await visitor().get(`/${mark}`);
  await expect.poll(() => stack.logs("web").some((line) => line.includes(mark))).toBe(true);

  const lines = stack.logs();
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.some((line) => line.startsWith("worker:"))).toBe(true);
  const held = [...Object.values(tokens), ...session.split(".").slice(1)];
  for (const secret of held) {
    // Half a token would make guessing the rest easy.
    const parts = [secret.slice(0, 16), secret.slice(-16)];
    expect(lines.filter((line) => parts.some((part) => line.includes(part)))).toEqual([]);
  }
  const rows = await db.selectFrom("one_time_tokens").select("hash").execute();
  const hashes = new Set(rows.map(({ hash }) => hash));
  expect([...tokensRead(lines)].filter((word) => hashes.has(hashToken(word)))).toEqual([]);

  // All tokens still work, so they were live during the requests.
  const answers = await Promise.all([
    visitor().post(`/resume/${tokens.resume}`, {}),
    visitor().post(reset, { password: "a-New-pass-1", confirmPassword: "a-New-pass-1" }),
    visitor().post(`/invite/${tokens.invite}`, {
      intent: "new",
      firstName: "Nila",
      lastName: "Sen",
      password: "a-good-Pass-1",
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([303, 200, 303]);
});
