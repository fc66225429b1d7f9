/**
 * Changes that staff make to a paid order that stopped, and how it ends. Until the vendor has the details, a change is made and
 * audited with the values before it; after that, Desk explains why not and changes nothing.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prefixPattern as prefixPatternOfForms } from "#app/forms/prefix-pattern.ts";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { findVendorIds } from "#db/catalogue/vendor-catalogue.ts";
import { newId, type OrderId } from "#db/ids.ts";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import { prefixPattern } from "#server/catalogue/families/microsoft/domain.ts";
import { families } from "#server/catalogue/families/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { beginChange, payChange } from "#tests/support/changes.ts";
import {
  type Customer,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { type HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import { googlePlan, type OpenPayment, plan } from "#tests/support/journey.ts";
import { readOrder, signedIn } from "#tests/support/orders.ts";
import {
  answerSignInGoogle,
  answerSignInNewTenant,
  freshPrefix,
  paidOrder,
} from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { googleCalls } from "../../faults/google-calls.ts";
import { microsoftCalls } from "../../faults/microsoft-calls.ts";

const { stack, context, controls, provider } = await startStore();
const { db } = context;
const { faultAt } = microsoftCalls;

let admin: TestStaff;
let desk: HttpBrowser;
beforeAll(async () => {
  admin = await makeStaff(context, "admin");
  desk = await staffBrowser(context, stack.url, admin);
});
beforeEach(() => provider.faults());

type Fault = Parameters<typeof provider.faults>[0];

const said = ({ text }: TestResponse) => mainContentOf(text);
const refusedFor = (code: string) => ({ status: 400, code, times: 1 });

/** Creates an order for a new tenant that its vendor has refused. */
async function stopped(
  fault: Fault,
  prefix = freshPrefix("amend"),
): Promise<OpenPayment & { prefix: string }> {
  const order = await paidOrder(stack);
  await answerSignInNewTenant(order, { prefix });
  await provider.faults(fault);
  await fulfilOrder(context, order.id);
  expect((await readOrder(db, order.id)).fulfilment_status).toBe("needs_attention");
  return { ...order, prefix };
}

/** Stops an order at its first step, so that the vendor does not know it. */
const stoppedAtFirst = (code = "600002") => stopped(faultAt("make customer", "refuse", refusedFor(code)));
/** Stops an order after its tenant was created. */
const stoppedAtCheckout = () => stopped(faultAt("check out", "refuse", { status: 400, code: "899999" }));

const auditOf = (id: OrderId, action: string) =>
  db
    .selectFrom("audit_log")
    .select(["data", "staff_id"])
    .where("subject", "=", `order:${id}`)
    .where("action", "=", action)
    .execute();

async function retry(id: OrderId): Promise<void> {
  const answer = await desk.post(paths.deskActionForm("order.retry", id), { reason: "It is right now" });
  expect(answer.location).toBe(paths.deskOrder(id));
  await fulfilOrder(context, id);
  expect((await readOrder(db, id)).fulfilment_status).toBe("done");
}

const address = {
  addressLine1: "7 Residency Road",
  addressLine2: "Ashok Nagar",
  city: "Mysuru",
  pincode: "570001",
  organisationRegistrationNumber: "AABCB1234C",
  reason: "Told by telephone",
};
const contact = {
  firstName: "Ravi",
  lastName: "Menon",
  email: "ravi@example.com",
  phoneCode: "+91",
  phoneNumber: "9812345678",
  reason: "Asha has left",
};

