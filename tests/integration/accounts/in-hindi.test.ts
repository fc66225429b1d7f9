/** The account pages in Hindi: every page and refusal, without any English text in between. */
import { describe, expect, test } from "vitest";
import { inviteMember } from "#server/accounts/invites.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { createUser } from "#server/accounts/users.ts";
import { brand } from "#server/foundation/brand.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { newToken } from "#server/foundation/security/token.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { sendMail } from "#server/mail/send.ts";
import {
  HttpBrowser,
  mainContentOf,
  type RequestOptions,
  type TestResponse,
} from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, type Person, readOrder, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
const text = textIn("hi");
const password = "a-good-Pass-1";
const person = { firstName: "आशा", lastName: "राव" };

/** Browser that prefers Hindi. */
class Reader extends HttpBrowser {
  override ask(path: string, asking: RequestOptions = {}): Promise<TestResponse> {
    return super.ask(path, { ...asking, headers: { "Accept-Language": "hi-IN", ...asking.headers } });
  }
}

const reader = () => new Reader(stack.url);

async function as(who: Person): Promise<Reader> {
  const browser = reader();
  browser.setCookie("session", (await signedIn(context, stack.url, who)).cookie("session") ?? "");
  return browser;
}

/** Creates a user whose mailbox is not proven. */
async function unproven(fields: { password?: string } = {}): Promise<Person> {
  const email = freshEmail();
  const input = { ...person, email, phone: "9876543210", password: fields.password ?? null };
  return { email, userId: await db.transaction().execute((trx) => createUser(trx, input)) };
}

