/** Create Account over HTTP: who may order for a company, with which address, and concurrent requests for one account. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { AddressFields } from "#db/accounts/customers.ts";
import { newId, type OrderId, parseId } from "#db/ids.ts";
import { addAddress, listAddresses } from "#server/accounts/customers.ts";
import { ApiClient } from "#tests/support/api-client.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { accountForm, beginOrder, freshEmail, plan, toReview } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

const savedAddress = {
  gstCode: "29AABCB1234C1ZA",
  addressLine1: "1 Saved Street",
  addressLine2: "Indiranagar",
  city: "Bengaluru",
  state: "Karnataka",
  pincode: "560038",
  country: "IN",
  organisationRegistrationNumber: "AABCB1234C",
  email: "accounts@example.com",
  firstName: "Asha",
  lastName: "Rao",
  phone: "9876543210",
} satisfies AddressFields;

async function companyWithAddress(name: string, addressLine1 = savedAddress.addressLine1) {
  const owner = await makePerson(context.db);
  const customerId = await makeCompany(context.db, owner, name);
  const address = await context.db
    .transaction()
    .execute((trx) => addAddress(trx, customerId, { ...savedAddress, addressLine1 }));
  return { owner, customerId, address };
}

describe("an account created while ordering", () => {
  test("signs the buyer in, owns order and company, and gets a mail to set a password", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    const { db } = context;
    const user = await db
      .selectFrom("users")
      .selectAll()
      .where("email", "=", order.email)
      .executeTakeFirstOrThrow();
    expect(user).toMatchObject({ password_hash: null, email_verified_at: null, role: "CUSTOMER" });
    const row = await readOrder(db, order.id);
    expect(row).toMatchObject({ user_id: user.id, draft_key: null, stage: "stage2" });
    const members = await db.selectFrom("members").selectAll().where("user_id", "=", user.id).execute();
    expect(members).toMatchObject([{ customer_id: row.customer_id, role: "owner" }]);
    const mails = await db.selectFrom("mails").selectAll().where("user_id", "=", user.id).execute();
    // The mail is linked to its order, so the seller of the buyer's country signs it.
    expect(mails).toMatchObject([
      { kind: "set-password", recipient: order.email, order_id: order.id, data: {} },
    ]);
  });

  test("creates no second account, company or address when posted again", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    const counts = async () =>
      Promise.all(
        (["users", "customers", "members", "addresses", "mails"] as const).map((table) =>
          context.db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll<number>().as("n"))
            .executeTakeFirstOrThrow(),
        ),
      );
    const before = await counts();
    const answer = await buyer.post(`${order.path}/create-account`, accountForm(order.email));
    expect(answer.location).toBe(`${order.path}/place-order`);
    expect(await counts()).toEqual(before);
  });

  test.each([1, 2, 3, 4, 5])(
    "creates one account for two concurrent posts; the loser keeps its draft (%i)",
    async () => {
      const email = freshEmail();
      const racers = [new HttpBrowser(stack.url), new HttpBrowser(stack.url)];
      const drafts = await Promise.all(racers.map((racer) => beginOrder(racer)));
      const answers = await Promise.all(
        racers.map((racer, index) =>
          racer.post(`${drafts[index]?.path}/create-account`, {
            ...accountForm(email),
            city: `City ${index}`,
          }),
        ),
      );
      const users = await context.db.selectFrom("users").select("id").where("email", "=", email).execute();
      expect(users).toHaveLength(1);
      const orders = await Promise.all(drafts.map(({ id }) => readOrder(context.db, id)));
      const won = answers.findIndex(({ location }) => location?.endsWith("/place-order"));
      expect(won, JSON.stringify(answers.map(({ status, location }) => [status, location]))).not.toBe(-1);
      const lost = 1 - won;
      expect(orders[won]).toMatchObject({ user_id: users[0]?.id, stage: "stage2" });
      expect(orders[lost]).toMatchObject({ user_id: null, stage: "stage1" });
      expect(orders[lost]?.draft_key).not.toBeNull();
      expect(racers[won]?.hasCookie("session")).toBe(true);
      expect(racers[lost]?.hasCookie("session")).toBe(false);

      expect(answers[lost]).toMatchObject({
        status: 303,
        location: `${drafts[lost]?.path}/create-account?account=exists`,
      });
      expect(orders[lost]).toMatchObject({ details: { typed: { city: `City ${lost}` } } });
      const companies = await context.db
        .selectFrom("members")
        .selectAll()
        .where(
          "user_id",
          "in",
          users.map(({ id }) => id),
        )
        .execute();
      expect(companies).toHaveLength(1);
    },
  );

  test("matches an email regardless of case and spaces", async () => {
    const { email } = await toReview(new HttpBrowser(stack.url));
    const visitor = new HttpBrowser(stack.url);
    const draft = await beginOrder(visitor);
    const answer = await visitor.post(
      `${draft.path}/create-account`,
      accountForm(` ${email.toUpperCase()} `),
    );
    expect(answer.location).toBe(`${draft.path}/create-account?account=exists`);
  });
});

describe("a saved address", () => {
  test("replaces the posted address", async () => {
    const { owner, address } = await companyWithAddress("Saved Ltd");
    const buyer = await signedIn(context, stack.url, owner);
    const order = await beginOrder(buyer);
    await buyer.post(`${order.path}/create-account`, {
      intent: "choose-address",
      choice: `saved:${address.id}`,
    });
    const posted = {
      ...accountForm(owner.email),
      addressLine1: "9 Tampered Road",
      companyName: "Another Name",
    };
    const answer = await buyer.post(`${order.path}/create-account`, posted);
    expect(answer.location).toBe(`${order.path}/place-order`);
    expect(await readOrder(context.db, order.id)).toMatchObject({
      account: { addressLine1: "1 Saved Street", companyName: "Saved Ltd", gst_code: "29AABCB1234C1ZA" },
    });
  });

  test("refuses to be combined with one of another legal entity", async () => {
    const { owner, customerId, address } = await companyWithAddress("One Entity Ltd");
    const buyer = await signedIn(context, stack.url, owner);
    const order = await beginOrder(buyer);
    const ofAnother = {
      ...accountForm(owner.email),
      gst_code: "27AAPFU0939F1ZV",
      organisationRegistrationNumber: "27AAPFU0939F1ZV",
      state: "Maharashtra",
      pincode: "400020",
    };
    await buyer.post(`${order.path}/create-account`, { intent: "choose-address", choice: "manual" });
    const refused = await buyer.post(`${order.path}/create-account`, ofAnother);
    expect(refused.status).toBe(400);
    expect(wordsOf(refused.text)).toContain("its PAN is AAPFU0939F");
    expect((await readOrder(context.db, order.id))?.account).toBeNull();
    expect(await listAddresses(context.db, customerId)).toEqual([address]);
  });

  test.each(["of another company", "that does not exist"])(
    "%s: responds 404, reveals nothing and writes nothing",
    async (which) => {
      const { owner } = await companyWithAddress("Mine Ltd");
      const other = await companyWithAddress("Theirs Ltd", "2 Secret Street");
      const id = which === "of another company" ? other.address.id : newId();
      const buyer = await signedIn(context, stack.url, owner);
      const order = await beginOrder(buyer);
      await buyer.post(`${order.path}/create-account`, { intent: "choose-address", choice: `saved:${id}` });
      const page = await buyer.get(`${order.path}/create-account`);
      expect(page.text).not.toContain("2 Secret Street");

      const before = await digestDatabase(context.db);
      const answer = await buyer.post(`${order.path}/create-account`, accountForm(owner.email));
      expect(answer.status).toBe(404);
      expect(await digestDatabase(context.db)).toEqual(before);
    },
  );
});

describe("pasted values", () => {
  test.each([
    [{ phoneNumber: "+91 98220 12345" }, { phoneCode: "+91", phoneNumber: "9822012345" }],
    [{ phoneNumber: "09822012345" }, { phoneCode: "+91", phoneNumber: "9822012345" }],
    [{ phoneNumber: "+44 (0)20 7946 0958" }, { phoneCode: "+44", phoneNumber: "2079460958" }],
    [{ gst_code: "29 aabcb1234c-1za" }, { gst_code: "29AABCB1234C1ZA" }],
    [
      { organisationRegistrationNumber: "29-aabcb1234c 1za" },
      { organisationRegistrationNumber: "29AABCB1234C1ZA", gst_code: "29AABCB1234C1ZA" },
    ],
    [
      { organisationRegistrationNumber: "", gst_code: "29AABCB1234C1ZA" },
      { organisationRegistrationNumber: "29AABCB1234C1ZA", gst_code: "29AABCB1234C1ZA" },
    ],
    [{ state: "ka" }, { state: "Karnataka" }],
  ])("saves %j as %j, from the page and from the API", async (pasted, kept) => {
    const visitor = new HttpBrowser(stack.url);
    const { id } = await toReview(visitor, { account: pasted });
    expect(await readOrder(context.db, id)).toMatchObject({ account: kept });

    const { intent: _, ...account } = accountForm(freshEmail());
    const plan = { sku_id: "microsoft-365-business-basic", count: 1 };
    const call = await new ApiClient(stack.url).post("/create/order", { ...plan, ...account, ...pasted });
    const made = z.object({ id: z.string() }).parse(call.body);
    const order = await readOrder(context.db, parseId<OrderId>(made.id) ?? newId());
    expect(order).toMatchObject({ account: kept });
  });
});

describe("a viewer", () => {
  test("receives 403 for a new order for the company", async () => {
    const { customerId } = await companyWithAddress("Viewed Ltd");
    const viewer = await makePerson(context.db);
    await join(context.db, customerId, viewer, "viewer");
    const browser = await signedIn(context, stack.url, viewer);
    const before = await digestDatabase(context.db);
    const answer = await browser.post(`/order/${plan.family}/${plan.item}/IN`, {
      term: "P1Y",
      quantity: "1",
    });
    expect(answer.status).toBe(403);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("receives 403 for an order begun as a buyer", async () => {
    const { customerId } = await companyWithAddress("Viewed Ltd");
    const person = await makePerson(context.db);
    await join(context.db, customerId, person, "buyer");
    const browser = await signedIn(context, stack.url, person);
    const order = await beginOrder(browser);
    await join(context.db, customerId, person, "viewer");
    const before = await digestDatabase(context.db);
    const answer = await browser.post(`${order.path}/create-account`, accountForm(person.email));
    expect(answer.status).toBe(403);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("does not see the company's orders, unlike a buyer", async () => {
    const { owner, customerId } = await companyWithAddress("Shared Ltd");
    const order = await beginOrder(await signedIn(context, stack.url, owner));
    const [viewer, buyer] = [await makePerson(context.db), await makePerson(context.db)];
    await join(context.db, customerId, viewer, "viewer");
    await join(context.db, customerId, buyer, "buyer");
    const asViewer = await signedIn(context, stack.url, viewer);
    expect((await asViewer.get(`${order.path}/create-account`)).status).toBe(404);
    expect((await asViewer.get(`/get/stage?id=${order.id}`)).status).toBe(404);
    const asBuyer = await signedIn(context, stack.url, buyer);
    expect((await asBuyer.get(`${order.path}/create-account`)).status).toBe(200);
  });
});

describe("invalid account answers", () => {
  test.each([
    [{ state: "Texas" }, "Please enter a valid state"],
    [{ pincode: "0123" }, "Please enter a valid pincode"],
    [
      { organisationRegistrationNumber: "nonsense" },
      "Please enter a valid GST number or PAN. A PAN is 5 letters",
    ],
    [
      { organisationRegistrationNumber: "" },
      "Organisation Registration Number (GST or PAN) field is required.",
    ],
    [
      { gst_code: "29AABCB1234C1Z0" },
      "Please enter a valid GST number. One of the characters is mistyped: the last one doesn&#x27;t match the rest",
    ],
    [{ gst_code: "29AABCB1234C1Z" }, "A GST number has 15 characters; this one has 14."],
    [
      { gst_code: "27AAPFU0939F1ZV" },
      "This GST number is registered in Maharashtra. Choose that state, or check the number.",
    ],
    [{ companyName: "" }, "Company Name field is required."],
    [{ email: "not an email" }, "Please enter valid email"],
    [{ phoneNumber: "12345" }, "Please enter valid phone number"],
    // Once shortened to ten characters, which is nobody's number.
    [{ phoneNumber: "098220123456" }, "Please enter valid phone number"],
    [{ phoneNumber: "+971 50 123 4567" }, "Please enter valid phone number"],
    [{ addressLine2: "" }, "Address Line 2 field is required."],
  ])("(%j) returns 400 with the error at the field, and writes nothing", async (wrong, message) => {
    const visitor = new HttpBrowser(stack.url);
    const draft = await beginOrder(visitor);
    await visitor.post(`${draft.path}/create-account`, { intent: "choose-address", choice: "manual" });
    const before = await digestDatabase(context.db);
    const answer = await visitor.post(`${draft.path}/create-account`, {
      ...accountForm(freshEmail()),
      ...wrong,
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("returns all errors at once, on the page and from the API", async () => {
    const wrong = {
      firstName: "",
      email: "not an email",
      phoneNumber: "12345",
      addressLine2: "",
      pincode: "4110",
      state: "Narnia",
      organisationRegistrationNumber: "abc",
      gst_code: "29AABCB1234C1Z0",
    };
    const messages = {
      firstName: "First Name field is required.",
      email: "Please enter valid email",
      phoneNumber: "Please enter valid phone number",
      addressLine2: "Address Line 2 field is required.",
      pincode: "Please enter a valid pincode",
      state: "Please enter a valid state",
      organisationRegistrationNumber: expect.stringMatching(/^Please enter a valid GST number or PAN\. /),
      gst_code: expect.stringMatching(/^Please enter a valid GST number\. /),
    };
    const visitor = new HttpBrowser(stack.url);
    const draft = await beginOrder(visitor);
    await visitor.post(`${draft.path}/create-account`, { intent: "choose-address", choice: "manual" });
    const page = await visitor.post(`${draft.path}/create-account`, {
      ...accountForm(freshEmail()),
      ...wrong,
    });
    expect(page.status).toBe(400);
    const summary = /class="error-summary".*?<ul>(.*?)<\/ul>/s.exec(page.text)?.[1] ?? "";
    expect([...summary.matchAll(/href="#account-(\w+)"/g)].map(([, name]) => name).sort()).toEqual(
      Object.keys(messages).sort(),
    );

    const { intent: _, ...account } = accountForm(freshEmail());
    const client = new ApiClient(stack.url);
    const plan = { sku_id: "microsoft-365-business-basic", count: 1 };
    const call = await client.post("/create/order", { ...plan, ...account, ...wrong });
    expect(call).toMatchObject({ status: 400, body: { fields: messages } });
    expect(Object.keys(z.object({ fields: z.object({}).loose() }).parse(call.body).fields).sort()).toEqual(
      Object.keys(messages).sort(),
    );
  });

  test("does not change the order's country", async () => {
    const visitor = new HttpBrowser(stack.url);
    const draft = await beginOrder(visitor);
    const answer = await visitor.post(`${draft.path}/create-account`, {
      ...accountForm(freshEmail()),
      country: "US",
    });
    expect(answer.status).toBe(400);
    expect(await readOrder(context.db, draft.id)).toMatchObject({ country: "IN", stage: "stage1" });
  });
});