describe("the address", () => {
  test("changes on its form, is audited with the old value, and reaches the vendor", async () => {
    const { id, prefix } = await stoppedAtFirst();
    const path = paths.deskActionForm("order.address", id);
    expect(said(await desk.get(path))).toContain("221 100 Feet Road");
    expect((await desk.post(path, address)).location).toBe(paths.deskOrder(id));
    expect((await readOrder(db, id)).account).toMatchObject({
      addressLine1: "7 Residency Road",
      city: "Mysuru",
      pincode: "570001",
      state: "Karnataka",
    });
    expect(await auditOf(id, "order.address")).toEqual([
      {
        staff_id: admin.id,
        data: {
          reason: "Told by telephone",
          by: admin.email,
          before:
            "addressLine1: 221 100 Feet Road; addressLine2: Indiranagar; city: Bengaluru; pincode: 560038",
          after: "addressLine1: 7 Residency Road; addressLine2: Ashok Nagar; city: Mysuru; pincode: 570001",
        },
      },
    ]);
    await retry(id);
    const made = await provider.calls(
      ({ method, path: called, body }) =>
        method === "POST" && called.endsWith("/customers") && JSON.stringify(body).includes(prefix),
    );
    expect(JSON.stringify(made.at(-1)?.body)).toContain("7 Residency Road");
  });

  test("shows an error at a field that breaks the country's rules", async () => {
    const { id } = await stoppedAtFirst();
    const answer = await desk.post(paths.deskActionForm("order.address", id), { ...address, pincode: "12" });
    expect(answer.status).toBe(400);
    expect(said(answer)).toContain("Please enter a valid pincode");
    expect((await readOrder(db, id)).account).toMatchObject({ city: "Bengaluru" });
    expect(await auditOf(id, "order.address")).toEqual([]);
  });

  test("does not block a change of the contact when its old pincode is of another state", async () => {
    const { id } = await stoppedAtFirst();
    const { account } = await readOrder(db, id);
    const before = JSON.stringify({ ...Object(account), pincode: "400001" });
    await db.updateTable("orders").set({ account: before }).where("id", "=", id).execute();
    const moved = await desk.post(paths.deskActionForm("order.contact", id), contact);
    expect(moved.location).toBe(paths.deskOrder(id));
    expect((await readOrder(db, id)).account).toMatchObject({ firstName: "Ravi", pincode: "400001" });

    const form = paths.deskActionForm("order.address", id);
    const answer = await desk.post(form, { ...address, pincode: "400001" });
    expect([answer.status, said(answer)]).toEqual([
      400,
      expect.stringContaining("Pincode 400001 is in Maharashtra, not Karnataka."),
    ]);
    expect((await desk.post(form, { ...address, pincode: "570 001" })).location).toBe(paths.deskOrder(id));
    expect((await readOrder(db, id)).account).toMatchObject({ pincode: "570001" });
  });

  test("keeps its value once the vendor has it, and once the order is fulfilled", async () => {
    const { id } = await stoppedAtCheckout();
    const response = await desk.post(paths.deskActionForm("order.address", id), address);
    expect(response.status).toBe(409);
    expect(said(response)).toContain("Microsoft already has these details. Change them there.");
    expect(said(await desk.get(paths.deskOrder(id)))).not.toContain("Change the address");

    await provider.faults();
    await retry(id);
    expect(said(await desk.get(paths.deskActionForm("order.address", id)))).toContain(
      "This order is already fulfilled.",
    );
    expect((await readOrder(db, id)).account).toMatchObject({ city: "Bengaluru" });
    expect(await auditOf(id, "order.address")).toEqual([]);
  });

  test("keeps its value while the order is in progress", async () => {
    const order = await paidOrder(stack);
    await answerSignInNewTenant(order, { prefix: freshPrefix("amend") });
    await provider.faults(faultAt("make customer", "500", { times: 1 }));
    await fulfilOrder(context, order.id);
    const answer = await desk.post(paths.deskActionForm("order.address", order.id), address);
    expect(answer.status).toBe(409);
    expect(said(answer)).toContain("This order is in progress.");
  });
});

describe("the contact", () => {
  test("receives the order's mails from the change on", async () => {
    const { id } = await stoppedAtFirst("600051");
    const path = paths.deskActionForm("order.contact", id);
    const wrong = await desk.post(path, { ...contact, phoneNumber: "12" });
    expect(wrong.status).toBe(400);
    expect(said(wrong)).toContain("Enter the 10 digits of the number");
    expect((await desk.post(path, contact)).location).toBe(paths.deskOrder(id));
    expect(await auditOf(id, "order.contact")).toMatchObject([
      {
        data: {
          before: expect.stringContaining("firstName: Asha"),
          after: expect.stringContaining("firstName: Ravi"),
        },
      },
    ]);
    await retry(id);
    const mail = await db
      .selectFrom("mails")
      .select("recipient")
      .where("order_id", "=", id)
      .where("kind", "=", "order-confirmation")
      .executeTakeFirstOrThrow();
    expect(mail.recipient).toBe("ravi@example.com");
  });
});

