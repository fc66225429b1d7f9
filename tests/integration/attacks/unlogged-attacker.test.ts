/**
 * An attacker tries passwords, codes, forged messages and orders of others. Each try is one log line with the network, the
 * account and the outcome, so that operators see who was attacked and from where.
 */
import { expect, test } from "vitest";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { toReview } from "#tests/support/journey.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
// Each visitor of a test has another network.
const network = expect.stringMatching(/^10(\.\d+){2}\.x$/);
const json = { "Content-Type": "application/json" };

const visitor = () => new HttpBrowser(stack.url);
/** Parses the log lines of web that are JSON objects. */
const lines = () =>
  stack.logs("web").flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line.slice(line.indexOf("{")))];
    } catch {
      return [];
    }
  });

/** Waits for a line with these fields. */
const logged = (facts: Record<string, unknown>) =>
  expect.poll(lines).toContainEqual(expect.objectContaining({ network, ...facts }));

test("logs a wrong password and the rate limit with the account", async () => {
  const { userId, email } = await makeBuyer(context);
  const guesser = visitor();
  await guesser.post("/login", { email, password: "wrong" });
  await logged({ msg: "form refused", outcome: "wrong-password", userId, path: "/login" });
  for (let tries = 0; tries < 5; tries += 1) await guesser.post("/login", { email, password: "wrong" });
  await logged({ msg: "form refused", outcome: "rate-limited", limit: "login-pair", userId });
  expect(stack.logs("web").join("\n")).not.toContain(email);
});

test("logs a wrong code with the account of the pending sign-in", async () => {
  const { userId, email } = await connectApp(context, await makeBuyer(context));
  const guesser = visitor();
  await guesser.post("/login", { email, password: buyerPassword });
  await guesser.post("/login/code", { code: "000000" });
  await logged({ msg: "form refused", outcome: "wrong-code", userId, path: "/login/code" });
});

test("logs an invalid passkey", async () => {
  await visitor().post("/login/passkey", { response: "{}" });
  await logged({ outcome: "wrong-passkey", path: "/login/passkey" });
});

test("logs an identity callback without a stored flow", async () => {
  await visitor().get("/azure/ad/callback?code=x&state=y");
  await logged({ msg: "identity sign-in ended", outcome: "no-beginning", provider: "outlook" });
});

test("logs a forged webhook and a post from another site", async () => {
  await visitor().ask("/webhooks/razorpay", {
    method: "POST",
    headers: { ...json, "X-Razorpay-Signature": "0".repeat(64) },
    body: "{}",
  });
  await logged({ msg: "call refused", outcome: "forged-signature", path: "/webhooks/razorpay" });
  await visitor().ask("/login", {
    method: "POST",
    headers: { "Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded" },
    body: "email=a%40b.co&password=x",
  });
  await logged({ msg: "request refused", outcome: "other-site", path: "/login" });
});

test("logs the user who requested another user's order", async () => {
  const { path } = await toReview(visitor());
  const stranger = await makePerson(db);
  const browser = await signedIn(context, stack.url, stranger);
  expect((await browser.get(`${path}/place-order`)).status).toBe(404);
  await logged({ msg: "request refused", outcome: "not_found", userId: stranger.userId });
  await logged({ msg: "request", status: 404, userId: stranger.userId });
});

test("logs refused and successful sign-ins at the Desk", async () => {
  const { id: staffId, email } = await makeStaff(context, "viewer");
  await visitor().post("/desk/login", { email, password: "wrong" });
  await logged({ outcome: "wrong-password", staffId, path: "/desk/login" });
  const browser = await staffBrowser(context, stack.url, { id: staffId }, { verified: false });
  await browser.post("/desk/code", { code: "000000" });
  await logged({ outcome: "wrong-code", staffId, path: "/desk/code" });
});

test("logs a new session and a wrong current password in it", async () => {
  const { userId, email } = await makeBuyer(context);
  const browser = visitor();
  await browser.post("/login", { email, password: buyerPassword });
  await logged({ msg: "session started", userId, path: "/login" });
  await browser.post("/account/password", {
    currentPassword: "wrong",
    password: "another-good-Pass-2",
    confirmPassword: "another-good-Pass-2",
  });
  await logged({ outcome: "wrong-password", userId, path: "/account/password" });
});
