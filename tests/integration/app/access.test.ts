/**
 * Access to every page and call of the store, requested by a visitor, a company's owner, another company's owner and a viewer.
 * An expired or revoked session gets the visitor's response. A route that is missing from the table fails.
 */
import { beforeAll, expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { UserId } from "#db/ids.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { addAddress, listMemberships } from "#server/accounts/customers.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { accountPayload } from "#tests/support/api-client.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, freshEmail, plan } from "#tests/support/journey.ts";
import { makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { servedRoutes } from "#tests/support/served-routes.ts";
import { startStore } from "#tests/support/store.ts";

const accessRoles = ["visitor", "expired", "revoked", "other", "viewer", "owner"] as const;
type AccessRole = (typeof accessRoles)[number];

interface Row {
  /** Appended to the route's address, which has its usual parameters. */
  query?: string;
  form?: Record<string, string>;
  json?: unknown;
  /** Status, and for a redirect the path it leads to, in the order of the names. */
  answers: [visitor: string, other: string, viewer: string, owner: string];
}

const everybody = (answer: string): Row["answers"] => [answer, answer, answer, answer];
/** Rows for pages that any signed-in user sees, regardless of company. */
const signedInOnly = (answer: string): Row["answers"] => ["302 /login", answer, answer, answer];
/** An order's page or form: open to its company's owner only; others get 404 as if it did not exist. */
const ownOrder = (answer: string): Row["answers"] => ["302 /login", "404", "404", answer];
const token = "a".repeat(43);
/** Last step of the demo company's paid order. */
const done = "/order/:id/microsoft/microsoft-365-business-standard/IN/order-processed";

const encoded = (text: string) => Buffer.from(text).toString("base64");

let users: Record<"owner" | "viewer" | "other", { userId: UserId; email: string }>;
/** The owner's company's orders at Place Order by journey, a paid one, and the ids that its forms contain. */
let ids: Record<
  | "order"
  | "contract"
  | "addon"
  | "more"
  | "renewal"
  | "paid"
  | "refund"
  | "tenant"
  | "base"
  | "company"
  | "user",
  string
>;

const { stack, context } = await startStore();
beforeAll(async () => {
  const { db } = context;
  await loadDemoData(db);
  users = {
    owner: await personOf(demoEmails.owner),
    viewer: await personOf(demoEmails.viewer),
    other: await otherOwner(),
  };
  const { id: order } = await db
    .selectFrom("orders")
    .select("id")
    .where("stage", "=", "stage2")
    .executeTakeFirstOrThrow();
  const { id: paid } = await db
    .selectFrom("orders")
    .select("id")
    .where("stage", "=", "stage4")
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirstOrThrow();
  const { id: tenant } = await db
    .selectFrom("tenants")
    .select("id")
    .where("family", "=", "microsoft")
    .executeTakeFirstOrThrow();
  const standard = "microsoft-365-business-standard";
  if (!isItemId(standard)) throw new Error(`${standard} is not an item's id`);
  const { id: base } = await db
    .selectFrom("subscriptions")
    .select("id")
    .where("item_id", "=", standard)
    .executeTakeFirstOrThrow();
  // Recent enough for a refund.
  const { id: refunded } = await db
    .selectFrom("orders")
    .select("id")
    .where("family", "=", "google")
    .where("stage", "=", "stage4")
    .executeTakeFirstOrThrow();
  const owner = await signedIn(context, stack.url, users.owner);
  const begin = async (url: string, destination: string) => {
    const answer = await owner.post(url, { term: "P1Y", quantity: "1", destination });
    // The order's id is the last one; the address of a subscription change contains the subscription's id before it.
    return answer.location?.match(/[0-9a-f-]{36}/g)?.at(-1) ?? "";
  };
  ids = {
    order,
    paid,
    refund: await refundPart(context, refunded, 100),
    tenant,
    base,
    company: await companyOf(users.owner.userId),
    user: users.owner.userId,
    contract: await begin("/contract/microsoft/microsoft-365-business-basic/IN?TUP=true", tenant),
    addon: await begin("/subscription/addon", base),
    more: await begin(`/buy/more/${base}`, ""),
    renewal: await begin(`/${base}/renew`, ""),
  };
});

async function personOf(email: string) {
  const user = await findUserByEmail(context.db, email);
  if (user === null) throw new Error(`No ${email}`);
  return { userId: user.id, email };
}

async function companyOf(userId: UserId): Promise<string> {
  return (await listMemberships(context.db, userId))[0]?.id ?? "";
}

async function otherOwner() {
  const person = await makePerson(context.db);
  const customerId = await makeCompany(context.db, person, "Other Tools");
  await context.db.transaction().execute((trx) =>
    addAddress(trx, customerId, {
      gstCode: null,
      addressLine1: "2 Other Street",
      addressLine2: "Indiranagar",
      city: "Bengaluru",
      state: "Karnataka",
      pincode: "560038",
      country: "IN",
      organisationRegistrationNumber: "AABCB1234D",
      email: person.email,
      firstName: "Asha",
      lastName: "Rao",
      phone: "9876543210",
    }),
  );
  return person;
}

async function browserOf(requester: AccessRole): Promise<HttpBrowser> {
  if (requester === "visitor") return new HttpBrowser(stack.url);
  const who = requester === "expired" || requester === "revoked" ? users.owner : users[requester];
  const browser = await signedIn(context, stack.url, who);
  if (requester === "expired" || requester === "revoked") {
    const { id } = await context.db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", who.userId)
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const past = new Date(Date.now() - 1_000);
    await context.db
      .updateTable("sessions")
      .set(requester === "expired" ? { expires_at: past } : { revoked_at: past })
      .where("id", "=", id)
      .execute();
  }
  return browser;
}

/**
 * Returns the route's address with existing parameters: "{order}" and similar become the ids of beforeAll, "{nobody}" a new
 * email.
 */
function urlOf(pattern: string, query = ""): string {
  const [, first = ""] = pattern.split("/");
  const own = {
    contract: ids.contract,
    order: ids.order,
    orders: ids.paid,
    "credit-notes": ids.refund,
    buy: ids.more,
    "renew-subscription": ids.base,
    api: ids.base,
    ":subscriptionId": ids.renewal,
  };
  return fill(
    pattern
      .replace(":id", Object.entries(own).find(([name]) => name === first)?.[1] ?? ids.addon)
      .replace(":subscriptionId", ids.base)
      .replace(":family", plan.family)
      .replace(":provider", "google")
      // The demo's unfinished order has another plan than those begun here.
      .replace(":item", pattern.startsWith("/order/:id") ? "microsoft-365-business-premium" : plan.item)
      .replace(":country", plan.country)
      .replace(":exportId", ids.paid)
      .replace(":language", "hi")
      .replace(":token", token)
      .replace(":company", ids.company)
      .replace(":act", "order.note")
      .replace(":subject", ids.paid)
      .replace(":list", "1")
      .replace(":slide", "laptop")
      .replace(":place", "new")
      .replace("/*", "/no-such-page") + query,
  );
}

function fill(text: string): string {
  // A new email each time, because mails to one address are limited.
  const known: Record<string, string> = { ...ids, nobody: freshEmail() };
  return text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => known[name] ?? "");
}

const orderPages = (journey: string, current: string): Record<string, Row> => ({
  [`GET ${journey}`]: { answers: ownOrder(`302 ${current}`) },
  [`GET ${journey}/subscription-details`]: { answers: ownOrder("200") },
  [`GET ${journey}/place-order`]: { answers: ownOrder("200") },
  [`POST ${journey}/place-order`]: {
    // An outdated total: the owner gets an error and no payment begins.
    form: { intent: "place-order", terms: "on", total: "1" },
    answers: ownOrder("409"),
  },
  // Not reached yet: the owner is redirected to the order's current step.
  [`GET ${journey}/sign-in`]: { answers: ownOrder(`302 ${current}`) },
  [`POST ${journey}/sign-in`]: {
    form: { mode: "new", username: "admin", prefix: "access" },
    answers: ownOrder(`302 ${current}`),
  },
  [`GET ${journey}/order-processed`]: { answers: ownOrder(`302 ${current}`) },
  [`POST ${journey}/order-processed`]: { answers: ownOrder(`302 ${current}`) },
});

/** A call that needs a session and an existing thing: a viewer sees the company but not its orders. */
const ownThing = (viewer: string, owner: string): Row["answers"] => ["401", "404", viewer, owner];
const orderJson = { sku_id: plan.item, count: 1, console: "IP" };

/** Another company's subscription gives 404; a viewer of the company gets 403 with the reason. */
const changePages = (first: string, journey: string, current: string): Record<string, Row> => ({
  [`GET ${first}`]: { answers: ["302 /login", "404", "403", "200"] },
  [`POST ${first}`]: { form: { quantity: "1" }, answers: ["302 /login", "404", "403", `303 ${current}`] },
  ...orderPages(journey, current),
  [`POST ${journey}/subscription-details`]: { form: { quantity: "1" }, answers: ownOrder(`303 ${current}`) },
});

const details = { term: "P1Y", quantity: "1" };
const order = "/order/:id/:family/:item/:country";
const atPlaceOrder = {
  order: "/order/:id/microsoft/microsoft-365-business-premium/IN/place-order",
  contract: "/contract/:id/microsoft/place-order",
  addon: "/subscription/addon/:id/place-order",
  more: "/buy/more/:id/:id/place-order",
  renewal: "/:id/renew/:id/place-order",
};
const begun = "303 /order/:id/microsoft/microsoft-365-business-basic/IN/create-account";
const baseless = "303 /home";

const table: Record<string, Row> = {
  "GET /": { answers: everybody("200") },
  "GET /home": { answers: everybody("200") },
  "GET /search": { answers: everybody("200") },
  "GET /health": { answers: everybody("200") },
  "GET /livez": { answers: everybody("200") },
  "GET /readyz": { answers: everybody("200") },
  "GET /*": { answers: everybody("404") },

  "GET /login": { answers: ["200", "302 /", "302 /", "302 /"] },
  "POST /login": {
    form: { email: "nobody@example.com", password: "wrong" },
    answers: ["401", "302 /", "302 /", "302 /"],
  },
  // No password step precedes it here.
  "GET /login/code": { answers: ["303 /login", "302 /", "302 /", "302 /"] },
  "POST /login/code": { form: { code: "123456" }, answers: everybody("303 /login") },
  "GET /login/passkey": { answers: ["200", "302 /", "302 /", "302 /"] },
  "POST /login/passkey": {
    form: { response: "{}" },
    answers: ["401", "302 /", "302 /", "302 /"],
  },
  "GET /passkeys/options": { answers: everybody("405") },
  "POST /passkeys/options": { form: { for: "make" }, answers: signedInOnly("200") },
  "GET /signup": { answers: ["200", "302 /", "302 /", "302 /"] },
  "POST /signup": {
    form: {
      firstName: "A",
      lastName: "B",
      email: demoEmails.owner,
      password: "x",
      phoneNumber: "9876543210",
    },
    answers: ["409", "302 /", "302 /", "302 /"],
  },
  "GET /forgot-password": { answers: everybody("200") },
  "POST /forgot-password": { form: { email: "{nobody}" }, answers: everybody("200") },
  // A made-up link: the page says that it does not work and offers a new one.
  ...Object.fromEntries(
    ["/reset-password/:token", "/reset/password/:token", "/set-password/:token"].flatMap((link) => [
      [`GET ${link}`, { answers: everybody("200") }],
      [
        `POST ${link}`,
        { form: { password: "long-enough", confirmPassword: "long-enough" }, answers: everybody("400") },
      ],
    ]),
  ),
  "GET /resume/:token": { answers: everybody("404") },
  "POST /resume/:token": { answers: everybody("404") },
  "GET /continue": { answers: everybody("302 /") },
  "POST /continue": { answers: everybody("303 /") },
  "GET /azure/ad/authentication/": {
    answers: ["302 /microsoft-login/common/v2.0/auth", "302 /", "302 /", "302 /"],
  },
  "GET /azure/ad/callback": { answers: everybody("303 /login") },
  "GET /sign-in/:provider": { answers: ["302 /google-login/auth", "302 /", "302 /", "302 /"] },
  "GET /sign-in/:provider/callback": { answers: everybody("303 /login") },
  "GET /sign-in/:provider/proof": { answers: everybody("303 /login") },
  "POST /sign-in/:provider/proof": {
    form: { intent: "code", code: "12345678" },
    answers: everybody("303 /login"),
  },
  "GET /azure/ad/administrator": { answers: everybody("303 /") },
  "GET /orders/:id/approval": { answers: ["302 /login", "404", "404", "200"] },
  // The demo's order has its own tenant, so there is nothing to ask an administrator.
  "POST /orders/:id/approval": {
    form: { intent: "ask", email: "{nobody}" },
    answers: ["302 /login", "404", "404", "409"],
  },
  // A made-up link: the page says that it does not work.
  "GET /approve/:token": { answers: everybody("200") },
  "POST /approve/:token": {
    form: { intent: "look-up" },
    answers: everybody(`303 /approve/${token}`),
  },
  "GET /azure/ad/proof": { answers: everybody("303 /login") },
  "POST /azure/ad/proof": { form: { intent: "code", code: "12345678" }, answers: everybody("303 /login") },
  "GET /logout": { answers: everybody("405") },
  "POST /logout": { answers: everybody("303 /login") },
  // Customers cannot enter the Desk; tests/integration/desk/page-access.test.ts tests staff.
  ...Object.fromEntries(
    [
      "GET /desk",
      "POST /desk",
      "GET /desk/queue.csv",
      "GET /desk/orders",
      "GET /desk/orders.csv",
      "GET /desk/orders/:id",
      "GET /desk/documents",
      "GET /desk/documents.csv",
      "GET /desk/documents.zip",
      "GET /desk/documents/:number",
      "GET /desk/documents/:number/pdf",
      "GET /desk/gstr1",
      "GET /desk/gstr1/:month/:gstin/:file",
      "GET /desk/money",
      "GET /desk/money/:list",
      "GET /desk/money/:list/csv",
      "GET /desk/customers",
      "GET /desk/customers.csv",
      "GET /desk/customers/:company",
      "GET /desk/tenants",
      "POST /desk/tenants",
      "GET /desk/acts/:act/:subject",
      "POST /desk/acts/:act/:subject",
      "GET /desk/mail",
      "GET /desk/jobs",
      "GET /desk/vendors",
      "GET /desk/prices",
      "POST /desk/prices",
      "GET /desk/prices.csv",
      "GET /desk/prices/:list",
      "GET /desk/prices/items/:item",
      "GET /desk/texts",
      "GET /desk/texts/items/:item",
      "POST /desk/texts/items/:item",
      "GET /desk/texts/slides/:slide",
      "POST /desk/texts/slides/:slide",
      "GET /desk/staff",
      "GET /desk/staff.csv",
      "GET /desk/audit",
      "GET /desk/audit.csv",
      "GET /desk/code",
    ].map((key) => [key, { answers: everybody("302 /desk/login") }]),
  ),
  "GET /desk/login": { answers: everybody("200") },
  "POST /desk/login": {
    form: { email: "nobody@example.com", password: "wrong" },
    answers: everybody("401"),
  },
  "POST /desk/code": { form: { code: "123456" }, answers: everybody("303 /desk/login") },
  // A made-up link: the page says that it does not work.
  "GET /desk/set-up/:token": { answers: everybody("200") },
  "POST /desk/set-up/:token": {
    form: { password: "long-enough-one", confirmPassword: "long-enough-one", code: "123456" },
    answers: everybody("404"),
  },
  "GET /desk/logout": { answers: everybody("405") },
  "POST /desk/logout": { answers: everybody("303 /desk/login") },
  "GET /desk/view/end": { answers: everybody("405") },
  "POST /desk/view/end": { answers: everybody("303 /desk/login") },

  "GET /language": { answers: everybody("405") },
  "POST /language": { form: { language: "hi", next: "/search" }, answers: everybody("303 /search") },

  "GET /account": { answers: signedInOnly("200") },
  "POST /account": { answers: signedInOnly("303 /login") },
  "GET /account/password": { answers: signedInOnly("200") },
  // The other company's owner has no password yet.
  "POST /account/password": {
    form: { currentPassword: "wrong", password: "a-new-Pass-2", confirmPassword: "a-new-Pass-2" },
    answers: ["302 /login", "409", "400", "400"],
  },
  "GET /account/second-factor": { answers: signedInOnly("200") },
  // No setup was begun.
  "POST /account/second-factor": {
    form: { intent: "confirm", code: "123456", currentPassword: "demo-Pass-1" },
    // The other company's owner has no password and must enter a mailed code first.
    answers: ["302 /login", "400", "409", "409"],
  },
  "GET /account/passkeys": { answers: signedInOnly("200") },
  "POST /account/passkeys": {
    form: { intent: "add", name: "Mine", response: "{}", currentPassword: "wrong" },
    answers: ["302 /login", "400", "400", "400"],
  },
  "GET /account/sign-ins": { answers: signedInOnly("200") },
  // No sign-in at a provider was begun.
  "POST /account/sign-ins": {
    form: { intent: "connect", currentPassword: "demo-Pass-1" },
    answers: ["302 /login", "409", "409", "409"],
  },
  "GET /account/notifications": { answers: signedInOnly("200") },
  "POST /account/notifications": {
    form: { renewals: "on", reminders: "on" },
    answers: signedInOnly("303 /account/notifications"),
  },
  "GET /unsubscribe/:token": { answers: everybody("404") },
  "POST /unsubscribe/:token": { answers: everybody("404") },
  "GET /account/mailed-code": { answers: everybody("405") },
  "POST /account/mailed-code": { answers: signedInOnly("303 /account") },
  "GET /account/password-link": { answers: everybody("405") },
  "POST /account/password-link": { answers: signedInOnly("303 /account") },
  "GET /subscriptions": { answers: signedInOnly("200") },
  // A viewer sees documents but does not buy.
  "GET /orders/:id/invoice": { answers: ["302 /login", "404", "200", "200"] },
  "GET /orders/:id/invoice.pdf": { answers: ["302 /login", "404", "200", "200"] },
  // The order is paid.
  "GET /orders/:id/references": { answers: ownOrder("200") },
  "GET /orders/:id/refused-document": { answers: ownOrder("200") },
  "POST /orders/:id/refused-document": {
    form: {
      companyName: "Acme Tools",
      addressLine1: "221 100 Feet Road",
      city: "Bengaluru",
      state: "Karnataka",
      pincode: "560038",
      revision: "0",
    },
    answers: ownOrder("409"),
  },
  "POST /orders/:id/references": { form: { purchaseOrder: "PO-1" }, answers: ownOrder("409") },
  "GET /orders/:id/pay": { answers: ownOrder(`302 ${done}`) },
  "POST /orders/:id/pay": {
    form: { intent: "place-order", terms: "on", total: "1" },
    answers: ownOrder(`302 ${done}`),
  },
  // A paid order cannot be quoted.
  "GET /orders/:id/quote": { answers: ownOrder(`302 ${done}`) },
  "POST /orders/:id/quote": { answers: ownOrder("409") },
  // The id belongs to an order, so no quote has it.
  "GET /quotes/:id": { answers: signedInOnly("404") },
  "GET /quotes/:id/pdf": { answers: signedInOnly("404") },
  "POST /quotes/:id": { form: { intent: "approve", email: "{nobody}" }, answers: signedInOnly("404") },
  // A made-up link: the page says that it does not work and offers no action.
  "GET /requests/:token": { answers: everybody("200") },
  "POST /requests/:token": {
    form: { intent: "approved", hash: "0".repeat(64) },
    answers: everybody("404"),
  },
  "GET /orders/:id/proforma": { answers: ownOrder("302 /orders/:id/pay") },
  "GET /orders/:id/proforma.pdf": { answers: ownOrder("302 /orders/:id/pay") },
  "GET /credit-notes/:id": { answers: ["302 /login", "404", "200", "200"] },
  // It waits for registration, and no worker runs here.
  "GET /credit-notes/:id/pdf": {
    answers: ["302 /login", "404", "303 /credit-notes/:id", "303 /credit-notes/:id"],
  },
  // Neither buy more nor renew, so there is no order to continue.
  "GET /subscriptions/:subscriptionId/cancel": { answers: ["302 /login", "404", "403", "200"] },
  // Its 72 hours have passed.
  "POST /subscriptions/:subscriptionId/cancel": {
    form: { intent: "count", seats: "1" },
    answers: ["302 /login", "404", "403", "409"],
  },
  "GET /renewals": { answers: signedInOnly("200") },
  // Only an owner chooses who can read the calendar.
  "POST /renewals": {
    form: { intent: "end" },
    answers: ["302 /login", "303 /renewals", "403", "303 /renewals"],
  },
  "GET /calendar/:file": { answers: everybody("404") },
  "GET /subscriptions/:subscriptionId/renewal": { answers: ["302 /login", "404", "403", "200"] },
  "POST /subscriptions/:subscriptionId/renewal": {
    form: { intent: "keep" },
    answers: ["302 /login", "404", "403", "303 /:id/renew"],
  },
  // A made-up link: the page says that it does not work.
  "GET /renewal/:token": { answers: everybody("404") },
  "POST /renewal/:token": { form: { intent: "stop" }, answers: everybody("404") },
  "POST /subscriptions": { form: { order: "{order}" }, answers: signedInOnly("404") },
  "GET /account/my-data": { answers: signedInOnly("200") },
  // Everyone needs the password; the other company's owner has none yet.
  "POST /account/my-data": {
    form: { intent: "delete", currentPassword: "wrong" },
    answers: ["302 /login", "409", "400", "400"],
  },
  "GET /account/my-data/:exportId/zip": { answers: ["302 /login", "404", "404", "404"] },
  // A made-up link.
  "GET /keep-account/:token": { answers: everybody("404") },
  "POST /keep-account/:token": { answers: everybody("404") },
  "GET /documents": { answers: signedInOnly("200") },
  "GET /documents.csv": { answers: signedInOnly("200") },
  // The other company has no documents.
  "GET /documents.zip": { answers: ["302 /login", "404", "200", "200"] },
  "GET /documents/statement": { answers: signedInOnly("200") },
  "GET /documents/statement.csv": { answers: signedInOnly("200") },
  "GET /documents/statement.pdf": { answers: signedInOnly("200") },
  "GET /documents/licences": { answers: signedInOnly("200") },
  "GET /documents/licences.csv": { answers: signedInOnly("200") },
  "GET /myorders": { answers: signedInOnly("200") },
  "GET /Myorders": { answers: signedInOnly("200") },
  "GET /cart": { answers: signedInOnly("200") },
  "POST /cart": {
    form: { intent: "restore", order: "{order}" },
    answers: ["302 /login", "404", "404", "303 /cart"],
  },
  "GET /Home": { answers: signedInOnly("200") },
  "GET /compare": { answers: everybody("200") },
  "GET /choose": { answers: everybody("200") },
  "GET /about": { answers: everybody("200") },
  "GET /terms": { answers: everybody("200") },
  "GET /refunds": { answers: everybody("200") },
  "GET /privacy": { answers: everybody("200") },
  "GET /grievances": { answers: everybody("200") },
  "GET /accessibility": { answers: everybody("200") },
  "GET /payment-methods": { answers: everybody("200") },
  "GET /country": { answers: everybody("200") },
  "GET /MSSignup": { answers: signedInOnly("200") },
  "GET /sync/cp": { answers: signedInOnly("200") },
  // Exists in development only.
  "GET /ui": { answers: everybody("404") },
  // A made-up contact link: the page says that it does not work.
  "GET /billing/:token": { answers: everybody("404") },
  "POST /billing/:token": { form: { intent: "stop" }, answers: everybody("404") },
  "GET /company": { answers: signedInOnly("200") },
  "POST /company": {
    form: { intent: "tax", section: "194J" },
    answers: ["302 /login", "303 /company", "403", "303 /company"],
  },
  "GET /company/places/:place": { answers: ["302 /login", "200", "302 /company", "200"] },
  "POST /company/places/:place": {
    form: { city: "Mumbai" },
    answers: ["302 /login", "400", "302 /company", "400"],
  },
  "GET /members": { answers: signedInOnly("200") },
  "POST /members": {
    form: { intent: "invite", email: "{nobody}", role: "buyer" },
    answers: ["302 /login", "303 /members", "403", "303 /members"],
  },
  // A made-up invitation: the page says that it does not work.
  "GET /invite/:token": { answers: everybody("404") },
  "POST /invite/:token": {
    form: {
      intent: "new",
      firstName: "A",
      lastName: "B",
      password: "long-enough",
    },
    answers: everybody("409"),
  },

  "GET /order": {
    query: "?sku_id=MS-BUSINESS-BASIC&country=IN",
    answers: everybody("302 /order/microsoft/microsoft-365-business-basic/IN"),
  },
  // A viewer sees the plan but does not buy.
  "GET /order/:family/:item/:country": {
    query: "?another=true",
    answers: ["200", "200", "403", "200"],
  },
  "POST /order/:family/:item/:country": { form: details, answers: [begun, begun, "403", begun] },
  ...orderPages(order, atPlaceOrder.order),
  [`POST ${order}/subscription-details`]: { form: details, answers: ownOrder(`303 ${atPlaceOrder.order}`) },
  [`GET ${order}/create-account`]: { answers: ownOrder("200") },
  [`POST ${order}/create-account`]: {
    form: accountForm("somebody@example.com"),
    answers: ownOrder(`303 ${atPlaceOrder.order}`),
  },
  "GET /contract/:family/:item/:country": {
    query: "?TUP=true",
    answers: ["302 /login", "200", "403", "200"],
  },
  "POST /contract/:family/:item/:country": {
    query: "?TUP=true",
    form: { ...details, destination: "{tenant}" },
    answers: ["302 /login", "400", "403", `303 ${atPlaceOrder.contract}`],
  },
  "GET /contract/:id": { answers: ownOrder(`302 ${atPlaceOrder.contract}`) },
  ...orderPages("/contract/:id/:family", atPlaceOrder.contract),
  "POST /contract/:id/:family/subscription-details": {
    form: { ...details, destination: "{tenant}" },
    answers: ownOrder(`303 ${atPlaceOrder.contract}`),
  },
  "GET /subscription/addon": { answers: ["302 /login", baseless, "403", "200"] },
  "POST /subscription/addon": {
    form: { ...details, destination: "{base}" },
    answers: ["302 /login", baseless, "403", `303 ${atPlaceOrder.addon}`],
  },
  ...orderPages("/subscription/addon/:id", atPlaceOrder.addon),
  "POST /subscription/addon/:id/subscription-details": {
    form: { ...details, destination: "{base}" },
    answers: ownOrder(`303 ${atPlaceOrder.addon}`),
  },

  ...changePages("/buy/more/:subscriptionId", "/buy/more/:subscriptionId/:id", atPlaceOrder.more),
  ...changePages("/:subscriptionId/renew", "/:subscriptionId/renew/:id", atPlaceOrder.renewal),

  "GET /api/login": { answers: everybody("405") },
  "POST /api/login": {
    json: { encodedEmail: encoded("nobody@example.com"), encodedPassword: encoded("wrong") },
    answers: everybody("401"),
  },
  "GET /api/logout": { answers: everybody("405") },
  "POST /api/logout": { json: {}, answers: ["401", "200", "200", "200"] },
  "GET /api/signup": { answers: everybody("405") },
  "POST /api/signup": {
    json: {
      firstname: "A",
      lastname: "B",
      phonenumber: "9876543210",
      encodedEmail: encoded(demoEmails.owner),
      encodedPassword: encoded("x"),
    },
    answers: everybody("409"),
  },
  "GET /reset-mail": { answers: everybody("405") },
  "POST /reset-mail": { json: { email: "{nobody}" }, answers: everybody("200") },
  "GET /api/validate-token": { answers: everybody("200") },
  "POST /api/validate-token": { answers: everybody("405") },
  "GET /check/user": { query: "?email=nobody@example.com", answers: everybody("200") },
  "GET /mssignup": { query: "?tenant=access", answers: everybody("200") },
  "GET /google/signup": { query: "?tenant=access.com&console=IP", answers: everybody("200") },
  "GET /get/stage": { query: "?id={order}", answers: ["404", "404", "404", "200"] },
  "GET /reseller/invitation/status": {
    query: "?id={order}&email=demo@example.com",
    answers: ["404", "404", "404", "200"],
  },
  "GET /api/get/cust": { query: "?id={company}", answers: ownThing("200", "200") },
  "POST /api/get/cust": { answers: everybody("405") },
  "GET /api/search": { answers: everybody("405") },
  "POST /api/search": { json: { query: "email" }, answers: everybody("200") },
  "GET /dashboard": { answers: everybody("200") },
  "POST /dashboard": { answers: everybody("405") },
  "POST /get/stage": { answers: everybody("405") },
  "GET /api/gst": { answers: everybody("405") },
  "POST /api/gst": { json: { gstin: "29AABCB1234C1ZA" }, answers: everybody("200") },
  "GET /createacount": { answers: everybody("405") },
  "POST /createacount": {
    json: { ...accountPayload("somebody@example.com"), id: "{contract}" },
    answers: ownThing("404", "200"),
  },
  "POST /check/user": { answers: everybody("405") },
  "GET /create/order": { answers: everybody("405") },
  // The email has an account, so a visitor logs in first. The GSTIN belongs to the owner's company only.
  "POST /create/order": {
    json: { ...accountPayload(demoEmails.owner), ...orderJson },
    answers: ["409", "400", "403", "200"],
  },
  "GET /subscriptiondetails": {
    query: `?item_id=${plan.item}&item_family=${plan.family}&country=IN`,
    answers: everybody("200"),
  },
  "POST /subscriptiondetails": { json: orderJson, answers: ["200", "200", "403", "200"] },
  "GET /item": { query: "?sku=MS-BUSINESS-BASIC", answers: everybody("200") },
  "POST /item": { answers: everybody("405") },
  // The owner's order is of another family.
  "POST /google/signup": { json: { order_id: "{order}" }, answers: ownThing("404", "400") },
  "GET /api/domain": { answers: everybody("405") },
  "POST /api/domain": { json: { console: "IP", customer: "Acme Tools" }, answers: everybody("200") },
  // The owner's order is not paid yet.
  "POST /mssignup": { json: { order_id: "{order}" }, answers: ownThing("404", "409") },
  "POST /reseller/invitation/status": { answers: everybody("405") },
  "GET /placeorder": { query: "?id={order}", answers: ["404", "404", "404", "200"] },
  "POST /placeorder": { answers: everybody("405") },
  "GET /closure": { query: "?id={order}", answers: ownThing("404", "409") },
  "POST /closure": { answers: everybody("405") },
  "GET /api/capturepayment": { answers: everybody("405") },
  // An outdated total.
  "POST /api/capturepayment": {
    json: { data: { id: "{order}", terms: true, totalAmount: 1 } },
    answers: ownThing("404", "409"),
  },
  "GET /api/existigcustomer": { query: "?customerid={company}", answers: ownThing("200", "200") },
  "POST /api/existigcustomer": { answers: everybody("405") },
  "GET /api/existingsubscriptions": { query: "?customerId={company}", answers: ownThing("200", "200") },
  "POST /api/existingsubscriptions": { answers: everybody("405") },
  // A viewer reads but does not buy.
  "GET /add/user/:subscriptionId": { answers: ownThing("403", "200") },
  "GET /renew-subscription/:id": { answers: ownThing("403", "200") },
  // An outdated total.
  ...Object.fromEntries(
    ["POST /add/user/:subscriptionId", "POST /renew-subscription/:id"].map((call) => [
      call,
      {
        json: { terms: true, payment_details: { quantity: 1, total_amount: 1 } },
        answers: ownThing("403", "409"),
      },
    ]),
  ),
  "GET /api/subscriptions": { query: "?customerId={company}", answers: ownThing("200", "200") },
  "POST /api/subscriptions": { answers: everybody("405") },
  "GET /api/subscription/:id": { answers: ownThing("200", "200") },
  "POST /api/subscription/:id": { answers: everybody("405") },
  // A user can only list their own orders, not a colleague's.
  "GET /api/get/orders": { query: "?category=ORD&user={user}", answers: ["401", "404", "404", "200"] },
  "POST /api/get/orders": { answers: everybody("405") },
  "GET /api/openapi.json": { answers: everybody("200") },
  "POST /api/openapi.json": { answers: everybody("405") },
  "GET /sitemap.xml": { answers: everybody("200") },
  "GET /robots.txt": { answers: everybody("200") },
  "GET /.well-known/security.txt": { answers: everybody("200") },
  "GET /manifest.webmanifest": { answers: everybody("200") },
  "GET /messages/:language": { answers: everybody("200") },
  "GET /api/docs": { answers: everybody("200") },
  "POST /health": { answers: everybody("405") },
  "POST /livez": { answers: everybody("405") },
  "POST /readyz": { answers: everybody("405") },
  ...Object.fromEntries(
    ["/api", "/get", "/check", "/create", "/google", "/reseller", "/add"].flatMap((prefix) => [
      [`GET ${prefix}/*`, { answers: everybody("404") }],
      [`POST ${prefix}/*`, { answers: everybody("404") }],
    ]),
  ),

  "GET /csp-reports": { answers: everybody("405") },
  "POST /csp-reports": { answers: everybody("415") },
  "GET /payments/return": { answers: everybody("404") },
  "POST /payments/return": { answers: everybody("404") },
  "GET /webhooks/razorpay": { answers: everybody("405") },
  "POST /webhooks/razorpay": { answers: everybody("401") },
  "GET /webhooks/payment-link": { answers: everybody("405") },
  "POST /webhooks/payment-link": { answers: everybody("401") },
  "GET /webhooks/bank-transfer": { answers: everybody("405") },
  "POST /webhooks/bank-transfer": { answers: everybody("401") },
  "GET /webhooks/:family": { answers: everybody("405") },
  "POST /webhooks/:family": { answers: everybody("401") },
};

async function ask(key: string, row: Row, requester: AccessRole): Promise<string> {
  const [method = "", pattern = ""] = key.split(" ");
  const url = urlOf(pattern, row.query);
  const browser = await browserOf(requester);
  const form = Object.fromEntries(Object.entries(row.form ?? {}).map(([name, value]) => [name, fill(value)]));
  const answer =
    method === "GET"
      ? await browser.get(url)
      : row.json === undefined
        ? await browser.post(url, form)
        : await browser.ask(url, {
            method,
            headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
            body: fill(JSON.stringify(row.json)),
          });
  const to = answer.location === null ? "" : ` ${new URL(answer.location, stack.url).pathname}`;
  return `${answer.status}${to.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id")}`;
}

test("lists every page and call and nothing else", () => {
  expect(servedRoutes.length).toBeGreaterThan(80);
  expect(Object.keys(table).sort()).toEqual(servedRoutes.toSorted());
});

test.each(["expired", "revoked"] as const)("%s session: clears its cookie", async (requester) => {
  for (const url of ["/subscriptions", "/account", `${urlOf(order)}/place-order`]) {
    const browser = await browserOf(requester);
    expect((await browser.get(url)).location).toMatch(/^\/login\?next=/);
    expect(browser.hasCookie("session")).toBe(false);
  }
});

test.each(Object.entries(table))("%s", async (key, row) => {
  const [visitor, other, viewer, owner] = row.answers;
  const expected: Record<AccessRole, string> = {
    visitor,
    expired: visitor,
    revoked: visitor,
    other,
    viewer,
    owner,
  };
  const found: Record<string, string> = {};
  for (const requester of accessRoles) found[requester] = await ask(key, row, requester);
  expect(found).toEqual(expected);
});
