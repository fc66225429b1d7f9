/**
 * Existing tenants of customers: linked with evidence, singly and by file, never another company's; and what the customer can do
 * with one afterwards through the store.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sandboxGoogleAccount } from "#sandbox/local/environment.ts";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import * as paths from "#server/foundation/paths.ts";
import { hasControlProof } from "#server/fulfilment/control-proof.ts";
import { beginChange, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import { runCommand } from "#tests/support/command.ts";
import { type Customer, makeCustomer } from "#tests/support/customer.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import {
  type HttpBrowser,
  hiddenFieldValue,
  mainContentOf,
  type TestResponse,
} from "#tests/support/http-browser.ts";
import { signedIn } from "#tests/support/orders.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;

let staff: TestStaff;
let desk: HttpBrowser;
beforeAll(async () => {
  staff = await makeStaff(context, "finance");
  desk = await staffBrowser(context, stack.url, staff);
});

const said = ({ text }: TestResponse) => mainContentOf(text);

/** Plants a Microsoft tenant that has accepted us, with ten yearly seats from another seller. @returns its domain */
async function microsoftTenant({ endsInDays = 100 } = {}): Promise<string> {
  const domain = `${freshPrefix("brought")}.onmicrosoft.com`;
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await controls.plant({
    customers: [{ domain }],
    subscriptions: [
      {
        id: randomUUID(),
        customerId: tenantIdOf(domain),
        productId: "CFQ7TTC0LDPB",
        skuId: "0001",
        quantity: 10,
        termDuration: "P1Y",
        billingCycle: "annual",
        effectiveStartDate: day(endsInDays - 365),
        commitmentEndDate: day(endsInDays),
      },
    ],
  });
  return domain;
}

/** Plants a customer that we had at Google before this store. */
async function googleCustomer(): Promise<{ name: string; domain: string }> {
  const domain = `${freshPrefix("brought")}.example`;
  const name = `accounts/${sandboxGoogleAccount}/customers/B${randomUUID().slice(0, 8)}`;
  await controls.plant({ google: { customers: [{ name, domain, orgDisplayName: "Acme Tools" }] } });
  return { name, domain };
}

const form = (changes: Record<string, string>) => ({
  family: "microsoft",
  tenant: "",
  reference: "C-2026-17",
  reason: "Reseller contract of 2024, seen on paper",
  ...changes,
});
const bind = ({ customerId }: Customer, changes: Record<string, string>) =>
  desk.post(paths.deskActionForm("customer.bind-tenant", customerId), form(changes));

const tenantsOf = ({ customerId }: Customer) =>
  db
    .selectFrom("tenants")
    .select(["family", "external_id", "domain"])
    .where("customer_id", "=", customerId)
    .execute();
const proofsOf = ({ customerId }: Customer) =>
  db.selectFrom("control_proofs").selectAll().where("customer_id", "=", customerId).execute();
const entriesOf = ({ customerId }: Customer) =>
  db
    .selectFrom("audit_log")
    .select(["action", "data", "staff_id"])
    .where("subject", "=", `customer:${customerId}`)
    .where("action", "=", "control.prove")
    .execute();

