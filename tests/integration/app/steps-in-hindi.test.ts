/** An order's steps, the administrator's approval page and the list of waiting orders, for a browser that prefers Hindi. */
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { msg, textIn, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { approvalPage } from "#tests/support/administrator.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { inDevanagari } from "#tests/support/digits.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  googlePlan,
  type OrderPlace,
  placeOrder,
  plan,
  providerOrderOf,
  toReview,
  type WantedPlan,
} from "#tests/support/journey.ts";
import { readOrder, signedIn } from "#tests/support/orders.ts";
import {
  answerSignInExistingTenant,
  answerSignInNewTenant,
  freshPrefix,
  payFor,
} from "#tests/support/paid-order.ts";
import { confirmEmail } from "#tests/support/people.ts";
import type { Mail } from "#tests/support/sandbox-controls.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
afterEach(() => controls.faults());
afterAll(() => {
  expect(stack.unexpectedErrors()).toEqual([]);
});

const hindi = textIn("hi");
const english = textIn("en");
const asksForHindi = { "Accept-Language": "hi-IN,hi;q=0.9,en;q=0.5" };
const inHindi = () => new HttpBrowser(stack.url, asksForHindi);

/** Returns the visible text of a page, without React's separators. */
const read = (html: string) => mainContentOf(html).replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
const titleOf = (html: string) => /<title>([^<|]*) \|/.exec(html)?.[1];
/** Returns a message up to its first tag or argument. */
const beginningOf = (message: string) => message.split(/[<{]/)[0] ?? "";

interface Paid extends OrderPlace {
  browser: HttpBrowser;
  email: string;
}

async function paidInHindi(wanted: WantedPlan = plan): Promise<Paid> {
  const browser = inHindi();
  const order = await toReview(browser, { wanted });
  await placeOrder(browser, order);
  const providerOrderId = await providerOrderOf(browser, order);
  await payFor({ browser, path: order.path, providerOrderId }, stack.sandboxUrl);
  return { ...order, browser };
}

async function mailTo(email: string, subject: RegExp): Promise<Mail> {
  const found = async () => (await controls.inbox(email)).find((mail) => subject.test(mail.subject));
  await until(`a mail to ${email}: ${subject}`, async () => (await found()) !== undefined);
  const mail = await found();
  if (mail === undefined) throw new Error("Expected a mail");
  return mail;
}

describe("before the payment", () => {
  test("translates the first step's title, form and refusals", async () => {
    const browser = inHindi();
    const { family, item } = googlePlan("");
    const page = await browser.get(`/order/${family}/${item}/IN`);
    expect(page.text).toContain(
      hindi("steps.aboutPlan", { name: "Google Workspace Business Starter", description: "" }),
    );
    for (const said of [
      hindi("families.setUpGoogle"),
      hindi("signIn.otherReseller"),
      hindi("signIn.transferSignInAny"),
      `data-taken="${hindi("signIn.domainTaken")}"`,
      `data-when-unsent="${hindi("forms.kept", { said: hindi("details.failed", { error: "{error}" }) })}"`,
    ]) {
      expect(read(page.text)).toContain(said);
    }
    const post = async (form: Record<string, string>) =>
      read((await browser.post(`/order/${family}/${item}/IN`, { term: "P1Y", quantity: "2", ...form })).text);
    const token = { transferToken: "SANDBOX-TOKEN" };
    expect(await post({ domain: "taken-by-another.com" })).toContain(hindi("signIn.domainTaken"));
    expect(await post({ domain: `transfer-${process.pid}-h.com` })).toContain(hindi("families.tokenMissing"));
    expect(await post({ domain: `transfer-both-${process.pid}-h.com`, ...token })).toContain(
      translate(
        "hi",
        msg("families.movesTogether", {
          all: ["Google Workspace Business Starter", "Google Workspace Business Plus"],
          plan: "Google Workspace Business Starter",
        }),
      ),
    );
    expect(await post({ domain: `transfer-large-${process.pid}-h.com`, ...token })).toContain("12 लाइसेंस");
  });

  test("translates Microsoft's address check and the message for a failed send", async () => {
    const browser = inHindi();
    const { path } = await beginOrder(browser);
    await browser.post(`${path}/create-account`, { intent: "choose-address", choice: "manual" });
    const page = await browser.get(`${path}/create-account`);
    expect(titleOf(page.text)).toBe(hindi("steps.createAccount"));
    const form = { ...accountForm(freshEmail()), addressLine1: "Nowhere Lane 4" };
    const refused = await browser.post(`${path}/create-account`, form);
    expect(refused.status).toBe(400);
    expect(read(refused.text)).toContain(hindi("families.checkStreet"));
    expect(read(refused.text)).toContain(
      `data-when-unsent="${hindi("forms.kept", { said: hindi("createAccount.failed", { error: "{error}" }) })}"`,
    );
  });

  test("accepts digits of a Hindi keyboard", async () => {
    const email = freshEmail();
    const browser = inHindi();
    const { location } = await browser.post(paths.newOrder(plan), { term: "P1Y", quantity: "१७" });
    const path = location?.replace("/create-account", "") ?? "";
    const form = {
      ...accountForm(email),
      companyName: "दुकान २४",
      phoneNumber: inDevanagari("98765 43210"),
      pincode: inDevanagari(560038),
      organisationRegistrationNumber: inDevanagari("29AABCB1234C1ZA"),
    };
    expect((await browser.post(`${path}/create-account`, form)).location).toBe(`${path}/place-order`);
    const review = read((await browser.get(`${path}/place-order`)).text);
    for (const said of [">17<", "दुकान २४", "+91 9876543210", "Karnataka 560038", "GSTIN 29AABCB1234C1ZA"])
      expect(review).toContain(said);
  });

  test("translates the refusal of unaccepted terms and the payment request", async () => {
    const browser = inHindi();
    const order = await toReview(browser);
    const form = { intent: "place-order", total: String(order.totalMinor) };
    const refused = await browser.post(`${order.path}/place-order`, form);
    expect(read(refused.text)).toContain(hindi("steps.acceptTerms"));
    await placeOrder(browser, order);
    const { text } = await browser.get(`${order.path}/place-order`);
    expect(read(text)).toContain(hindi("review.byMethods", { methods: hindi("paying.card") }));
    expect(read(text)).toMatch(
      new RegExp(`<button[^>]*>₹[^<]* ${hindi("review.pay", { total: "" }).trim()}<`),
    );
  });

  test.each([
    ["ADD", (id: string) => paths.buyMore(id), "steps.moreTitle"],
    ["RENEW", (id: string) => paths.renew(id), "steps.renewTitle"],
    ["TUP", () => paths.newContract(plan), "steps.addTitle"],
  ] as const)("translates the title of the first step of %s", async (_kind, address, title) => {
    const customer = await makeCustomer(context.db);
    const { id } = await createSubscriptionFor(context.db, customer, { endsInDays: 5 });
    const owner = await signedIn(context, stack.url, customer.owner);
    const { text } = await owner.get(address(id), asksForHindi);
    expect(titleOf(text)).toMatch(new RegExp(hindi(title, { name: ".+" })));
  });
});

describe("Microsoft Sign-In", () => {
  test("translates its form and refusals", async () => {
    const { browser, path } = await paidInHindi();
    const { text } = await browser.get(`${path}/sign-in`);
    expect(titleOf(text)).toBe(hindi("steps.signIn", { family: "Microsoft" }));
    for (const said of [
      hindi("signIn.whichAccount"),
      hindi("signIn.haveNone"),
      hindi("signIn.haveOneHint"),
      hindi("signIn.existingUsernameHint"),
      `data-rule="${hindi("signIn.prefixRule")}"`,
      `>${hindi("forms.next")}</button>`,
    ]) {
      expect(read(text)).toContain(said);
    }
    const refusal = async (form: Record<string, string>) =>
      read((await browser.post(`${path}/sign-in`, form)).text);
    const existing = (existingUsername: string) => refusal({ mode: "existing", existingUsername });
    expect(await existing("")).toContain(hindi("families.usernameRequired"));
    expect(await existing("boss@acme.com")).toContain(hindi("families.usernameEnding"));
    expect(await existing("a@b@acme.onmicrosoft.com")).toContain(hindi("families.usernameOneAt"));
    expect(await existing("admin@unknowncontoso.onmicrosoft.com")).toContain(hindi("families.unknownDomain"));
    expect(await refusal({ mode: "new", username: "admin", prefix: "taken-name" })).toContain(
      hindi("signIn.prefixRule"),
    );
    expect(await refusal({ mode: "new", username: "admin", prefix: "takenname" })).toContain(
      hindi("signIn.prefixTaken"),
    );
  });

  test("waits for an administrator, whose page explains what to do", async () => {
    const order = await paidInHindi();
    const { browser, path } = order;
    const domain = `${freshPrefix()}.onmicrosoft.com`;
    await answerSignInExistingTenant(order, `boss@${domain}`);
    const waiting = read((await browser.get(`${path}/sign-in`)).text);
    for (const said of [
      hindi("signIn.checking"),
      hindi("signIn.openApproval"),
      hindi("signIn.comeBack"),
      hindi("signIn.checkAgain"),
      hindi("signIn.waitingForYou"),
    ]) {
      expect(waiting).toContain(said);
    }

    const page = approvalPage(order);
    expect((await browser.get(page)).text).toContain(hindi("approval.confirmToAsk"));
    await confirmEmail(context.db, order.email);
    const { text } = await browser.get(`${page}?refused=not-administrator`);
    expect(titleOf(text)).toBe(hindi("approval.title"));
    for (const said of [
      `${domain} के ऑर्डर की पुष्टि करें`,
      hindi("approval.yours"),
      hindi("approval.signInWith", { place: "Microsoft" }),
      hindi("approval.afterSignIn"),
      hindi("approval.ask"),
      hindi("approval.email"),
      hindi("approval.notAdministrator", { domain, roles: hindi("approval.entraRoles") }),
    ]) {
      expect(read(text)).toContain(said);
    }

    const email = freshEmail();
    await browser.post(page, { intent: "ask", email });
    expect((await browser.get(page)).text).toContain(hindi("approval.mailed", { email }));
    const requested = read((await browser.get(`${path}/sign-in`)).text);
    expect(requested).toContain(hindi("signIn.waitingForAdministrator"));
    expect(requested).toContain(beginningOf(hindi("signIn.noAnswer", { domain })));
    const nothing = await inHindi().get(`/approve/${"a".repeat(43)}`);
    expect(read(nothing.text)).toContain(hindi("approval.anotherLink"));
  });

  test("translates the list of waiting orders with its count", async () => {
    const { browser } = await paidInHindi();
    const { text } = await browser.get(paths.microsoftSignup());
    expect(titleOf(text)).toBe(hindi("microsoftSignup.title"));
    expect(read(text)).toContain(hindi("microsoftSignup.waiting", { count: 1 }));
    expect(read(text)).toContain("2 लाइसेंस");
    expect(read(text)).toContain(hindi("microsoftSignup.haveOne"));
    const nobody = await signedIn(context, stack.url, (await makeCustomer(context.db)).owner);
    const none = await nobody.get(paths.microsoftSignup(), asksForHindi);
    expect(read(none.text)).toContain(hindi("microsoftSignup.nothingWhy"));
    const asBefore = await nobody.get(paths.microsoftSignup());
    expect(read(asBefore.text)).toContain(english("microsoftSignup.nothingWhy"));
  });
});

test("translates the request for a domain's record and its check", async () => {
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, { family: "google" });
  await context.pool.query("delete from control_proofs where tenant_external_id = $1", [
    held.tenantExternalId,
  ]);
  const owner = await signedIn(context, stack.url, customer.owner);
  const begun = await owner.post(`/buy/more/${held.id}`, { quantity: "1" });
  const review = begun.location ?? "";
  const total = hiddenFieldValue((await owner.get(review)).text, "total");
  const form = { intent: "place-order", terms: "on", total };
  const refused = await owner.post(review, form, asksForHindi);
  expect(read(refused.text)).toContain(hindi("families.mustConfirm", { domain: held.domain }));
  const page = approvalPage({ id: review.split("/")[4] ?? "" });
  const { text } = await owner.get(page, asksForHindi);
  for (const said of [hindi("approval.record"), hindi("approval.recordValue"), hindi("approval.lookUp")]) {
    expect(read(text)).toContain(said);
  }
  const unseen = await owner.post(page, { intent: "look-up" }, asksForHindi);
  expect(read(unseen.text)).toContain(hindi("approval.recordNotSeen"));
});

