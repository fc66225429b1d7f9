/**
 * Every call in docs/specification.md, section 7: its response, field by field under the specification's names, and its
 * refusals. The client checks each reply for undocumented fields.
 */

import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails, demoPassword } from "#sandbox/demo/login.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import { languages } from "#server/foundation/languages/language.ts";
import {
  ApiClient,
  accountPayload,
  endpointAt,
  endpointEntries,
  type Reply,
  requireSuccess,
} from "#tests/support/api-client.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";

const { prefixRule } = languages.en.messages.signIn;

/** Ids of the demo company. */
let known: {
  token: string;
  user: string;
  company: string;
  closed: string;
  base: string;
  tenant: string;
};
const { stack, context, controls } = await startStore();
beforeAll(async () => {
  const { db, env } = context;
  await loadDemoData(db);
  const owner = await findUserByEmail(db, demoEmails.owner);
  if (owner === null) throw new Error("Expected an owner");
  const order = await db
    .selectFrom("orders")
    .select(["id", "customer_id"])
    .where("stage", "=", "stage4")
    .where("user_id", "=", owner.id)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirstOrThrow();
  const base = await db
    .selectFrom("subscriptions")
    .innerJoin("tenants", "tenants.id", "subscriptions.tenant_id")
    .select(["subscriptions.id", "tenants.external_id"])
    .where("subscriptions.family", "=", "microsoft")
    .where("subscriptions.status", "=", "active")
    .where("subscriptions.parent_subscription_id", "is", null)
    .orderBy("subscriptions.start_date")
    .executeTakeFirstOrThrow();
  known = {
    token: (await createSession(db, env.SESSION_SECRETS, owner.id)).token,
    user: owner.id,
    company: order.customer_id ?? "",
    closed: order.id,
    base: base.id,
    tenant: base.external_id,
  };
});

const encode = (text: string) => Buffer.from(text, "utf8").toString("base64");
const owner = () => new ApiClient(stack.url, known.token);
const anybody = () => new ApiClient(stack.url);
const plan = { sku_id: "microsoft-365-business-basic", console: "IP", count: 2 };

/** Creates a new buyer with an order at Place Order. */
async function buyer(more: object = plan) {
  const client = anybody();
  const email = freshEmail();
  const begun = z.object({ id: z.string(), token: z.string(), totalCost: z.number() });
  const order = requireSuccess(
    begun,
    await client.post("/create/order", { ...more, ...accountPayload(email) }),
  );
  client.token = order.token;
  return { client, email, ...order };
}

async function paidBuyer(more: object = plan) {
  const order = await buyer(more);
  const { client, id, totalCost } = order;
  const open = z.object({ razorpay_order_id: z.string() });
  const data = { id, terms: true, totalAmount: totalCost };
  const { razorpay_order_id } = requireSuccess(open, await client.post("/api/capturepayment", { data }));
  const paid = await controls.pay({ orderId: razorpay_order_id, webhook: false });
  const payment_data = {
    razorpay_order_id,
    razorpay_payment_id: paid.paymentId,
    razorpay_signature: paid.signature,
  };
  const capture = () => client.post("/api/capturepayment", { data: { id, payment_data } });
  return { ...order, capture };
}

async function resetLink(): Promise<string> {
  const { email } = await buyer();
  const user = await findUserByEmail(context.db, email);
  if (user === null) throw new Error("Expected a user");
  return context.db
    .transaction()
    .execute((trx) => mintToken(trx, { purpose: "reset-password", userId: user.id, ttlSeconds: 60 }));
}

interface Row {
  /** A request that succeeds. */
  ask(): Promise<Reply>;
  /** Fields that the specification names for the reply; "list" if the reply is a list. */
  fields: string[] | "list";
}

