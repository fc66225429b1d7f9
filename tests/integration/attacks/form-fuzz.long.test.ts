/**
 * Posts generated bodies to every form: none causes an internal error or stays in memory. The bench measures their cost. A seed
 * makes failures repeatable, and the forms come from routes.ts, so a new form is covered or fails here.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import * as accountSchemas from "#app/forms/account-schema.ts";
import * as schemas from "#app/forms/schemas.ts";
import { fieldNamesOf } from "#app/http/form-fields.ts";
import routes from "#app/routes.ts";
import { mintContactToken } from "#server/accounts/billing-contacts.ts";
import { mintUnsubscribeToken } from "#server/accounts/mail-preferences.ts";
import { mintInviteToken, mintRenewalToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import { heapOfWeb, reportsHeap } from "#tests/support/heap.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, freshEmail, plan, toReview } from "#tests/support/journey.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const seed = 14;
const warmUps = 500;
const posts = 2_500;
/** One per core of a small machine. */
const atOnce = 2;
const heapMiB = 30;
/** The size limit: larger bodies are refused unread. */
const mostBytes = 65_536;

const { stack, context } = await startStore({ env: reportsHeap });
const { db, env } = context;

// --- Forms ---

interface Form {
  pattern: string;
  address: string;
  /** Fields that a regular browser posts. */
  honest: Record<string, string>;
  /** Cookies of the poster; a new session per post where the form ends it. */
  cookies: () => Promise<Record<string, string>>;
}