describe("the name of a new account", () => {
  test("accepts a free name, under which the order is fulfilled", async () => {
    const { id, prefix } = await stoppedAtFirst("899999");
    const taken = freshPrefix("taken");
    await controls.plant({ customers: [{ domain: `${taken}.onmicrosoft.com` }] });
    const path = paths.deskActionForm("order.tenant-name", id);
    for (const [wrong, words] of [
      ["Not a name!", "Use up to 27 lower-case letters and digits"],
      [taken, "taken"],
    ] as const) {
      const answer = await desk.post(path, { prefix: wrong, reason: "test" });
      expect(answer.status).toBe(400);
      expect(said(answer)).toContain(words);
    }
    const other = freshPrefix("free");
    expect((await desk.post(path, { prefix: other, reason: "Agreed" })).location).toBe(paths.deskOrder(id));
    expect(await auditOf(id, "order.tenant-name")).toMatchObject([
      { data: { before: `owner, ${prefix}`, after: `owner, ${other}`, reason: "Agreed" } },
    ]);
    await retry(id);
    const { subscription_id: held } = await readOrder(db, id);
    if (held === null) throw new Error("Expected the order to have a subscription");
    expect((await readSubscription(db, held)).domain).toBe(`${other}.onmicrosoft.com`);
  });

  test("follows the same pattern in Desk and in the sign-in step", () => {
    expect(prefixPattern).toEqual(prefixPatternOfForms);
  });

  test("does not change once the vendor has created it", async () => {
    const { id, prefix } = await stoppedAtCheckout();
    const answer = await desk.post(paths.deskActionForm("order.tenant-name", id), {
      prefix: freshPrefix("late"),
      reason: "test",
    });
    expect(answer.status).toBe(409);
    expect((await readOrder(db, id)).signin).toMatchObject({ prefix });
  });
});

describe("the sign-in", () => {
  test("changes until its user is created", async () => {
    const { id, prefix } = await stoppedAtCheckout();
    const path = paths.deskActionForm("order.username", id);
    const wrong = await desk.post(path, { username: "a b", reason: "test" });
    expect(wrong.status).toBe(400);
    expect((await desk.post(path, { username: "boss", reason: "Agreed" })).location).toBe(
      paths.deskOrder(id),
    );
    await provider.faults();
    await retry(id);
    const { partnerCenter } = await provider.state();
    const domain = `${prefix}.onmicrosoft.com`;
    expect(partnerCenter.users.map(({ userPrincipalName }) => userPrincipalName)).toContain(`boss@${domain}`);
    const shown = await db
      .selectFrom("credentials")
      .select("username")
      .where("order_id", "=", id)
      .where("purpose", "=", "sign-in")
      .executeTakeFirstOrThrow();
    expect(shown.username).toBe(`boss@${domain}`);
  });

  test("keeps the password that a buyer has chosen", async () => {
    const domain = `${freshPrefix("amend")}.com`;
    const order = await paidOrder(stack, googlePlan(domain));
    await answerSignInGoogle(order, "admin");
    await provider.faults(
      googleCalls.faultAt("make customer", "refuse", { status: 403, code: "PERMISSION_DENIED", times: 1 }),
    );
    await fulfilOrder(context, order.id);
    expect((await readOrder(db, order.id)).fulfilment_status).toBe("needs_attention");
    const path = paths.deskActionForm("order.username", order.id);
    expect((await desk.post(path, { username: "boss", reason: "Agreed" })).location).toBe(
      paths.deskOrder(order.id),
    );
    await retry(order.id);
    const { google } = await provider.state();
    expect(google.users).toContainEqual(
      expect.objectContaining({ primaryEmail: `boss@${domain}`, password: "Good$Pass1" }),
    );
  });
});