/** Returns the text of a page with its title and the attributes that are read or shown. */
function saidOn({ text: html }: TestResponse): string {
  const [title = ""] = /<title>[^<]*<\/title>/.exec(html) ?? [];
  const attributes = [...html.matchAll(/ (?:aria-label|placeholder|data-when-unsent)="([^"]*)"/g)];
  return [
    title.replace(` | ${brand.name}`, ""),
    mainContentOf(html),
    ...attributes.map(([, value = ""]) => value),
  ]
    .join("\n")
    .replaceAll("<!-- -->", "")
    .replaceAll(/<script.*?<\/script>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");
}

/** Finds Latin words, except product names, currency codes, "am" and "pm", email addresses and the placeholder {error}. */
const latin = (said: string) =>
  said
    .replaceAll(/\S+@\S+|\{error\}|Outlook|Google|Asha Rao|Microsoft 365[\w ]*|\b[ap]m\b|\bINR\b/g, "")
    .match(/[A-Za-z]+/g) ?? [];

/** Expects a page that contains all these texts and no English. */
function expectHindi(answer: TestResponse, status: number, ...words: string[]): void {
  expect(answer.status).toBe(status);
  const said = saidOn(answer);
  for (const sentence of words) expect(said).toContain(sentence.replaceAll(/<[^>]*>/g, " "));
  expect(latin(said)).toEqual([]);
}

/** Expects a redirect to a page that shows this message. */
async function expectNoted(browser: Reader, answer: TestResponse, message: string): Promise<void> {
  expect(answer.status).toBe(303);
  expect((await browser.get(answer.location ?? "")).text.replaceAll("&#x27;", "'")).toContain(message);
}

describe("a visitor", () => {
  test("logs in", async () => {
    expectHindi(
      await reader().get("/login"),
      200,
      text("access.signInTitle"),
      text("access.madeWhileOrdering"),
    );
    const refused = await reader().post("/login", { email: freshEmail(), password: "wrong" });
    expectHindi(refused, 401, text("access.loginFailed"));
  });

  test("signs up", async () => {
    const { email } = await makePerson(db);
    const form = { ...person, email, password, phoneNumber: "9876543210" };
    expectHindi(await reader().get("/signup"), 200, text("access.signUpTitle"), text("access.passwordHint"));
    const taken = await reader().post("/signup", form);
    expectHindi(taken, 409, text("access.accountExists"), "पासवर्ड रीसेट करें");
    expectHindi(
      await reader().post("/signup", { ...form, phoneNumber: "1" }),
      400,
      text("access.phoneWrong"),
    );
    const made = await reader().post("/signup", { ...form, email: freshEmail() });
    expectHindi(made, 200, text("access.userCreated"), text("access.logInNow"));
  });

  test("requests a password reset", async () => {
    expectHindi(await reader().get("/forgot-password"), 200, text("access.forgotLead"));
    const sent = await reader().post("/forgot-password", { email: freshEmail() });
    expectHindi(sent, 200, text("access.resetSent"), text("access.resetSentHint"));
    const refused = await reader().post("/forgot-password", { email: "" });
    expect([refused.status, refused.text.includes(text("access.forgotLead"))]).toEqual([400, true]);
  });

  test("chooses a password with a link", async () => {
    const { userId } = await makePerson(db);
    const token = await mintToken(db, { purpose: "reset-password", userId, ttlSeconds: 60 });
    const link = `/reset-password/${token}`;
    expectHindi(await reader().get(link), 200, text("access.chooseTitle"), text("access.signsOutEverywhere"));
    const choose = (chosen: string) => reader().post(link, { password: chosen, confirmPassword: chosen });
    expectHindi(await choose("short"), 400, text("fields.passwordLength"));
    expectHindi(await choose("Password1"), 400, text("access.passwordTooCommon"));
    expectHindi(await choose(password), 200, text("access.passwordUpdated"), text("access.signInNow"));
    expectHindi(await reader().get(link), 200, text("access.linkOver"), text("access.linkUnchanged"));
    expectHindi(await choose(password), 400, text("access.passwordLinkOver"));
  });

  test("asks to confirm the account behind a sign-in link", async () => {
    const owner = await makePerson(db);
    const current = await makePerson(db);
    const token = JSON.parse(atob((await signedIn(context, stack.url, owner)).cookie("session") ?? ""));
    const here = `/?jwt-token=${token}`;
    const visitor = reader();
    expectHindi(
      await visitor.get((await visitor.get(here)).location ?? ""),
      200,
      text("access.continueTitle"),
      text("access.notYourAccount"),
    );
    const other = await as(current);
    expectHindi(
      await other.get((await other.get(here)).location ?? ""),
      200,
      text("access.leavesAccount", { current: current.email, email: owner.email }),
    );
  });

  test("continues an order from a mailed link", async () => {
    const { id } = await toReview(new HttpBrowser(stack.url));
    const { user_id: userId } = await readOrder(db, id);
    if (userId === null) throw new Error("Expected the order to have a buyer");
    const token = await mintToken(db, { purpose: "resume-order", userId, orderId: id, ttlSeconds: 60 });
    expectHindi(await reader().get(`/resume/${token}`), 200, text("access.resumeTitle"));
    for (const dead of ["short", newToken()]) {
      expectHindi(
        await reader().get(`/resume/${dead}`),
        404,
        text("access.linkOver"),
        text("access.nothingLost"),
      );
      const pressed = await reader().post(`/resume/${dead}`, {});
      expectHindi(pressed, 404, text("access.linkOver"));
      expect(pressed.text).toContain(`<title>${text("access.linkOver")} | ${brand.name}</title>`);
    }
  });
});

describe.each(identityProviderIds)("with %s", (provider) => {
  const { name, paths: ours } = identityProviders[provider];

  test("asks for a proof of an unverified email", async () => {
    const { email } = await makePerson(db);
    const visitor = reader();
    await signInWith(provider, visitor, { email });
    expectHindi(
      await visitor.get(ours.proof()),
      200,
      text("access.isYourAccount"),
      text("access.withoutPassword"),
    );
    const wrong = await visitor.post(ours.proof(), { intent: "password", password: "wrong" });
    expectHindi(wrong, 401, text("access.loginFailed"));
    expect((await visitor.post(ours.proof(), { intent: "mail-code", email })).status).toBe(303);
    const wrongCode = await visitor.post(ours.proof(), { intent: "code", code: "0000 0000" });
    expectHindi(wrongCode, 400, text("access.codeWrong"), text("access.enterCode"));
  });

  test("asks for an email that the provider does not give", async () => {
    const nameless = reader();
    await signInWith(provider, nameless, { email: "" });
    expectHindi(
      await nameless.get(ours.proof()),
      200,
      text("access.whatEmail"),
      text("access.emailUnknown", { provider: name }),
    );
    const unknown = reader();
    await signInWith(provider, unknown, { email: freshEmail() });
    expectHindi(
      await unknown.get(ours.proof()),
      200,
      text("access.isYourEmail"),
      text("access.emailUnsure", { provider: name }),
    );
  });

  test("returns to the login when a sign-in fails", async () => {
    const visitor = reader();
    const cancelled = await signInWith(provider, visitor, { email: freshEmail() }, { cancel: true });
    await expectNoted(visitor, cancelled, text("access.providerCancelled", { provider: name }));
    await expectNoted(
      visitor,
      await visitor.get(`${ours.callback()}?code=x`),
      text("access.providerTooLate", { provider: name }),
    );
    await expectNoted(visitor, await visitor.get(ours.proof()), text("access.proofOver", { provider: name }));
    const administrator = await visitor.get(paths.administratorCallback());
    await expectNoted(visitor, administrator, text("approval.tooLate"));
  });
});

describe("My Account", () => {
  test("shows the signed-in email and the session", async () => {
    const { email, userId } = await unproven();
    const browser = await as({ email, userId });
    expectHindi(await browser.get("/account"), 200, text("account.title"), text("account.notConfirmed"));
    expectHindi(await browser.get("/account/password"), 200, text("account.setPassword"));
    const linked = await browser.post("/account/password-link", {});
    await expectNoted(browser, linked, text("account.linkEmailed", { email }));
    await expectNoted(browser, await browser.post("/account", {}), text("account.signedOut"));
  });

  test("changes a password", async () => {
    const browser = await as(await unproven({ password }));
    expectHindi(
      await browser.get("/account/password"),
      200,
      text("account.changePassword"),
      text("account.staysHere"),
    );
    const change = (currentPassword: string) =>
      browser.post("/account/password", {
        currentPassword,
        password: "new-Pass-2",
        confirmPassword: "new-Pass-2",
      });
    expectHindi(await change("wrong"), 400, text("account.currentPasswordWrong"));
    await expectNoted(browser, await change(password), text("account.passwordChanged"));
  });

  test("translates pages that consist of a title only", async () => {
    const browser = await as(await makePerson(db));
    expectHindi(await browser.get("/sync/cp"), 200, text("account.sync"));
    expect((await browser.get("/Home")).text).toContain(
      `<title>${text("home.ourPlans")} | ${brand.name}</title>`,
    );
  });
});

describe("a company", () => {
  test("lists members and lets owners change them", async () => {
    const owner = await makePerson(db);
    const viewer = await makePerson(db);
    const company = await makeCompany(db, owner, "नीली करघा");
    await join(db, company, viewer, "viewer");
    const owners = await as(owner);
    const refused = await owners.post("/members", { intent: "invite", email: viewer.email, role: "buyer" });
    expectHindi(refused, 409, text("members.memberAlready", { email: viewer.email, role: "viewer" }));
    const left = await owners.post("/members", { intent: "remove", member: owner.userId });
    expectHindi(left, 409, text("members.ownerNeeded"), text("members.whoMay"), text("members.you"));
    const email = freshEmail();
    const invited = await owners.post("/members", { intent: "invite", email, role: "buyer" });
    await expectNoted(owners, invited, text("members.onItsWay", { email }));
    expectHindi(await owners.get("/members"), 200, text("members.invited"), "ख़रीदार के रूप में");

    const viewers = await as(viewer);
    expectHindi(await viewers.get("/members"), 200, text("members.heading", { company: "नीली करघा" }));
    const change = await viewers.post("/members", { intent: "remove", member: owner.userId });
    expectHindi(change, 403, text("members.ownersOnly", { company: "नीली करघा" }));
  });

  test("requires an owner's confirmed email, and is hidden from others", async () => {
    const owner = await unproven();
    await makeCompany(db, owner, "नीली करघा");
    const owners = await as(owner);
    expectHindi(await owners.get("/members"), 200, text("members.confirmToInvite"));
    const refused = await owners.post("/members", { intent: "invite", email: freshEmail(), role: "buyer" });
    expectHindi(refused, 403, text("account.confirmFirst"));
    expectHindi(await (await as(await unproven())).get("/members"), 200, text("members.noCompany"));
  });

  test("accepts an invited member", async () => {
    const owner = await makePerson(db);
    const customerId = await makeCompany(db, owner, "नीली करघा");
    const link = await invitationTo(freshEmail(), { customerId, by: owner.userId });
    expectHindi(await (await as(owner)).get(link), 200, text("members.otherTitle"));
    const visitor = reader();
    expectHindi(
      await visitor.get(link),
      200,
      text("members.yourInvitation"),
      text("members.invitedBy", { inviter: `Asha Rao (${owner.email})`, role: "buyer" }),
    );
    const answer = { intent: "new", ...person };
    expectHindi(
      await visitor.post(link, { ...answer, password: "Baseball" }),
      400,
      text("access.passwordTooCommon"),
    );
    await expectNoted(
      visitor,
      await visitor.post(link, { ...answer, password }),
      text("members.welcome", { company: "नीली करघा", role: "buyer" }),
    );
    for (const dead of [link, "/invite/short"]) {
      expectHindi(await visitor.get(dead), 404, text("members.overTitle"), text("members.overWhy"));
    }
    const member = await makePerson(db);
    const again = await invitationTo(member.email, { customerId, by: owner.userId });
    expectHindi(await reader().get(again), 200, text("members.logIn"));
    expectHindi(await (await as(member)).get(again), 200, text("members.join", { company: "नीली करघा" }));
  });
});

test("keeps API responses in English regardless of the browser's language", async () => {
  const encode = (said: string) => Buffer.from(said).toString("base64");
  const { status, text: answered } = await reader().ask("/api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify({ encodedEmail: encode(freshEmail()), encodedPassword: encode("wrong") }),
  });
  expect(status).toBe(401);
  expect(answered).toContain("Login failed. Please try again.");
});

/** Invites an address as a buyer. @returns the link's path */
async function invitationTo(
  email: string,
  by: Pick<Parameters<typeof inviteMember>[1], "customerId" | "by">,
): Promise<string> {
  await inviteMember(db, { ...by, email, role: "buyer", now: new Date() });
  const { id } = await db
    .selectFrom("mails")
    .select("id")
    .where("recipient", "=", email)
    .where("kind", "=", "member-invite")
    .executeTakeFirstOrThrow();
  await sendMail(context, id);
  const [mail] = await controls.inbox(email);
  return new URL(/https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "").pathname;
}