function patternsIn(entries: readonly RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap((entry) => {
    const pattern = [above, entry.path].filter(Boolean).join("/");
    if (entry.children !== undefined) return patternsIn(entry.children, pattern);
    const source = readFileSync(path.resolve("app", entry.file), "utf8");
    return /\b(formAction|crossSiteFormAction)\(/.test(source) ? [`/${pattern}`] : [];
  });
}

/** Lists every form with its address, fields and poster. */
async function allForms(): Promise<Form[]> {
  const company = await makeCustomer(db);
  const held = await createSubscriptionFor(db, company, { endsInDays: 20, quantity: 5 });
  const owner = await signedIn(context, stack.url, company.owner);
  const anew = async () => ({
    session: (await createSession(db, env.SESSION_SECRETS, company.owner.userId)).token,
  });

  const visitor = new HttpBrowser(stack.url);
  const draft = await beginOrder(visitor);
  const buyer = new HttpBrowser(stack.url);
  const review = await toReview(buyer);
  /** Begins an order of the company and returns its address. */
  const begin = async (url: string) => {
    const answer = await owner.post(url, {
      term: "P1Y",
      quantity: "1",
      destination: held.tenantId ?? held.id,
    });
    if (answer.location === null) throw new Error(`${url} answered ${answer.status}: ${answer.text}`);
    return answer.location.replace(/\/[a-z-]+$/, "");
  };
  const contract = await begin(`/contract/${plan.family}/${plan.item}/IN?TUP=true`);
  const more = await begin(`/buy/more/${held.id}`);
  const renewal = await begin(`/${held.id}/renew`);
  const addOnUrl = "/subscription/addon?sku_id=microsoft-365-copilot&country=IN";

  const person = await makePerson(db);
  const link = (purpose: "reset-password" | "set-password" | "resume-order") =>
    mintToken(db, { purpose, userId: person.userId, orderId: review.id, ttlSeconds: 3_600 });
  await owner.post("/members", { intent: "invite", email: freshEmail(), role: "buyer" });
  const invite = await db.selectFrom("member_invites").select("id").executeTakeFirstOrThrow();
  const soon = new Date(Date.now() + 3_600_000);
  const invitation = await mintInviteToken(db, invite.id, soon);
  const { end_date: end } = await db
    .selectFrom("subscriptions")
    .select("end_date")
    .where("id", "=", held.id)
    .executeTakeFirstOrThrow();
  const contact = { intent: "add-contact", email: "accounts@example.com", getsInvoices: "on" };
  await owner.post("/company", contact);
  const { id: contactId } = await db.selectFrom("billing_contacts").select("id").executeTakeFirstOrThrow();
  const place = await db
    .selectFrom("addresses")
    .select("id")
    .where("customer_id", "=", company.customerId)
    .executeTakeFirstOrThrow();

  const as = (browser: HttpBrowser) => async () => browser.cookies();
  const nobody = async () => ({});
  const details = { term: "P1Y", quantity: "2" };
  const placing = { intent: "place-order", terms: "on", total: String(review.totalMinor) };
  const signIn = { mode: "new", username: "admin", prefix: "fuzzed" };
  const password = { password: "a-good-Pass-1", confirmPassword: "another-Pass-1" };
  /** Forms of an order's steps; a step that is not reached yet redirects. */
  const steps = (pattern: string, at: string, browser: HttpBrowser): [string, Omit<Form, "pattern">][] => {
    const cookies = as(browser);
    return [
      [
        `${pattern}/subscription-details`,
        { address: `${at}/subscription-details`, honest: details, cookies },
      ],
      [`${pattern}/place-order`, { address: `${at}/place-order`, honest: placing, cookies }],
      [`${pattern}/sign-in`, { address: `${at}/sign-in`, honest: signIn, cookies }],
      [`${pattern}/order-processed`, { address: `${at}/order-processed`, honest: {}, cookies }],
    ];
  };
  const forms: Record<string, Omit<Form, "pattern">> = {
    "/login": {
      address: "/login",
      honest: { email: "a@example.com", password: "x", next: "/" },
      cookies: nobody,
    },
    "/signup": {
      address: "/signup",
      honest: {
        firstName: "A",
        lastName: "B",
        email: "a@b",
        password: "x",
        phoneNumber: "9876543210",
        next: "/",
      },
      cookies: nobody,
    },
    // An invalid email, because mails to one address are limited.
    "/forgot-password": { address: "/forgot-password", honest: { email: "a@b" }, cookies: nobody },
    "/continue": { address: "/continue?next=/", honest: {}, cookies: nobody },
    "/account": { address: "/account", honest: {}, cookies: anew },
    "/logout": { address: "/logout", honest: {}, cookies: anew },
    "/azure/ad/proof": {
      address: "/azure/ad/proof",
      honest: { intent: "code", code: "1234 5678", email: "a@example.com" },
      cookies: nobody,
    },
    "/sign-in/:provider/proof": {
      address: "/sign-in/google/proof",
      honest: { intent: "code", code: "1234 5678", email: "a@example.com" },
      cookies: nobody,
    },
    "/resume/:token": { address: `/resume/${await link("resume-order")}`, honest: {}, cookies: nobody },
    "/reset-password/:token": {
      address: `/reset-password/${await link("reset-password")}`,
      honest: password,
      cookies: nobody,
    },
    "/set-password/:token": {
      address: `/set-password/${await link("set-password")}`,
      honest: password,
      cookies: nobody,
    },
    "/reset/password/:token": {
      address: `/reset/password/${await link("reset-password")}`,
      honest: password,
      cookies: nobody,
    },
    "/invite/:token": {
      address: `/invite/${invitation}`,
      honest: { intent: "new", firstName: "A", lastName: "B", password: "short" },
      cookies: nobody,
    },
    "/orders/:id/approval": {
      address: `/orders/${review.id}/approval`,
      honest: { intent: "ask", email: "a@b" },
      cookies: as(buyer),
    },
    "/approve/:token": {
      address: `/approve/${"t".repeat(43)}`,
      honest: { intent: "look-up", email: "a@b" },
      cookies: nobody,
    },
    "/orders/:id/quote": { address: `/orders/${review.id}/quote`, honest: {}, cookies: as(buyer) },
    // The id belongs to an order, so no quote has it, and the link was never mailed.
    "/quotes/:id": {
      address: `/quotes/${review.id}`,
      honest: { intent: "pay", email: "a@b", why: "", terms: "on", agreement: "" },
      cookies: as(buyer),
    },
    "/requests/:token": {
      address: `/requests/${"t".repeat(43)}`,
      honest: { intent: "refused", hash: "0".repeat(64), words: "No" },
      cookies: nobody,
    },
    "/orders/:id/refused-document": {
      address: `/orders/${review.id}/refused-document?number=IN%2F26-27%2F00001`,
      honest: {
        companyName: "Acme Tools",
        gst_code: "29AABCB1234C1ZA",
        addressLine1: "4 Main Road",
        city: "Bengaluru",
        state: "Karnataka",
        pincode: "560038",
        revision: "0",
      },
      cookies: as(buyer),
    },
    "/orders/:id/references": {
      address: `/orders/${review.id}/references`,
      honest: { purchaseOrder: "PO-7", costCentre: "Sales", note: "" },
      cookies: as(buyer),
    },
    "/company": { address: "/company", honest: contact, cookies: as(owner) },
    "/company/places/:place": {
      address: `/company/places/${place.id}`,
      honest: accountForm("not an email"),
      cookies: as(owner),
    },
    "/billing/:token": {
      address: `/billing/${await mintContactToken(db, contactId)}`,
      honest: { intent: "confirm" },
      cookies: nobody,
    },
    "/unsubscribe/:token": {
      address: `/unsubscribe/${await mintUnsubscribeToken(db, company.owner.userId, "renewals")}`,
      honest: { renewals: "on" },
      cookies: nobody,
    },
    "/keep-account/:token": {
      address: `/keep-account/${"t".repeat(43)}`,
      honest: {},
      cookies: nobody,
    },
    "/subscriptions/:subscriptionId/renewal": {
      address: `/subscriptions/${held.id}/renewal`,
      honest: { intent: "fewer", seats: "3" },
      cookies: as(owner),
    },
    "/renewal/:token": {
      address: `/renewal/${await mintRenewalToken(db, { userId: company.owner.userId, subscriptionId: held.id, end })}`,
      honest: { intent: "fewer", seats: "3" },
      cookies: nobody,
    },
    "/subscriptions": {
      address: `/subscriptions?completed=${review.id}`,
      honest: { order: review.id },
      cookies: as(owner),
    },
    "/subscriptions/:subscriptionId/cancel": {
      address: `/subscriptions/${held.id}/cancel`,
      honest: { intent: "look", licences: "2" },
      cookies: as(owner),
    },
    "/orders/:id/pay": { address: `/orders/${review.id}/pay`, honest: placing, cookies: as(buyer) },
    "/cart": { address: "/cart", honest: { intent: "restore", order: review.id }, cookies: as(owner) },
    "/members": {
      address: "/members",
      honest: {
        intent: "change-role",
        member: company.owner.userId,
        role: "owner",
        email: "a@b",
        invite: invite.id,
      },
      cookies: as(owner),
    },
    "/payments/return": {
      address: "/payments/return",
      honest: {
        razorpay_payment_id: "pay_1",
        razorpay_order_id: "order_1",
        razorpay_signature: "0".repeat(64),
      },
      cookies: nobody,
    },
    "/order/:family/:item/:country": {
      address: `/order/${plan.family}/${plan.item}/IN`,
      honest: details,
      cookies: nobody,
    },
    "/order/:id/:family/:item/:country/create-account": {
      address: `${draft.path}/create-account`,
      honest: {
        ...accountForm("not an email"),
        choice: "gst",
        gstin: "29AABCB1234C1ZA",
        loginEmail: "a@b.co",
      },
      cookies: as(visitor),
    },
    ...Object.fromEntries(steps("/order/:id/:family/:item/:country", review.path, buyer)),
    "/contract/:family/:item/:country": {
      address: `/contract/${plan.family}/${plan.item}/IN?TUP=true`,
      honest: { ...details, destination: "new", username: "admin", prefix: "fuzzed" },
      cookies: as(owner),
    },
    ...Object.fromEntries(steps("/contract/:id/:family", contract, owner)),
    "/subscription/addon": {
      address: addOnUrl,
      honest: { ...details, destination: held.id },
      cookies: as(owner),
    },
    // An order of another journey redirects to its own address.
    ...Object.fromEntries(steps("/subscription/addon/:id", `/subscription/addon/${review.id}`, buyer)),
    "/buy/more/:subscriptionId": { address: `/buy/more/${held.id}`, honest: details, cookies: as(owner) },
    ...Object.fromEntries(steps("/buy/more/:subscriptionId/:id", more, owner)),
    "/:subscriptionId/renew": { address: `/${held.id}/renew`, honest: details, cookies: as(owner) },
    ...Object.fromEntries(steps("/:subscriptionId/renew/:id", renewal, owner)),
  };
  // A new form without parameters needs no row and is posted by the company's owner.
  const others = patternsIn(routes).filter((pattern) => !(pattern in forms) && !pattern.includes(":"));
  for (const address of others) forms[address] = { address, honest: {}, cookies: as(owner) };
  return Object.entries(forms).map(([pattern, form]) => ({ pattern, ...form }));
}

// --- Bodies ---

const fieldNames = [
  ...new Set(
    Object.entries({ ...schemas, ...accountSchemas }).flatMap(([name, schema]) =>
      name.endsWith("Schema") && schema instanceof z.ZodType ? [...fieldNamesOf(schema)] : [],
    ),
  ),
];
const intents = ["null", "validate", "{bad", '{"type":"reset","payload":{}}'].concat(
  ["update", "remove", "insert", "reorder"].map((type) =>
    JSON.stringify({
      type,
      payload: { name: "email[60000000]", index: 4_294_967_294, value: "x", to: 9, from: 1 },
    }),
  ),
);
const known = fc.constantFrom(...fieldNames);
const index = fc.constantFrom("", "0", "1", "60000000", "4294967294", "-1", "x", "__proto__");

const anyName = fc.oneof(
  { weight: 6, arbitrary: known },
  { weight: 2, arbitrary: fc.tuple(known, index).map(([name, at]) => `${name}[${at}]`) },
  { weight: 1, arbitrary: fc.tuple(known, known).map(([name, inner]) => `${name}.${inner}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(known, fc.constantFrom(".a", "[0]", "[9]", "["), fc.nat(3_000))
      .map(([name, part, depth]) => name + part.repeat(depth)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "__proto__",
      "constructor",
      "__proto__[a]",
      "toString",
      "length",
      "",
      "[",
      "]",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("\0", "email\0", "\ufffd", "é", "%", "=", "&", " ") },
  { weight: 1, arbitrary: fc.nat(5_000).map((length) => "n".repeat(length)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const anyValue = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "0",
      "-1",
      "1e9",
      "999999999",
      "NaN",
      "true",
      "null",
      "[]",
      "{}",
      "on",
      "\0",
      "a\0b",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "'; drop table orders; --",
      "<script>",
      "../../etc/passwd",
      "\u202e",
      "😀".repeat(50),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "new",
      "account",
      "login",
      "place-order",
      "paid",
      "invite",
      "remove",
      "check-again",
    ),
  },
  { weight: 1, arbitrary: fc.nat(60_000).map((length) => "v".repeat(length)) },
  { weight: 1, arbitrary: fc.nat(20_000).map((length) => `a@${"b.".repeat(length / 2)}co`) },
);
const pair = fc.tuple(anyName, anyValue);
const intent = fc.constantFrom(...intents).map((value): [string, string] => ["__intent__", value]);
const state = anyValue.map((value): [string, string] => ["__state__", value]);
/** Bodies that no form encoder produces. */
const garbage = fc.constantFrom(
  "&&&&",
  "=",
  "a",
  "%",
  "%ff%fe=%ff",
  "email=%ff%fe%00",
  "email=%E0%A4%A",
  "a=b;c=d",
  "[]=&[]=",
  "+=+",
);

/** Generates bodies from a form's regular fields, altered and with additions. */
function bodyOf(honest: Record<string, string>): fc.Arbitrary<string> {
  const fields = Object.entries(honest);
  const kept = fc.subarray(fields, { minLength: 0 });
  const spoilt =
    fields.length === 0
      ? fc.constant<[string, string][]>([])
      : fc.array(fc.tuple(fc.constantFrom(...Object.keys(honest)), anyValue), { maxLength: 3 });
  const added = fc.array(fc.oneof({ weight: 8, arbitrary: pair }, intent, state), { maxLength: 4 });
  const many = fc.tuple(pair, fc.nat(400)).map(([one, times]) => {
    const fit = Math.ceil(mostBytes / (one.join("=").length + 1));
    return Array.from({ length: Math.min(times, fit) }, () => one);
  });
  const pairs = fc.oneof(
    { weight: 12, arbitrary: fc.tuple(kept, spoilt, added).map((parts) => parts.flat()) },
    { weight: 1, arbitrary: many },
  );
  const encoded = pairs.map((all) => new URLSearchParams(all).toString().slice(0, mostBytes));
  return fc.oneof({ weight: 12, arbitrary: encoded }, { weight: 1, arbitrary: garbage });
}

// --- Posting ---

interface Post {
  form: Form;
  body: string;
}
interface Outcome extends Post {
  status: number;
}

/** Generates `count` bodies, alternating between the forms. */
function bodiesFor(forms: readonly Form[], count: number, from: number): Post[] {
  const each = Math.ceil(count / forms.length);
  const made = forms.map((form, at) => fc.sample(bodyOf(form.honest), { numRuns: each, seed: from + at }));
  return Array.from({ length: each }, (_, turn) =>
    forms.flatMap((form, at) => {
      const body = made[at]?.[turn];
      return body === undefined ? [] : [{ form, body }];
    }),
  )
    .flat()
    .slice(0, count);
}

let sent = 0;
async function post({ form, body }: Post): Promise<Outcome> {
  const browser = new HttpBrowser(stack.url);
  for (const [name, value] of Object.entries(await form.cookies())) browser.setCookie(name, value);
  sent += 1;
  const headers = {
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/x-www-form-urlencoded",
    // Another client address each time, to avoid the rate limits.
    "X-Forwarded-For": `100.${64 + (sent >> 14)}.${(sent >> 7) & 127}.${sent & 127}`,
  };
  const { status } = await browser.ask(form.address, { method: "POST", headers, body });
  return { form, body, status };
}

async function postAll(all: readonly Post[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const turns = all.values();
  const sender = async () => {
    for (const each of turns) outcomes.push(await post(each));
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return outcomes;
}

const reportOf = ({ form, status, body }: Outcome) =>
  `${status}: ${form.pattern} ${body.length} bytes ${JSON.stringify(body.slice(0, 300))}`;

test("handles 2,500 bodies over all forms without an error or memory growth", {
  timeout: 900_000,
}, async () => {
  const forms = await allForms();
  expect(forms.map(({ pattern }) => pattern).sort()).toEqual([...new Set(patternsIn(routes))].sort());

  await postAll(bodiesFor(forms, warmUps, seed * 1_000));
  const before = await heapOfWeb(stack);
  const outcomes = await postAll(bodiesFor(forms, posts, seed * 2_000));
  const after = await heapOfWeb(stack);

  expect(outcomes).toHaveLength(posts);
  expect(outcomes.filter(({ status }) => status >= 500).map(reportOf)).toEqual([]);
  expect(stack.unexpectedErrors()).toEqual([]);
  const limited = outcomes.filter(({ status }) => status === 429);
  expect(limited.length, limited.map(reportOf).join("\n")).toBeLessThan(posts / 100);
  expect(after - before, `MiB: ${before} before, ${after} after`).toBeLessThan(heapMiB);
  // Enough posts reached validation instead of a redirect before it.
  const refused = outcomes.filter(({ status }) => status === 400);
  expect(refused.length).toBeGreaterThan(posts / 5);
});