describe("another account", () => {
  async function withAccount(proven: boolean) {
    const order = await stoppedAtFirst("899999");
    const { customer_id: customerId, user_id: userId } = await readOrder(db, order.id);
    if (customerId === null || userId === null) throw new Error("Expected the order to have a buyer");
    const customer: Customer = { owner: { userId, email: order.email }, customerId, country: "IN" };
    const held = await createSubscriptionFor(db, customer, { item: "microsoft-365-business-standard" });
    await seedProviders(db, stack.sandboxUrl, customer);
    if (!proven) await db.deleteFrom("control_proofs").where("customer_id", "=", customerId).execute();
    return { order, held };
  }

  test("receives the order once the company has proven it", async () => {
    const { order, held } = await withAccount(true);
    const path = paths.deskActionForm("order.move", order.id);
    expect(said(await desk.get(path))).toContain(held.domain);
    const unproven = await desk.post(path, { tenant: held.tenantId ?? "", proof: "", reason: "test" });
    expect(unproven.status).toBe(400);
    const answer = await desk.post(path, {
      tenant: held.tenantId ?? "",
      proof: "Mail of 25 November",
      reason: "The buyer has an account",
    });
    expect(answer.location).toBe(paths.deskOrder(order.id));
    expect(await auditOf(order.id, "order.move")).toMatchObject([
      {
        data: {
          proof: "Mail of 25 November",
          before: `${order.prefix}.onmicrosoft.com`,
          after: held.domain,
        },
      },
    ]);
    await fulfilOrder(context, order.id);
    const row = await readOrder(db, order.id);
    expect(row).toMatchObject({ fulfilment_status: "done", tenant_id: held.tenantId });
    if (row.subscription_id === null) throw new Error("Expected the order to have a subscription");
    expect((await readSubscription(db, row.subscription_id)).domain).toBe(held.domain);
  });

  test("does not receive an order of another company, or without a proof", async () => {
    const { order, held } = await withAccount(false);
    const other = await createSubscriptionFor(db, await makeCustomer(db));
    const path = paths.deskActionForm("order.move", order.id);
    expect(said(await desk.get(path))).toContain("The company has no other verified account");
    for (const tenant of [held.tenantId, other.tenantId, newId()]) {
      const answer = await desk.post(path, { tenant: tenant ?? "", proof: "a mail", reason: "test" });
      expect(answer.status).toBe(409);
    }
    expect(await readOrder(db, order.id)).toMatchObject({
      fulfilment_status: "needs_attention",
      tenant_id: null,
    });
    expect(await auditOf(order.id, "order.move")).toEqual([]);
  });

  test("does not receive an order that has begun at the vendor", async () => {
    const { id } = await stoppedAtCheckout();
    expect(said(await desk.get(paths.deskActionForm("order.move", id)))).toContain(
      "Microsoft may already have processed it",
    );
  });
});