/** Begins to pay for a change at the given unit price. */
async function beginChange(path: string, quantity: number, unit: number) {
  const total_amount = Math.round(Math.round(unit * quantity * 118) / 100);
  return owner().post(path, { terms: true, payment_details: { quantity, total_amount } });
}
const changeFields = [
  ...["quantity", "item_name", "item_family", "customer_address", "console", "billing_cycle"],
  ...["actual_billing_cycle", "currency"],
];
const subscriptionFields = [
  ...["id", "item_name", "item_family", "plan", "domain", "quantity", "start_date", "end_date"],
];
const cardFields = ["id", "sku", "item_family", "name", "description", "features", "images", "price"];
function never(): never {
  throw new Error("Expected the row to exist");
}
const services = ["microsoft", "google", "brio"];

const rows: Record<string, Row> = {
  "POST /api/login": {
    ask: () =>
      anybody().post("/api/login", {
        encodedEmail: encode(demoEmails.owner),
        encodedPassword: encode(demoPassword),
      }),
    fields: [
      "token",
      ...["id", "email", "first_name", "last_name", "customerId", "phone", "role"].map(
        (name) => `user.${name}`,
      ),
    ],
  },
  "POST /api/signup": {
    ask: () =>
      anybody().post("/api/signup", {
        firstname: "Asha",
        lastname: "Rao",
        phonenumber: "9876543210",
        encodedEmail: encode(freshEmail()),
        encodedPassword: encode("x"),
      }),
    fields: [],
  },
  "POST /reset-mail": { ask: () => anybody().post("/reset-mail", { email: freshEmail() }), fields: [] },
  "GET /reset-password/{token}": {
    ask: async () => anybody().get(`/reset-password/${await resetLink()}`),
    fields: ["data.email"],
  },
  "POST /reset-password/{token}": {
    ask: async () => anybody().post(`/reset-password/${await resetLink()}`, { password: "a-new-Pass-2" }),
    fields: [],
  },
  "GET /api/validate-token": { ask: () => owner().get("/api/validate-token"), fields: ["valid"] },
  "GET /api/get/cust": {
    ask: () => owner().get(`/api/get/cust?id=${known.company}`),
    fields: [
      "customer",
      "data.id",
      "data.name",
      ...[
        "gst_code",
        "add1",
        "add2",
        "city",
        "state",
        "pincode",
        "organization_registration_number",
        "email",
        "first_name",
        "last_name",
        "phone",
      ].map((name) => `data.addresses.0.${name}`),
    ],
  },
  "POST /api/search": { ask: () => anybody().post("/api/search", { query: "email" }), fields: "list" },
  "GET /dashboard": {
    ask: () => owner().get("/dashboard"),
    fields: [
      ...services.flatMap((service) =>
        ["featured_items", "other_items", "add_on_items"].map((section) => `${service}.${section}`),
      ),
      ...cardFields.map((name) => `microsoft.featured_items.0.${name}`),
    ],
  },
  "GET /get/stage": {
    ask: async () => {
      const { client, id } = await buyer();
      return client.get(`/get/stage?id=${id}`);
    },
    fields: ["stage", "console", "other", "razorpay"],
  },
  "POST /api/gst": {
    ask: () => anybody().post("/api/gst", { gstin: "29AABCB1234C1ZA" }),
    fields: [
      "legalName",
      "buildingName",
      "floorNumber",
      "street",
      "buildingNumber",
      "city",
      "stateName",
      "pincode",
      "gstin",
    ].map((name) => `cust_data.${name}`),
  },
  "POST /createacount": {
    ask: async () => {
      const { client, email, id } = await buyer();
      return client.post("/createacount", { ...accountPayload(email), id });
    },
    fields: ["message", "customerId"],
  },
  "GET /check/user": { ask: () => anybody().get(`/check/user?email=${demoEmails.owner}`), fields: ["user"] },
  "POST /create/order": {
    ask: () => anybody().post("/create/order", { ...plan, ...accountPayload() }),
    fields: ["id"],
  },
  "GET /subscriptiondetails": {
    ask: () =>
      anybody().get(
        "/subscriptiondetails?country=IN&item_id=google-workspace-business-starter&item_family=google",
      ),
    fields: [
      "item.id",
      "item.name",
      "item.attrib01",
      "item.monthly_price.INR",
      "item.monthly_price.signup-INR",
      "item.annual_price.INR",
      "item.annual_price.signup-INR",
      "availabilitydata.terms.0",
      "availabilitydata.catalogItemId",
    ],
  },
  "POST /subscriptiondetails": {
    ask: () => owner().post("/subscriptiondetails", plan),
    fields: ["id", "status", "Error"],
  },
  "GET /item": { ask: () => anybody().get("/item?sku=MS-BUSINESS-BASIC"), fields: cardFields },
  "GET /google/signup": {
    ask: () => anybody().get(`/google/signup?tenant=${freshPrefix()}.com&console=IP`),
    fields: ["status"],
  },
  "POST /google/signup": {
    ask: async () => {
      const google = { sku_id: "google-workspace-business-starter", console: "IP", count: 2 };
      const { client, id, capture } = await paidBuyer({ ...google, domain: `${freshPrefix()}.com` });
      requireSuccess(z.object({ status: z.literal(true) }), await capture());
      return client.post("/google/signup", { order_id: id, username: "admin", password: "Good$Pass1" });
    },
    fields: ["status", "customerid"],
  },
  "POST /api/domain": {
    ask: () => anybody().post("/api/domain", { console: "IP", customer: "Acme Tools Pvt. Ltd." }),
    fields: "list",
  },
  "GET /mssignup": {
    ask: () => anybody().get(`/mssignup?tenant=${freshPrefix()}&console=IP`),
    fields: ["valid"],
  },
  "POST /mssignup": {
    ask: async () => {
      const { client, id, capture } = await paidBuyer();
      requireSuccess(z.object({ status: z.literal(true) }), await capture());
      return client.post("/mssignup", { order_id: id, username: "owner", tenantname: freshPrefix() });
    },
    fields: ["status", "customerid"],
  },
  "GET /reseller/invitation/status": {
    ask: async () => {
      const { client, id, email } = await buyer();
      return client.get(`/reseller/invitation/status?id=${id}&email=${email}`);
    },
    fields: ["cached_data.invitation_accepted", "o365_uid"],
  },
  "GET /placeorder": {
    ask: async () => {
      const { client, id } = await buyer();
      return client.get(`/placeorder?id=${id}`);
    },
    fields: [
      ...["name", "commitment", "billing", "quantity", "unit_price.INR", "total_price", "tax_amount"],
      ...["Estimate_tax", "grand_total", "customer_name", "customerid", "address", "email", "phone"],
      ...["id", "accountid", "customerid", "payment_status", "payment_details", "invitation_accepted"].map(
        (name) => `order_details.order.${name}`,
      ),
      ...["add1", "add2", "city", "state", "country", "gst_code"].map(
        (name) => `order_details.order.shipping_address.${name}`,
      ),
      ...["id", "commitment", "billing", "catalogItemId"].map(
        (name) => `order_details.order.order_line_items.0.${name}`,
      ),
      ...[
        "firstname",
        "lastname",
        "email",
        "phone",
        "addres.0",
        "addres.1",
        "city",
        "state",
        "pincode",
        "country",
        "organisationRegistrationNumber",
        "isCustomer",
        "new_address",
        "domain",
        "tenant",
        "uid",
        "is_transfer_token_customer",
        "google_user_created",
        "parent_subscription_id",
      ].map((name) => `order_details.order.properties.${name}`),
    ],
  },
  "GET /closure": {
    ask: () => owner().get(`/closure?id=${known.closed}`),
    fields: ["country", "is_existing_customer", "existing_customer_email", "username", "password"],
  },
  "POST /api/capturepayment": { ask: async () => (await paidBuyer()).capture(), fields: ["status"] },
  "GET /add/user/{subscriptionId}": {
    ask: () => owner().get(`/add/user/${known.base}`),
    fields: [...changeFields, "cost_per_person"],
  },
  "POST /add/user/{subscriptionId}": {
    ask: async () => {
      const path = `/add/user/${known.base}`;
      const price = z.object({ cost_per_person: z.number() });
      return beginChange(path, 2, requireSuccess(price, await owner().get(path)).cost_per_person);
    },
    fields: ["status"],
  },
  "GET /renew-subscription/{id}": {
    ask: () => owner().get(`/renew-subscription/${known.base}`),
    fields: [
      ...changeFields.map((name) => `subscription_data.${name}`),
      "subscription_data.unit_price",
      ...["add1", "add2", "city", "state", "postal_code", "country", "gst_code", "first_name"].map(
        (name) => `subscription_data.customer_address.${name}`,
      ),
      ...["last_name", "email", "phone"].map((name) => `subscription_data.customer_address.${name}`),
    ],
  },
  "POST /renew-subscription/{id}": {
    ask: async () => {
      const path = `/renew-subscription/${known.base}`;
      const price = z.object({ subscription_data: z.object({ unit_price: z.number() }) });
      const { unit_price } = requireSuccess(price, await owner().get(path)).subscription_data;
      return beginChange(path, 3, unit_price);
    },
    fields: ["status"],
  },
  "GET /api/subscriptions": {
    ask: () => owner().get(`/api/subscriptions?customerId=${known.company}&itemFamily=microsoft`),
    fields: [
      ...subscriptionFields.map((name) => `active_subscriptions.0.${name}`),
      ...subscriptionFields.map((name) => `expired_subscriptions.0.${name}`),
    ],
  },
  "GET /api/subscription/{id}": {
    ask: async () => {
      requireSuccess(z.unknown(), (await rows["POST /add/user/{subscriptionId}"]?.ask()) ?? never());
      requireSuccess(z.unknown(), (await rows["POST /renew-subscription/{id}"]?.ask()) ?? never());
      return owner().get(`/api/subscription/${known.base}`);
    },
    fields: [
      ...["item_name", "item_family", "add_payment_status", "renew_payment_status"],
      ...["add", "renew"].flatMap((kind) => [
        ...["amount", "tax_amount", "total_amount", "quantity"].map(
          (name) => `${kind}_payment_details.${name}`,
        ),
        ...["add1", "add2", "city", "state", "country", "postal_code"].map(
          (name) => `${kind}_shipping_address.0.${name}`,
        ),
      ]),
    ],
  },
  "GET /api/get/orders": {
    ask: () => owner().get(`/api/get/orders?category=ORD&user=${known.user}&service=microsoft`),
    fields: [
      ...["id", "itemName", "commitment_plan", "billing_cycle", "quantity", "created_on", "order_type"],
      ...["total", "tax_amount", "grand_total", "shipping_address", "properties.country", "itemFamily"],
      "item_id",
    ].map((name) => `0.${name}`),
  },
  "GET /api/existigcustomer": {
    ask: () => owner().get(`/api/existigcustomer?customerid=${known.company}`),
    fields: ["uid", "name", "tenant", "id"].map((name) => `cust_uid.0.${name}`),
  },
  "GET /api/existingsubscriptions": {
    ask: () => owner().get(`/api/existingsubscriptions?customerId=${known.company}`),
    fields: [
      "items.0.id",
      "items.0.name",
      ...["id", "itemid", "domain", "customer_uid", "customerid"].map((name) => `subscriptions.0.${name}`),
    ],
  },
};

