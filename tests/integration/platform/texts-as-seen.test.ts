/** Texts stored before normalisation: a migration rewrites them, and lists new duplicates instead of merging them. */
import { hash } from "@node-rs/argon2";
import { Kysely, PostgresDialect, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { findCustomers } from "#db/desk/customer-search.ts";
import { newId, type UserId } from "#db/ids.ts";
import { logIn } from "#server/accounts/login.ts";
import { singleLine } from "#server/foundation/single-line.ts";
import { makeCustomer } from "#tests/support/customer.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { up } from "../../../migrations/2026-11-29T62-texts-as-seen.ts";
import { up as upEmails } from "../../../migrations/2026-11-30T11-emails-as-seen.ts";
import { up as upQuoteRequests } from "../../../migrations/2026-11-30T12-quote-requests-as-seen.ts";

const { db, pool } = await createTestDatabase();
const secrets: [string] = ["a-secret-for-tests-of-32-characters"];

/** Stores a user as an older version may have. */
async function storeUser(email: string, lastName = "Rao"): Promise<UserId> {
  const id = newId<UserId>();
  await sql`
    insert into users (id, email, first_name, last_name, phone, password_hash)
    values (${id}, ${email}, 'Asha', ${lastName}, '9876543210', ${await hash("right-password")})`.execute(db);
  return id;
}

const nameOf = async (id: string) =>
  (await sql<{ name: string }>`select name from customers where id = ${id}`.execute(db)).rows[0]?.name;
const emailOf = async (id: string) =>
  (await sql<{ email: string }>`select email from users where id = ${id}`.execute(db)).rows[0]?.email;

/** Runs the migrations as on a database without them. */
async function migrateTexts() {
  await sql`drop table spelling_collisions`.execute(db);
  const migrated = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await up(migrated);
  await upEmails(migrated);
  await upQuoteRequests(migrated);
  const { rows } = await sql<{
    kind: string;
    row_id: string;
    other_id: string;
  }>`select kind, row_id, other_id from spelling_collisions`.execute(db);
  return rows;
}

describe("a text stored earlier", () => {
  const names = [
    ["Sahyadri  Traders", "Sahyadri Traders"],
    ["Cafe\u0301 Madras", "Caf\u00e9 Madras"],
    ["\u0958लम हाउस", "\u0915\u093cलम हाउस"],
    ["Pune\tWorks\r\n", "Pune Works"],
    ["Zero\u200bWidth", "Zero Width"],
    ["क\u094d\u200dष ट्रेडर्स", "क\u094d\u200dष ट्रेडर्स"],
    ["Bell\u0007 Ltd", "Bell Ltd"],
    ["हिमालय ऑफिस", "हिमालय ऑफिस"],
  ] as const;
  const ids: string[] = [];

  beforeAll(async () => {
    for (const [before] of names) {
      const { customerId } = await makeCustomer(db);
      await db.updateTable("customers").set({ name: before }).where("id", "=", customerId).execute();
      ids.push(customerId);
    }
    await migrateTexts();
  });

  test.each(names.map(([before, after], index) => [index, before, after] as const))(
    "%i: normalises %j",
    async (index, _before, after) => {
      expect(await nameOf(ids[index] ?? "")).toBe(after);
      if (!after.includes("Bell")) expect(after).toBe(singleLine(after));
      const found = await findCustomers(db, {
        search: after.toLowerCase(),
        number: null,
        after: null,
        limit: 50,
      });
      expect(found.rows.map(({ id }) => id)).toContain(ids[index]);
    },
  );
});

describe("a placeholder stored earlier", () => {
  test.each(["-", ".", "..", "NA", "N/A", "none", "nil", "n.a."])("removes %j", async (nothing) => {
    const id = await storeUser(`one-name-${crypto.randomUUID()}@example.com`, nothing);
    await migrateTexts();
    const { rows } = await sql<{ last_name: string }>`select last_name from users where id = ${id}`.execute(
      db,
    );
    expect(rows).toEqual([{ last_name: "" }]);
  });

  test.each(["O", "K.", "Na", "D'Souza", "Şahin-Østby"])("keeps %j, which is a name", async (name) => {
    const id = await storeUser(`named-${crypto.randomUUID()}@example.com`, name);
    await migrateTexts();
    const { rows } = await sql<{ last_name: string }>`select last_name from users where id = ${id}`.execute(
      db,
    );
    expect(rows).toEqual([{ last_name: name.normalize("NFC") }]);
  });
});

describe("emails that become equal", () => {
  test.each([
    [" asha-1@example.com", "asha-1@example.com"],
    ["asha-2@example.com\u200b", "asha-2@example.com"],
    ["Asha-3@Example.com\u00a0", "asha-3@example.com"],
    ["asha-4@example.com\t", "ASHA-4@example.com"],
    ["\ufeffasha-5@example.com", "asha-5@example.com"],
  ])("lists %j and %j without merging them", async (old, present) => {
    const [first, second] = [await storeUser(old), await storeUser(present)];
    const listed = await migrateTexts();
    expect(listed).toContainEqual({ kind: "email", row_id: first, other_id: second });
    expect(await emailOf(first)).toBe(old);
    const { user } = await logIn(db, secrets, { email: present, password: "right-password" }, "10.9.9.9");
    expect(user.userId).toBe(second);
  });

  test.each([" asha-6@example.com", "asha-7@example.com\u200b", "Asha-8@Example.com \t"])(
    "signs in a user whose email has no duplicate: %j",
    async (old) => {
      const id = await storeUser(old);
      expect(await migrateTexts()).not.toContainEqual(expect.objectContaining({ row_id: id }));
      const { user } = await logIn(
        db,
        secrets,
        { email: singleLine(old), password: "right-password" },
        "10.9.9.8",
      );
      expect(user.userId).toBe(id);
    },
  );
});

test("lists companies and GSTINs that become equal", async () => {
  const [one, other] = [await makeCustomer(db), await makeCustomer(db)];
  await db.updateTable("customers").set({ name: "Twin  Works" }).where("id", "=", one.customerId).execute();
  await db.updateTable("customers").set({ name: "Twin Works" }).where("id", "=", other.customerId).execute();
  const gstin = "29AABCB1234C1ZA";
  for (const [id, code] of [
    [one.customerId, "29 aabcb1234c 1za"],
    [other.customerId, gstin],
  ] as const)
    await sql`
      insert into addresses (id, customer_id, gst_code, add1, add2, city, state, pincode, country,
        organisation_registration_number, email, first_name, last_name, phone)
      values (gen_random_uuid(), ${id}, ${code}, '1 Main Road', '-', 'Bengaluru', 'Karnataka', '560038', 'IN',
        '', 'a@example.com', 'Asha', 'NA', '9876543210')`.execute(db);
  const listed = await migrateTexts();
  for (const kind of ["company-name", "gstin"])
    expect(listed).toContainEqual({ kind, row_id: one.customerId, other_id: other.customerId });
  const { rows } = await sql`
    select gst_code, add2, last_name from addresses where customer_id = ${one.customerId} and add1 = '1 Main Road'`.execute(
    db,
  );
  expect(rows).toEqual([{ gst_code: gstin, add2: "Bengaluru", last_name: "" }]);
});

describe.each([
  ["billing_contacts", "billing-contact"],
  ["member_invites", "invitation"],
] as const)("an email of %s stored earlier", (table, kind) => {
  /** Inserts a row as an older version may have. @returns its id */
  async function store(customerId: string, email: string): Promise<string> {
    const own =
      table === "billing_contacts"
        ? { columns: sql`gets_invoices, gets_proformas`, values: sql`true, false` }
        : { columns: sql`role, expires_at`, values: sql`'buyer', now()` };
    const { rows } = await sql<{ id: string }>`
      insert into ${sql.table(table)} (id, customer_id, email, ${own.columns})
      values (gen_random_uuid(), ${customerId}, ${email}, ${own.values}) returning id`.execute(db);
    return rows[0]?.id ?? "";
  }
  const storedEmail = async (id: string) =>
    (await sql<{ email: string }>`select email from ${sql.table(table)} where id = ${id}`.execute(db)).rows[0]
      ?.email;

  test.each([
    [" books-1@example.com\t", "books-1@example.com"],
    ["books-2@example.com\u200b", "books-2@example.com"],
    ["jose\u0301@example.com", "jos\u00e9@example.com"],
    ["क\u094d\u200dष@example.com", "क\u094d\u200dष@example.com"],
  ])("normalises %j", async (before, after) => {
    const id = await store((await makeCustomer(db)).customerId, before);
    await migrateTexts();
    expect(await storedEmail(id)).toBe(after);
  });

  test("stays if the company has the same one, and lists both", async () => {
    const { customerId } = await makeCustomer(db);
    const [old, present] = [
      await store(customerId, "twin@example.com "),
      await store(customerId, "Twin@example.com"),
    ];
    const [first, second] = [
      await store(customerId, "pair@example.com\u200b"),
      await store(customerId, "pair@example.com "),
    ];
    const elsewhere = await store((await makeCustomer(db)).customerId, "twin@example.com\t");
    const listed = (await migrateTexts()).filter((each) => each.kind === kind);
    expect(listed).toContainEqual({ kind, row_id: old, other_id: present });
    expect(await storedEmail(old)).toBe("twin@example.com ");
    expect(await storedEmail(elsewhere)).toBe("twin@example.com");
    const pair = [await storedEmail(first), await storedEmail(second)];
    expect(pair.filter((email) => email === "pair@example.com")).toHaveLength(1);
    expect(listed.filter(({ row_id: id }) => id === first || id === second)).toHaveLength(1);
  });
});

test("rewrites an invitation that has ended next to an open one of the same email", async () => {
  const { customerId } = await makeCustomer(db);
  const emails = ["ended@example.com\u200b", "ended@example.com"];
  for (const [index, email] of emails.entries())
    await sql`
      insert into member_invites (id, customer_id, email, role, expires_at, withdrawn_at)
      values (gen_random_uuid(), ${customerId}, ${email}, 'buyer', now(), ${index === 0 ? new Date() : null})`.execute(
      db,
    );
  await migrateTexts();
  const { rows } = await sql<{ email: string }>`
    select distinct email from member_invites where customer_id = ${customerId}`.execute(db);
  expect(rows).toEqual([{ email: "ended@example.com" }]);
});

test("rewrites a quote request's email, also next to another with the same one", async () => {
  const emails = ["boss@example.com\u200b", "boss@example.com ", "boss@example.com"];
  const quoteId = crypto.randomUUID();
  await db.transaction().execute(async (trx) => {
    // The quote does not exist, since only the email matters here.
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const email of emails)
      await sql`
        insert into quote_requests (id, quote_id, kind, email, why, created_at)
        values (gen_random_uuid(), ${quoteId}, 'approve', ${email}, '', now())`.execute(trx);
  });
  await migrateTexts();
  const { rows } = await sql<{ email: string }>`
    select distinct email from quote_requests where quote_id = ${quoteId}`.execute(db);
  expect(rows).toEqual([{ email: "boss@example.com" }]);
});