describe("a single tenant", () => {
  test("becomes the company's, with a proof by staff that is valid for a year", async () => {
    const customer = await makeCustomer(db);
    const domain = await microsoftTenant();
    const answer = await bind(customer, { domain: ` ${domain.toUpperCase()} ` });
    expect(answer.location).toBe(paths.deskCustomer(customer.customerId));
    const externalId = tenantIdOf(domain);
    expect(await tenantsOf(customer)).toEqual([{ family: "microsoft", external_id: externalId, domain }]);
    const [proof] = await proofsOf(customer);
    expect(proof).toMatchObject({
      method: "staff",
      evidence: "Reseller contract of 2024, seen on paper",
      reference: "C-2026-17",
      bound_by: staff.email,
    });
    const claim = {
      customerId: customer.customerId,
      family: "microsoft",
      tenantExternalId: externalId,
    } as const;
    const inMonths = (months: number) => new Date(new Date().setUTCMonth(new Date().getUTCMonth() + months));
    expect(await hasControlProof(db, claim, inMonths(11))).toBe(true);
    expect(await hasControlProof(db, claim, inMonths(13))).toBe(false);
    expect(await entriesOf(customer)).toMatchObject([
      {
        data: { reason: "Reseller contract of 2024, seen on paper", by: staff.email, tenant: externalId },
        staff_id: staff.id,
      },
    ]);
    const page = said(await desk.get(paths.deskCustomer(customer.customerId)));
    expect(page).toContain("linked by staff");
    expect(page).toContain(`by ${staff.email}: Reseller contract of 2024, seen on paper (C-2026-17)`);
  });

  test("lets its customer add licences and renew, based on the vendor's data", async () => {
    const customer = await makeCustomer(db);
    const domain = await microsoftTenant({ endsInDays: 20 });
    await bind(customer, { domain });
    const held = () =>
      db
        .selectFrom("subscriptions")
        .select(["id", "quantity"])
        .where("customer_id", "=", customer.customerId)
        .execute();
    await until("its subscriptions are imported", async () => (await held()).length === 1);
    const [subscription] = await held();
    if (subscription === undefined) throw new Error("Expected an imported subscription");
    expect(subscription.quantity).toBe(10);

    const browser = await signedIn(context, stack.url, customer.owner);
    expect(said(await browser.get(paths.subscriptions()))).toContain(domain);
    const more = await beginChange(browser, "more", subscription.id, 2);
    await payChange(browser, stack.sandboxUrl, more);
    expect(await outcomeOfChange(context, more)).toBe("done");
    const renewal = await beginChange(browser, "renew", subscription.id, 12);
    await payChange(browser, stack.sandboxUrl, renewal);
    expect(await outcomeOfChange(context, renewal)).toBe("done");
    expect((await held())[0]?.quantity).toBe(12);
  });

  test("links an existing Google customer by domain", async () => {
    const customer = await makeCustomer(db);
    const { name, domain } = await googleCustomer();
    expect((await bind(customer, { family: "google", domain })).location).toBe(
      paths.deskCustomer(customer.customerId),
    );
    expect(await tenantsOf(customer)).toEqual([{ family: "google", external_id: name, domain }]);
  });

  test.each([
    ["a missing domain", { domain: "" }, "Enter a domain."],
    ["an incomplete domain", { domain: "acme" }, "Enter a full domain"],
    ["missing evidence", { reason: "" }, "Enter a reason."],
    ["a missing reference", { reference: "" }, "Enter a reference."],
    ["an unknown vendor", { family: "apple" }, "Choose a vendor."],
    ["a vendor without tenants", { family: "brio" }, "brio has no tenants"],
    ["a tenant that does not match the domain", { tenant: randomUUID() }, "belongs to a different tenant"],
    [
      "a domain that Google does not know",
      { family: "google", domain: "nobody-here.example" },
      "Google has no customer of ours",
    ],
    ["another reseller's customer", { family: "google", domain: "transfer-it.example" }, "another reseller"],
  ])("refuses %s, and links nothing", async (_what, changes, words) => {
    const customer = await makeCustomer(db);
    const answer = await bind(customer, { domain: await microsoftTenant(), ...changes });
    expect(answer.status).toBe(400);
    expect(said(answer)).toContain(words);
    expect(await tenantsOf(customer)).toEqual([]);
    expect(await proofsOf(customer)).toEqual([]);
    expect(await entriesOf(customer)).toEqual([]);
  });

  test("refuses a tenant that has not accepted us", async () => {
    const customer = await makeCustomer(db);
    const answer = await bind(customer, { domain: `${freshPrefix("stranger")}.onmicrosoft.com` });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await tenantsOf(customer)).toEqual([]);
  });

  test("refuses a tenant that another company holds or has proven", async () => {
    const holder = await makeCustomer(db);
    const domain = await microsoftTenant();
    await bind(holder, { domain });
    const taker = await makeCustomer(db);
    const refused = async () => {
      const answer = await bind(taker, { domain });
      expect(answer.status).toBe(409);
      expect(said(answer)).toContain("It already belongs to another company here");
      expect(await tenantsOf(taker)).toEqual([]);
      expect(await proofsOf(taker)).toEqual([]);
    };
    await refused();
    const taken = db.selectFrom("subscriptions").select("id").where("customer_id", "=", holder.customerId);
    // Otherwise the sync of the linked tenant might write between the two deletions.
    await until("its subscriptions are imported", async () => (await taken.execute()).length === 1);
    await db.deleteFrom("subscriptions").where("customer_id", "=", holder.customerId).execute();
    await db.deleteFrom("tenants").where("customer_id", "=", holder.customerId).execute();
    await refused();
  });

  test("reports an existing link, and links again after its proof has expired", async () => {
    const customer = await makeCustomer(db);
    const domain = await microsoftTenant();
    await bind(customer, { domain });
    const again = await bind(customer, { domain });
    expect(again.status).toBe(409);
    expect(said(again)).toContain("Already linked to this company.");
    await db
      .updateTable("control_proofs")
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where("customer_id", "=", customer.customerId)
      .execute();
    expect((await bind(customer, { domain })).status).toBe(303);
    expect(await tenantsOf(customer)).toHaveLength(1);
    expect(await proofsOf(customer)).toHaveLength(2);
  });

  test("refuses a company without an owner with a confirmed mailbox", async () => {
    const customer = await makeCustomer(db);
    await db
      .updateTable("users")
      .set({ email_verified_at: null })
      .where("id", "=", customer.owner.userId)
      .execute();
    const answer = await bind(customer, { domain: await microsoftTenant() });
    expect(said(answer)).toContain("has confirmed their email yet");
    expect(await tenantsOf(customer)).toEqual([]);
  });

  test("gives a tenant to one of two companies linked concurrently", async () => {
    const [one, two] = [await makeCustomer(db), await makeCustomer(db)];
    const domain = await microsoftTenant();
    const answers = await Promise.all([bind(one, { domain }), bind(two, { domain })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect([...(await tenantsOf(one)), ...(await tenantsOf(two))]).toHaveLength(1);
  });
});

describe("a file of tenants", () => {
  const titles = "company,vendor,domain,tenant,evidence,reference";
  const compare = (file: string) => desk.post(paths.deskTenantImport(), { intent: "compare", file });
  const apply = (file: string, changes: Record<string, string>) =>
    desk.post(paths.deskTenantImport(), {
      intent: "apply",
      file,
      reason: "Moved from the old system",
      ...changes,
    });

  /** Returns a file with a line of each kind, and its companies. */
  async function mixed() {
    const [one, two, other] = [await makeCustomer(db), await makeCustomer(db), await makeCustomer(db)];
    const [fresh, known, others] = [
      await microsoftTenant(),
      await microsoftTenant(),
      await microsoftTenant(),
    ];
    const google = await googleCustomer();
    await bind(one, { domain: known });
    await bind(other, { domain: others });
    const lines = [
      `${one.customerId},microsoft,${fresh},${tenantIdOf(fresh)},"Contract, page 3",C-1`,
      `${two.owner.email},Google,${google.domain},,Contract,C-2`,
      `${one.customerId},Microsoft 365,${known},,Contract,C-3`,
      `${one.customerId},microsoft,${others},,Contract,C-4`,
      `${two.customerId},microsoft,not a domain,,Contract,C-5`,
      `${two.customerId},microsoft,${fresh},,Contract,C-6`,
      `nobody@example.com,microsoft,${fresh},,Contract,C-7`,
      `${two.customerId},apple,${fresh},,Contract,C-8`,
      `${two.customerId},microsoft,${fresh},,,C-9`,
    ];
    return { one, two, fresh, google, file: [titles, ...lines].join("\r\n") };
  }

  test("shows a comparison per line, and writes nothing before confirmation", async () => {
    const { one, two, fresh, google, file } = await mixed();
    const answer = await compare(file);
    expect(answer.status).toBe(200);
    const text = said(answer);
    expect(text).toContain("2 new, 1 already there, 1 of another company, 5 invalid.");
    const outcomes = [...text.matchAll(/<tr><th scope="row">(\d+)<\/th>(.*?)<\/tr>/gs)].map(
      ([, line, rest = ""]) => [
        line,
        />(New|Already there|Rejected: belongs to another company|Invalid)</
          .exec(rest)?.[1]
          ?.replace("&#x27;", "'"),
      ],
    );
    expect(outcomes).toEqual([
      ["2", "New"],
      ["3", "New"],
      ["4", "Already there"],
      ["5", "Rejected: belongs to another company"],
      ["6", "Invalid"],
      ["7", "Invalid"],
      ["8", "Invalid"],
      ["9", "Invalid"],
      ["10", "Invalid"],
    ]);
    for (const why of [
      "Duplicate of line 2.",
      "No company matches &quot;nobody@example.com&quot;.",
      "Unknown vendor &quot;apple&quot;.",
      "The evidence is missing.",
    ])
      expect(text).toContain(why);
    expect(await tenantsOf(one)).toHaveLength(1);
    expect(await tenantsOf(two)).toEqual([]);

    const applied = await apply(file, { digest: hiddenFieldValue(answer.text, "digest") });
    expect(applied.location).toBe(paths.deskTenantImport());
    expect((await tenantsOf(one)).map(({ domain }) => domain)).toContain(fresh);
    expect(await tenantsOf(two)).toEqual([
      { family: "google", external_id: google.name, domain: google.domain },
    ]);
    expect(await proofsOf(two)).toMatchObject([
      { method: "staff", evidence: "Contract", reference: "C-2", bound_by: staff.email },
    ]);
    const [entry] = await db
      .selectFrom("audit_log")
      .select(["data", "staff_id"])
      .where("action", "=", "tenants.import")
      .orderBy("id", "desc")
      .execute();
    expect(entry).toEqual({
      data: { reason: "Moved from the old system", by: staff.email, bound: 2, refused: 7 },
      staff_id: staff.id,
    });
    // Compared again, nothing in it is new.
    expect(said(await compare(file))).toContain("0 new, 3 already there");
  });

  test("requires an unchanged result, a reason and, after ten minutes, a code", async () => {
    const customer = await makeCustomer(db);
    const line = (domain: string) => `${titles}\n${customer.customerId},microsoft,${domain},,Contract,C-1`;
    const file = line(await microsoftTenant());
    const digest = hiddenFieldValue((await compare(file)).text, "digest");
    const other = await apply(line(await microsoftTenant()), { digest });
    expect(other.status).toBe(409);
    expect(said(other)).toContain("The result has changed since you compared the file");
    const silent = await apply(file, { digest, reason: "" });
    expect(silent.status).toBe(400);
    expect(said(silent)).toContain("Enter a reason.");
    const ago = new Date(Date.now() - 11 * 60_000);
    await db
      .updateTable("staff_sessions")
      .set({ verified_at: ago })
      .where("staff_id", "=", staff.id)
      .execute();
    const unproven = await apply(file, { digest, code: "000000" });
    expect(unproven.status).toBeGreaterThanOrEqual(400);
    // The form keeps the entered values for the next try.
    expect(unproven.text).toContain("Moved from the old system");
    expect(hiddenFieldValue(unproven.text, "digest")).toBe(digest);
    expect(await tenantsOf(customer)).toEqual([]);
    await db
      .updateTable("staff_sessions")
      .set({ verified_at: new Date() })
      .where("staff_id", "=", staff.id)
      .execute();
  });

  test.each([
    ["an empty file", "", "Paste the file."],
    ["only a header row", titles, "The file has only a header row"],
    [
      "a different header row",
      "name,domain\nacme,acme.com",
      "The header row is missing: company, vendor, evidence, reference",
    ],
    [
      "too many lines",
      [titles, ...Array.from({ length: 201 }, () => "a,b,c,,d,e")].join("\n"),
      "Use up to 200 lines per file",
    ],
  ])("refuses %s at the field", async (_what, file, words) => {
    const answer = await compare(file);
    expect(answer.status).toBe(400);
    expect(said(answer)).toContain(words);
  });

  test("links nothing when a vendor does not answer", async () => {
    const customer = await makeCustomer(db);
    const file = `${titles}\n${customer.customerId},microsoft,${await microsoftTenant()},,Contract,C-1`;
    await controls.faults({ match: { path: "openid-configuration" }, kind: "reset" });
    const answer = await compare(file);
    await controls.faults();
    expect(answer.status).toBe(503);
    expect(await tenantsOf(customer)).toEqual([]);
  });
});

describe("a subscription without a tenant", () => {
  const bring = ({ customerId }: Customer, changes: Record<string, string> = {}) =>
    desk.post(paths.deskActionForm("customer.bring-subscription", customerId), {
      plan: "brio-desk",
      seats: "7",
      term: "P1Y",
      endsOn: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
      domain: "Acme.Example",
      reference: "INV-881",
      reason: "The last invoice of the old system",
      ...changes,
    });
  const heldBy = ({ customerId }: Customer) =>
    db
      .selectFrom("subscriptions")
      .select(["id", "family", "quantity", "domain", "tenant_id", "order_id"])
      .where("customer_id", "=", customerId)
      .execute();

  test("records it with evidence; its customer can extend and renew it", async () => {
    const customer = await makeCustomer(db);
    expect((await bring(customer)).location).toBe(paths.deskCustomer(customer.customerId));
    const [held] = await heldBy(customer);
    expect(held).toMatchObject({
      family: "brio",
      quantity: 7,
      domain: "acme.example",
      tenant_id: null,
      order_id: null,
    });
    if (held === undefined) throw new Error("Expected an imported subscription");
    const [entry] = await db
      .selectFrom("audit_log")
      .select(["data", "staff_id"])
      .where("action", "=", "customer.bring-subscription")
      .where("subject", "=", `customer:${customer.customerId}`)
      .execute();
    expect(entry).toMatchObject({
      data: {
        reason: "The last invoice of the old system",
        reference: "INV-881",
        subscription: held.id,
        seats: 7,
      },
      staff_id: staff.id,
    });
    const browser = await signedIn(context, stack.url, customer.owner);
    for (const [change, quantity] of [
      ["more", 2],
      ["renew", 9],
    ] as const) {
      const order = await beginChange(browser, change, held.id, quantity);
      await payChange(browser, stack.sandboxUrl, order);
      expect(await outcomeOfChange(context, order), change).toBe("done");
    }
    expect((await heldBy(customer))[0]?.quantity).toBe(9);
    // The same import again is a conflict.
    const again = await bring(customer);
    expect(again.status).toBe(409);
    expect(await heldBy(customer)).toHaveLength(1);
  });

  test.each([
    ["a plan of a vendor", { plan: "microsoft-365-business-basic" }, "Choose a plan."],
    ["zero licenses", { seats: "0" }, "Enter a number from 1."],
    ["more licenses than the plan allows", { seats: "301" }, "up to 300 licenses"],
    ["an end beyond the term", { endsOn: "2099-01-01" }, "Enter the date the current term ends"],
    ["an end long ago", { endsOn: "2020-01-01" }, "Enter the date the current term ends"],
    ["an invalid date", { endsOn: "2027-13-45" }, "Enter a date such as"],
    ["a missing reference", { reference: "" }, "Enter a reference."],
  ])("refuses %s, and writes nothing", async (_what, changes, words) => {
    const customer = await makeCustomer(db);
    const answer = await bring(customer, changes);
    expect(answer.status).toBe(400);
    expect(said(answer)).toContain(words);
    expect(await heldBy(customer)).toEqual([]);
  });
});

test("prints the same with the command, and links tenants unless it is a dry run", {
  tags: ["full"],
}, async () => {
  const customer = await makeCustomer(db);
  const taken = await microsoftTenant();
  await bind(await makeCustomer(db), { domain: taken });
  const domain = await microsoftTenant();
  const folder = await mkdtemp(path.join(tmpdir(), "tenants-"));
  const file = path.join(folder, "tenants.csv");
  const line = (of: string, reference: string) =>
    `${customer.customerId},microsoft,${of},,Contract,${reference}`;
  await writeFile(
    file,
    ["company,vendor,domain,tenant,evidence,reference", line(domain, "C-1"), line(taken, "C-2")].join("\n"),
  );
  const dry = await runCommand(stack, "tenants", "import", file, "--dry-run");
  expect(dry.how).toBe("code 2");
  expect(dry.said).toContain(`Line 2: new. ${customer.customerId}, microsoft, ${domain}.`);
  expect(dry.said).toContain("Line 3: elsewhere.");
  expect(dry.said).toContain("Dry run: nothing was saved.");
  expect(await tenantsOf(customer)).toEqual([]);
  const wet = await runCommand(stack, "tenants", "import", file);
  expect(wet.said).toContain("1 tenant is linked.");
  expect(await tenantsOf(customer)).toMatchObject([{ domain }]);
  expect((await runCommand(stack, "tenants", "import")).how).toBe("code 1");
});