describe.each(Object.entries(rows))("%s", (name, { ask, fields }) => {
  const [method = "", pattern = ""] = name.split(" ");
  const path = pattern.replace("{token}", "t".repeat(43)).replace(/\{\w+\}/, crypto.randomUUID());

  test("returns the specification's fields", async () => {
    const { status, headers, body } = await ask();
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    if (fields === "list") {
      expect(Array.isArray(body) && body.length).toBeGreaterThan(0);
      return;
    }
    for (const field of fields) expect(body).toHaveProperty(field.split("."));
  });

  test("requires a session where the description says so", async () => {
    if (endpointAt(method, path).needs !== "account") return;
    for (const token of ["", "nonsense"]) {
      const client = new ApiClient(stack.url, token);
      const reply = method === "GET" ? await client.get(path) : await client.post(path, {});
      expect(reply.status).toBe(401);
    }
  });

  test("refuses other methods and lists the allowed ones", async () => {
    const both = [`GET ${pattern}`, `POST ${pattern}`].filter((other) => rows[other] !== undefined);
    for (const other of ["PUT", "DELETE", "PATCH"]) {
      const answer = await anybody().browser.ask(path, {
        method: other,
        headers: { Accept: "application/json" },
      });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe(both.map((each) => each.split(" ")[0]).join(", "));
      expect(JSON.parse(answer.text)).toMatchObject({
        error: "Method not allowed",
        requestId: expect.any(String),
      });
    }
  });

  test.runIf(method === "POST")("accepts only valid JSON from permitted callers, up to 64 KiB", async () => {
    const client = owner();
    const long = `{"more":"${"x".repeat(65_536)}"}`;
    const send = async (body: string, headers: Record<string, string> = {}) =>
      (await client.ask("POST", path, body, headers)).status;
    expect(await send("{}", { "Content-Type": "application/x-www-form-urlencoded" })).toBe(415);
    expect(await send("{")).toBe(400);
    expect(await send(long)).toBe(413);
    for (const wrong of ["null", "[]", '"text"', "7", "{}"]) expect(await send(wrong), wrong).toBe(400);
    expect(await send('{"a":"\\u0000"}')).toBe(400);
    const foreign = new ApiClient(stack.url);
    const cross = { Cookie: "session=x", "Sec-Fetch-Site": "cross-site" };
    expect((await foreign.ask("POST", path, "{}", cross)).status).toBe(403);
  });

  test.runIf(method === "GET")("names missing and invalid parameters", async () => {
    const { shape } = z
      .object({ shape: z.record(z.string(), z.unknown()).optional() })
      .parse(endpointAt("GET", path).input);
    const required = Object.entries(shape ?? {}).filter(
      ([, field]) => field instanceof z.ZodType && !field.safeParse(undefined).success,
    );
    if (required.length === 0) return;
    const { status, body } = await owner().get(path);
    expect(status).toBe(400);
    const { fields: named } = z.object({ fields: z.record(z.string(), z.string()) }).parse(body);
    expect(Object.keys(named).sort()).toEqual(required.map(([field]) => field).sort());
  });
});