test("translates Google Sign-In and its refusals", async () => {
  const { browser, path } = await paidInHindi(googlePlan(`${freshPrefix()}.com`));
  const { text } = await browser.get(`${path}/sign-in`);
  expect(read(text)).toContain(hindi("signIn.firstAdministrator"));
  expect(read(text)).toContain(hindi("signIn.passwordHint").split("&")[0]);
  const form = { mode: "google-new", username: "admin", password: "short" };
  const refused = await browser.post(`${path}/sign-in`, form);
  expect(read(refused.text)).toContain(hindi("families.googlePassword"));
});

describe("a stored message", () => {
  const together = {
    all: ["Google Workspace Business Starter", "Google Workspace Business Plus"],
    plan: "Google Workspace Business Starter",
  };
  const problem = msg("families.movesTogether", together);

  test("explains in the reader's language why sign-in is needed again", async () => {
    const { browser, path, id, email } = await paidInHindi(googlePlan(`transfer-both-${process.pid}-k.com`));
    const form = { mode: "google-transfer", transferToken: "SANDBOX-TOKEN" };
    await browser.post(`${path}/sign-in`, form);
    const said = translate("hi", problem);
    await until("the step asks again", async () =>
      read((await browser.get(`${path}/sign-in`)).text).includes(said),
    );
    const page = read((await browser.get(`${path}/sign-in`)).text);
    expect(page).toContain(hindi("waiting.notAgain", { problem: said }));
    expect((await mailTo(email, /बस एक कदम बाक़ी/)).text.replaceAll(/\s+/g, " ")).toContain(said);
    // API calls and the previous version read the English text.
    const { details } = await readOrder(context.db, id);
    expect(details).toMatchObject({ signInProblem: translate("en", problem) });
    const answered = read((await browser.get(`${path}/sign-in`, { "Accept-Language": "en" })).text);
    expect(answered).toContain(`${translate("en", problem)} You will not be charged again.`);
    const call = await browser.get(`/get/stage?id=${id}`);
    expect(JSON.parse(call.text)).toMatchObject({ problem: translate("en", problem) });

    // As stored by the previous version.
    await context.pool.query("update orders set details = details - 'signInProblemMessage' where id = $1", [
      id,
    ]);
    expect(read((await browser.get(`${path}/sign-in`)).text)).toContain(translate("en", problem));
  });

  test.each([
    ["waits", "800073", "families.underReview", /देरी हो रही है/],
    ["needs a correction", "800075", "families.reviewRefused", /सही जानकारी चाहिए/],
  ] as const)("translates the note of an order that %s", async (_what, code, note, subject) => {
    const order = await paidInHindi();
    await controls.faults({
      match: { method: "POST", path: "/carts/[^/]+/checkout" },
      kind: "refuse",
      status: 403,
      code,
    });
    await answerSignInNewTenant(order, { prefix: freshPrefix() });
    await until("the page shows it", async () =>
      read((await order.browser.get(`${order.path}/sign-in`)).text).includes(hindi(note)),
    );
    const mail = await mailTo(order.email, subject);
    expect(mail.text.replaceAll(/\s+/g, " ")).toContain(hindi(note));
  });
});