describe("marking an order fulfilled", () => {
  const accountIn = families.microsoft.vendor?.catalogue.accountIn(context.env, "IN") ?? "";

  async function idsOf(item: string) {
    if (!isItemId(item)) throw new Error(`Expected an item id, got ${item}`);
    const ids = await findVendorIds(db, { itemId: item, country: "IN", account: accountIn });
    if (ids === null) throw new Error(`Expected vendor ids of ${item}`);
    return ids;
  }

  /** Adds a subscription that someone bought in Microsoft's own console. */
  async function boughtThere(prefix: string, { item = plan.item, quantity = 2, status = "active" } = {}) {
    const id = newId();
    await controls.plant({
      subscriptions: [
        {
          customerId: tenantIdOf(`${prefix}.onmicrosoft.com`),
          id,
          ...(await idsOf(item)),
          quantity,
          termDuration: "P1Y",
          billingCycle: "annual",
          effectiveStartDate: new Date().toISOString(),
          commitmentEndDate: new Date(Date.now() + 365 * 86_400_000).toISOString(),
          status,
        },
      ],
    });
    return id;
  }

  test("requires a matching subscription at the vendor", async () => {
    const { id, prefix } = await stoppedAtCheckout();
    const path = paths.deskActionForm("order.mark-done", id);
    const refused = async (reference: string, words: string) => {
      const answer = await desk.post(path, { reference, reason: "Bought by hand" });
      expect(said(answer)).toContain(words);
      expect(answer.status).toBe(400);
      expect((await readOrder(db, id)).fulfilment_status).toBe("needs_attention");
    };
    await refused(newId(), "Microsoft has no subscription with that ID");
    await refused(await boughtThere(prefix, { quantity: 3 }), "It has 3 licenses there");
    await refused(
      await boughtThere(prefix, { item: "microsoft-365-business-standard" }),
      "That subscription is for a different product",
    );
    await refused(
      await boughtThere(prefix, { status: "suspended" }),
      "The subscription isn&#x27;t active at Microsoft",
    );
    const customer = await makeCustomer(db);
    await refused(
      (await createSubscriptionFor(db, customer)).externalId,
      "is already in the store for another order",
    );
    expect(await auditOf(id, "order.mark-done")).toEqual([]);

    const reference = await boughtThere(prefix);
    const answer = await desk.post(path, { reference, reason: "Bought by hand" });
    expect(answer.location).toBe(paths.deskOrder(id));
    const row = await readOrder(db, id);
    expect(row).toMatchObject({ fulfilment_status: "done", stage: "stage4" });
    if (row.subscription_id === null) throw new Error("Expected the order to have a subscription");
    expect(await readSubscription(db, row.subscription_id)).toMatchObject({
      external_id: reference,
      quantity: 2,
      domain: `${prefix}.onmicrosoft.com`,
    });
    expect(await auditOf(id, "order.mark-done")).toMatchObject([
      {
        staff_id: admin.id,
        data: {
          reference,
          reason: "Bought by hand",
          before: "needs attention",
          after: "done",
          seen: expect.stringContaining("active, 2 licenses"),
        },
      },
    ]);
    const mails = await db
      .selectFrom("mails")
      .select("id")
      .where("order_id", "=", id)
      .where("kind", "=", "order-confirmation")
      .execute();
    expect(mails).toHaveLength(1);
    expect(said(await desk.get(path))).toContain("This order hasn&#x27;t stopped.");
  });

  test("requires the new number of licences at the vendor for an ADD order", async () => {
    const customer = await makeCustomer(db);
    const held = await createSubscriptionFor(db, customer, { quantity: 10 });
    await seedProviders(db, stack.sandboxUrl, customer);
    const browser = await signedIn(context, stack.url, customer.owner);
    const more = await beginChange(browser, "more", held.id, 5);
    await payChange(browser, stack.sandboxUrl, more);
    await provider.faults(faultAt("change subscription", "refuse", { status: 400, code: "899999" }));
    await fulfilOrder(context, more.id);
    expect((await readOrder(db, more.id)).fulfilment_status).toBe("needs_attention");
    const path = paths.deskActionForm("order.mark-done", more.id);
    const form = { reference: held.externalId, reason: "Changed by hand" };
    expect(said(await desk.post(path, form))).toContain(
      "It has 10 licenses there, but the order should result in 15.",
    );
    expect(said(await desk.post(path, { ...form, reference: newId() }))).toContain(
      "a different subscription",
    );
    await provider.faults();
    await controls.console({ id: held.externalId, quantity: 15 });
    expect((await desk.post(path, form)).location).toBe(paths.deskOrder(more.id));
    expect((await readOrder(db, more.id)).fulfilment_status).toBe("done");
    expect(await readSubscription(db, held.id)).toMatchObject({ quantity: 15, changing_order_id: null });
  });
});

test("sends the sign-in link again as often as staff ask", async () => {
  const { id, email } = await paidOrder(stack);
  const path = paths.deskActionForm("order.send-link", id);
  for (let times = 0; times < 2; times += 1)
    expect((await desk.post(path, { reason: "The mail is lost" })).location).toBe(paths.deskOrder(id));
  const mails = await db
    .selectFrom("mails")
    .select("recipient")
    .where("order_id", "=", id)
    .where("kind", "=", "signin-reminder")
    .execute();
  expect(mails).toEqual([{ recipient: email }, { recipient: email }]);
  expect(await auditOf(id, "order.send-link")).toHaveLength(2);

  const done = await stoppedAtFirst();
  expect((await desk.post(paths.deskActionForm("order.send-link", done.id), { reason: "test" })).status).toBe(
    409,
  );
});