test("covers every call except those that the specification does not name", () => {
  const ours = [
    "/api/logout",
    "/api/openapi.json",
    "/health",
    "/livez",
    "/readyz",
    "/reset/password/{token}",
    "/set-password/{token}",
  ];
  const described = callNames().filter((name) => !ours.includes(name.split(" ")[1] ?? ""));
  expect(Object.keys(rows).sort()).toEqual(described.sort());
});

describe("refusals in the specification's shape", () => {
  test("puts the message of a long search or a wrong GSTIN into body", async () => {
    const search = await anybody().post("/api/search", { query: "x".repeat(201) });
    expect([search.status, search.body]).toMatchObject([400, { body: expect.any(String) }]);
    const gst = await anybody().post("/api/gst", { gstin: "07AAPFU0939F1ZX" });
    expect([gst.status, gst.body]).toMatchObject([400, { body: expect.any(String), fields: { gstin: /./ } }]);
  });

  test("refuses an email with an account", async () => {
    const reply = await anybody().post("/create/order", { ...plan, ...accountPayload(demoEmails.owner) });
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { error: "Account already exists, please Login instead", fields: { email: /./ } },
    ]);
  });

  test("refuses an order with a wrong plan, family, country or commitment", async () => {
    const refusedFor = async (more: object) => {
      const { status, body } = await owner().post("/subscriptiondetails", { ...plan, ...more });
      const { fields = {} } = z
        .object({ status: z.literal("fail"), fields: z.record(z.string(), z.string()).optional() })
        .parse(body);
      return [status, ...Object.keys(fields)];
    };
    expect(await refusedFor({ sku_id: null })).toEqual([400, "sku_id"]);
    expect(await refusedFor({ sku_id: "no-such-plan" })).toEqual([404]);
    expect(await refusedFor({ item_family: "google" })).toEqual([404]);
    expect(await refusedFor({ country: "US" })).toEqual([400, "console"]);
    expect(await refusedFor({ console: null })).toEqual([400, "country"]);
    expect(await refusedFor({ billingTerm: "Monthly", subscriptionLength: "P1Y" })).toEqual([
      400,
      "billingTerm",
    ]);
    expect(await refusedFor({ sku_id: "google-workspace-business-starter" })).toEqual([400, "domain"]);
    expect(await refusedFor({ is_new_contract: true })).toEqual([400, "uid"]);
    expect(await refusedFor({ is_addon: true })).toEqual([400, "is_addon"]);
    expect(await refusedFor({ id: known.closed })).toEqual([400, "sku_id"]);
    expect(await refusedFor({ id: crypto.randomUUID() })).toEqual([404]);
  });

  test("refuses a foreign, forged or unknown payment", async () => {
    const [one, two] = [await paidBuyer(), await buyer()];
    const stranger = await two.client.post("/api/capturepayment", { data: { id: one.id } });
    expect([stranger.status, stranger.body]).toMatchObject([404, { status: "fail", Error: /./ }]);
    const payment_data = {
      razorpay_order_id: "order_unknown",
      razorpay_payment_id: "pay_unknown",
      razorpay_signature: "0".repeat(64),
    };
    const unknown = await one.client.post("/api/capturepayment", { data: { id: one.id, payment_data } });
    expect(unknown.status).toBe(404);
    const open = z.object({ razorpay_order_id: z.string() });
    const details = requireSuccess(open, await one.client.get(`/placeorder?id=${one.id}`));
    const forged = { ...payment_data, ...details };
    const reply = await one.client.post("/api/capturepayment", {
      data: { id: one.id, payment_data: forged },
    });
    expect([reply.status, reply.body]).toMatchObject([400, { Error: /signature/ }]);
    expect(
      requireSuccess(z.object({ stage: z.string() }), await one.client.get(`/get/stage?id=${one.id}`)).stage,
    ).toBe("stage2");
    expect((await one.capture()).body).toMatchObject({ status: true, stage: "stage3" });
    // Submitting again has the same result.
    expect((await one.capture()).body).toMatchObject({ status: true });
    expect((await one.client.post("/api/capturepayment", { data: { id: one.id } })).body).toMatchObject({
      status: true,
    });
    const changed = await one.client.post("/subscriptiondetails", { ...plan, id: one.id, count: 5 });
    expect([changed.status, changed.body]).toMatchObject([409, { status: "fail" }]);
  });

  test("refuses another quantity or price than the paid one", async () => {
    const { client, id, capture } = await paidBuyer();
    await capture();
    for (const wrong of [{ quantity: 3 }, { unit_price: 1 }]) {
      const signup = { order_id: id, username: "owner", tenantname: freshPrefix(), ...wrong };
      const reply = await client.post("/mssignup", signup);
      expect([reply.status, reply.body]).toMatchObject([409, { Error: "Price has changed", customerid: "" }]);
    }
    const taken = await client.post("/mssignup", {
      order_id: id,
      username: "owner",
      tenantname: "takenname",
    });
    expect([taken.status, taken.body]).toMatchObject([
      400,
      { status: "Error", message: "domain is not available", fields: { tenantname: /./ } },
    ]);
    const google = await client.post("/google/signup", { order_id: id, password: "Good$Pass1" });
    expect([google.status, google.body]).toMatchObject([400, { fields: { order_id: /./ } }]);
  });

  test("returns 503 without internals when a provider is down", async () => {
    await controls.faults(
      { match: { path: "^/partner-center" }, kind: "500" },
      { match: { path: "^/google" }, kind: "500" },
      { match: { path: "^/gst" }, kind: "500" },
    );
    try {
      const prefix = freshPrefix();
      for (const reply of [
        await anybody().get(`/mssignup?tenant=${prefix}`),
        await anybody().get(`/google/signup?tenant=${prefix}.com`),
        await anybody().post("/api/gst", { gstin: "27AAPFU0939F1ZV" }),
        await anybody().post("/api/domain", { console: "UP", customer: "Acme" }),
      ]) {
        expect(reply.status).toBe(503);
        expect(JSON.stringify(reply.body)).not.toMatch(/sandbox|127\.0\.0\.1|stack/i);
      }
    } finally {
      await controls.faults();
    }
  });

  test("limits requests with 429 and Retry-After", async () => {
    const client = anybody();
    let reply = await client.get("/check/user?email=a@example.com");
    // A window may end in between, so try twice the limit.
    for (let tries = 0; reply.status === 200 && tries < 130; tries += 1) {
      reply = await client.get("/check/user?email=a@example.com");
    }
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test.each([
    "/api/nothing",
    "/get/nothing",
    "/check/nothing",
    "/create/nothing",
    "/google/nothing",
    "/reseller/x/y",
  ])("%s: returns 404 as JSON", async (path) => {
    for (const method of ["GET", "POST", "PUT"]) {
      const answer = await anybody().browser.ask(path, { method });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toMatchObject({
        error: expect.any(String),
        requestId: expect.any(String),
      });
    }
  });
});

describe("orders of an existing customer", () => {
  test("creates a subscription in a listed tenant without an account form", async () => {
    const sent = { ...plan, is_new_contract: true, is_existing_customer: true, uid: known.tenant };
    const order = z.object({ id: z.string(), url: z.string(), totalCost: z.number() });
    const { id, url, totalCost } = requireSuccess(order, await owner().post("/subscriptiondetails", sent));
    expect(url).toBe(`/contract/${id}/microsoft`);
    const data = { id, terms: true, totalAmount: totalCost };
    const reply = await owner().post("/api/capturepayment", { data });
    expect(reply.body).toMatchObject({ state: "awaiting_payment", amount: totalCost * 100 });
  });

  test("creates an add-on to one of its subscriptions", async () => {
    const add_on_items = z.array(z.object({ sku: z.string() }));
    const dashboard = z.object({ microsoft: z.object({ add_on_items }) });
    const { microsoft } = requireSuccess(dashboard, await owner().get("/dashboard"));
    const sent = {
      sku_id: microsoft.add_on_items[0]?.sku,
      console: "IP",
      count: 1,
      is_addon: true,
      parent_subscription_id: known.base,
    };
    const { url } = requireSuccess(
      z.object({ url: z.string() }),
      await owner().post("/subscriptiondetails", sent),
    );
    expect(url).toMatch(/^\/subscription\/addon\//);
    const noBase = "You must have base product for purchasing copilot for Microsoft 365";
    const { client: stranger } = await buyer();
    for (const parent of [known.base, undefined]) {
      const refused = await stranger.post("/subscriptiondetails", {
        ...sent,
        parent_subscription_id: parent,
      });
      expect([refused.status, refused.body]).toMatchObject([409, { Error: noBase }]);
    }
    for (const parent of [crypto.randomUUID(), "no-subscription", undefined]) {
      const refused = await owner().post("/subscriptiondetails", { ...sent, parent_subscription_id: parent });
      const words = { parent_subscription_id: "Please choose the subscription to add it to." };
      expect([refused.status, refused.body], parent).toMatchObject([400, { fields: words }]);
    }
    const visitor = await anybody().post("/subscriptiondetails", sent);
    expect(visitor.status).toBe(401);
  });
});

test("accepts a tenant name in capitals and with its suffix", async () => {
  const prefix = freshPrefix();
  for (const name of [prefix, prefix.toUpperCase(), `${prefix}.onmicrosoft.com`, "Taken.OnMicrosoft.com"]) {
    const { valid } = requireSuccess(
      z.object({ valid: z.boolean() }),
      await anybody().get(`/mssignup?tenant=${name}`),
    );
    expect(valid, name).toBe(name.startsWith(prefix) || name.startsWith(prefix.toUpperCase()));
  }
  const { status, body } = await anybody().get("/mssignup?tenant=with-hyphen");
  expect([status, body]).toMatchObject([400, { fields: { tenant: prefixRule } }]);
});

test("links an order's row to its invoice, and a plan to its seat limits", async () => {
  const rows = z.array(z.object({ id: z.string(), invoice_number: z.string() }));
  const listed = requireSuccess(rows, await owner().get(`/api/get/orders?category=ORD&user=${known.user}`));
  const invoiced = listed.find(({ invoice_number: number }) => number !== "");
  expect(invoiced?.invoice_number).toMatch(/^IN\/\d\d-\d\d\/\d{6}$/);
  const file = await owner().browser.ask(`/orders/${invoiced?.id}/invoice.pdf`, {
    headers: { Authorization: `Bearer ${known.token}` },
  });
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  const limits = z.object({ min_quantity: z.literal(1), max_quantity: z.literal(300) });
  requireSuccess(limits, await anybody().get("/item?sku=microsoft-365-business-basic"));
  requireSuccess(
    z.object({ availabilitydata: limits }),
    await anybody().get("/subscriptiondetails?country=IN&sku_id=microsoft-365-business-basic"),
  );
});

test("lists an order's credit notes, whose PDFs only the owner's token opens", async () => {
  const { id } = await context.db
    .selectFrom("orders")
    .select("id")
    .where("stage", "=", "stage4")
    .where("family", "=", "google")
    .executeTakeFirstOrThrow();
  const refundIds = [await refundPart(context, id, 12_300), await refundPart(context, id, 4_550)];
  const rows = z.array(
    z.object({
      id: z.string(),
      credit_notes: z.array(z.object({ id: z.string(), number: z.string(), amount: z.number() })),
    }),
  );
  const listed = requireSuccess(rows, await owner().get(`/api/get/orders?category=ORD&user=${known.user}`));
  const notes = listed.find((row) => row.id === id)?.credit_notes ?? [];
  expect(notes).toMatchObject([
    { id: refundIds[0], amount: 123 },
    { id: refundIds[1], amount: 45.5 },
  ]);
  expect(listed.filter((row) => row.id !== id).flatMap((row) => row.credit_notes)).toEqual([]);
  for (const { number, id: refundId } of notes) {
    expect(number).toMatch(/^IN\/C\d\d-\d\d\/\d{6}$/);
    await registerDocument(context, number);
    const headers = { Authorization: `Bearer ${known.token}` };
    const file = await owner().browser.ask(`/credit-notes/${refundId}/pdf`, { headers });
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const others = await anybody().browser.ask(`/credit-notes/${refundId}/pdf`, {});
    // Redirects to the login like every page of an order.
    expect([others.status, others.headers.get("location")]).toEqual([302, expect.stringMatching(/^\/login/)]);
  }
});

test("keeps a browser's order by cookie and adds the account in a second call", async () => {
  const client = anybody();
  const page = { "Sec-Fetch-Site": "same-origin" };
  const order = z.object({ id: z.string() });
  const { id } = requireSuccess(
    order,
    await client.ask("POST", "/subscriptiondetails", JSON.stringify(plan), page),
  );
  expect(client.browser.hasCookie("draft")).toBe(true);
  expect((await anybody().get(`/placeorder?id=${id}`)).status).toBe(404);
  const details = requireSuccess(
    z.object({ customer_name: z.literal(""), quantity: z.literal(2) }),
    await client.get(`/placeorder?id=${id}`),
  );
  expect(details.quantity).toBe(2);
  const again = JSON.stringify({ ...plan, id, count: 4 });
  expect(requireSuccess(order, await client.ask("POST", "/subscriptiondetails", again, page)).id).toBe(id);
  const account = JSON.stringify({ id, ...accountPayload() });
  const claimed = z.object({
    id: z.literal(id),
    token: z.string().min(20),
    stage: z.literal("stage2"),
    count: z.literal(4),
  });
  requireSuccess(claimed, await client.ask("POST", "/create/order", account, page));
});

test("keeps the API document below 14 KiB on the wire", async () => {
  const { length, text } = await new Promise<{ length: number; text: string }>((resolve, reject) => {
    get(`${stack.url}/api/docs`, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      expect(answer.headers["content-encoding"]).toBe("gzip");
      buffer(answer).then(
        (sent) => resolve({ length: sent.length, text: gunzipSync(sent).toString("utf8") }),
        reject,
      );
    }).on("error", reject);
  });
  for (const { path, call } of endpointEntries)
    expect(text).toContain(`${call.method.toUpperCase()} ${path}`);
  expect(length).toBeLessThan(14 * 1024);
});

function callNames(): string[] {
  return endpointEntries.map(({ path, call }) => `${call.method.toUpperCase()} ${path}`);
}
