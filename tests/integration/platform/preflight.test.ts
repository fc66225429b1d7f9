/** `npm run preflight`: each check finds its problems and reports success; it changes nothing and prints no secret. */
import { createServer } from "node:http";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { createDb, createPool } from "#db/client.ts";
import { insertProviderEvent } from "#db/platform/provider-events.ts";
import { saveHeartbeats } from "#db/platform/workers.ts";
import { paymentProviderIds } from "#server/billing/payments/registry.ts";
import { processBounce } from "#server/mail/bounce.ts";
import { sendMail } from "#server/mail/send.ts";
import { brandCheck } from "#server/operations/preflight/settings.ts";
import { postfixReport } from "#tests/support/bounces.ts";
import { runCommand } from "#tests/support/command.ts";
import { makeStaff } from "#tests/support/desk.ts";
import { queueAnyMail } from "#tests/support/mails.ts";
import { makePerson } from "#tests/support/orders.ts";
import { postgresPrograms, startOwnPostgres } from "#tests/support/own-postgres.ts";
import { consentForStack } from "#tests/support/partner-consent.ts";
import { freePorts } from "#tests/support/ports.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
const domain = "example.com";

/** Few enough connections for PostgreSQL, regardless of other tests. */
const few = { DATABASE_POOL_SIZE: "1", WORKER_CONCURRENCY: "1" };

interface Looked {
  how: string;
  said: string;
  /** Messages by "status name", in the order of the report. */
  found: Record<string, string[]>;
}

async function look(
  args: readonly string[] = [],
  env: Record<string, string | undefined> = {},
): Promise<Looked> {
  const { how, said } = await runCommand({ env: { ...stack.env, ...few, ...env } }, "preflight", ...args);
  const found: Record<string, string[]> = {};
  for (const [, standing = "", name = "", what = ""] of said.matchAll(
    /^(right|missing|wrong|unknown) +([^:\n]+): (.*)$/gm,
  ))
    found[`${standing} ${name}`] = [...(found[`${standing} ${name}`] ?? []), what];
  return { how, said, found };
}

/** Settings of a live store, except for outside systems. */
const live = { MAIL_DKIM_SELECTOR: "mail" };

test("lists everything that is not set up", async () => {
  await db.deleteFrom("provider_secrets").execute();
  const { how, said, found } = await look();
  expect(how).toBe("code 1");
  expect(Object.keys(found)).toEqual([
    "wrong Secrets and mode",
    "wrong Addresses",
    "right Outgoing connections",
    "wrong Brand",
    "wrong Who sells",
    "wrong Letter of undertaking",
    "wrong Payment keys",
    "right Payment accounts",
    "missing Payment webhooks",
    "right Who bears Razorpay's fee",
    "missing Consents",
    "wrong Vendors' notices",
    "right Catalogue",
    "right Sign-ins",
    "missing Email DNS records",
    "right Mail server",
    "unknown Bounced emails",
    "right Migrations",
    "right Connections",
    "right Clocks",
    ...Object.keys(found).filter((key) => key.endsWith("Backups")),
    "missing Workers",
    "missing Staff",
  ]);
  expect(found["missing Consents"]).toHaveLength(2);
  // Cards in two countries; links and transfers in one.
  expect(found["missing Payment webhooks"]).toHaveLength(4);
  expect(found["missing Email DNS records"]).toHaveLength(3);
  expect(found["right Clocks"]).toHaveLength(2);
  expect(said).toMatch(/npm run consent -- IN/);
  expect(said).toMatch(/^\d+ missing, \d+ wrong, \d+ unknown, \d+ right\.$/m);

  const secret = /SECRET|KEY(?!_ID)|PASSWORD/;
  const values = Object.entries(stack.env).flatMap(([name, value = ""]) =>
    secret.test(name) && value.length > 8 ? [value] : [],
  );
  expect(values.length).toBeGreaterThan(8);
  expect(values.filter((value) => said.includes(value))).toEqual([]);
});

test("lists the destinations that a firewall must allow", async () => {
  const { how, found } = await look(["destinations"]);
  expect(how).toBe("code 0");
  const [line = ""] = found["right Outgoing connections"] ?? [];
  const { host } = new URL(stack.databaseUrl);
  for (const named of [host, new URL(stack.sandboxUrl).host, "*.blob.core.windows.net:443", "127.0.0.1:"])
    expect(line).toContain(named);
  expect(line).not.toContain("@");
});

test("checks the sign-ins that are offered, and finds one that does not answer", async () => {
  const offered = await look(["sign-ins"], {
    GOOGLE_SIGN_IN_CLIENT_ID: "",
    GOOGLE_SIGN_IN_CLIENT_SECRET: "",
  });
  expect(offered.found).toEqual({
    "right Sign-ins": [
      `Outlook sign-in is on. Register ${stack.url}/azure/ad/callback as its redirect URL.`,
      "Google sign-in is off: GOOGLE_SIGN_IN_CLIENT_ID and GOOGLE_SIGN_IN_CLIENT_SECRET are not set.",
    ],
  });
  const lost = await look(["sign-ins"], { GOOGLE_SIGN_IN_ISSUER: `${stack.sandboxUrl}/nowhere` });
  expect(lost.how).toBe("code 1");
  expect(lost.found["wrong Sign-ins"]).toEqual([expect.stringContaining("Couldn't check Google")]);
  expect(lost.found["right Sign-ins"]).toHaveLength(1);
});

test("reports a sign-in issuer on this machine", async () => {
  const { found } = await look(["addresses"]);
  expect(found["wrong Addresses"]).toEqual(
    expect.arrayContaining([
      expect.stringContaining("OUTLOOK_ISSUER points to this machine"),
      expect.stringContaining("GOOGLE_SIGN_IN_ISSUER points to this machine"),
    ]),
  );
});

test("passes once everything is set up", async () => {
  await consentForStack(stack.env);
  expect((await runCommand(stack, "webhooks", "register")).how).toBe("code 0");
  await controls.dns(domain, ["v=spf1 include:_spf.example.net -all"]);
  await controls.dns(`mail._domainkey.${domain}`, ["v=DKIM1; k=rsa; p=MIIBIjANBg"]);
  await controls.dns(`_dmarc.${domain}`, ["v=DMARC1; p=quarantine"]);
  for (const provider of paymentProviderIds)
    for (const account of ["IN", "US"] as const)
      await db.transaction().execute((trx) =>
        insertProviderEvent(trx, {
          provider,
          account,
          eventId: `${provider}-${account}`,
          type: "test",
          payload: {},
          state: "new",
          problem: null,
        }),
      );
  await bounceOne();
  await saveHeartbeats(db, ["worker-of-a-test"]);
  // In the future, so that it stays fresh regardless of the command's duration.
  await db.updateTable("worker_heartbeats").set({ seen_at: sql`now() + interval '1 hour'` }).execute();
  await makeStaff(context, "admin");
  const before = await fingerprint();
  const { how, said, found } = await look(
    [
      ...[
        "letter-of-undertaking",
        "payment-accounts",
        "payment-webhooks",
        "customer-fees",
        "consents",
        "notices",
        "catalogue",
      ],
      ...[
        "mail-records",
        "mail-server",
        "returned-mails",
        "migrations",
        "connections",
        "clock",
        "workers",
        "staff",
      ],
      // As many as the smallest PostgreSQL allows.
      ...["--webs", "1", "--workers", "1"],
    ],
    { ...live, SELLER_LUT: "2025-26 AD290325000199A; 2026-27 AD290326000199B; 2027-28 AD290327000199C" },
  );
  expect(said).toMatch(/^0 missing, 0 wrong, 0 unknown, \d+ right\.$/m);
  expect(how).toBe("code 0");
  expect(Object.keys(found)).toHaveLength(15);
  expect(await fingerprint()).toEqual(before);
});

/** Sends a mail, and processes its bounce. */
async function bounceOne(): Promise<void> {
  const { email, userId } = await makePerson(db);
  const dedupeKey = crypto.randomUUID();
  await db
    .transaction()
    .execute((trx) => queueAnyMail(trx, { kind: "reset-password", dedupeKey, recipient: email, userId }));
  const { id } = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirstOrThrow();
  await sendMail(context, id);
  const messageId = `<${id}@${new URL(context.env.PUBLIC_URL).hostname}>`;
  await processBounce(db, Buffer.from(postfixReport({ messageId, recipient: email })));
}

/** Counts the rows of each table, except those that running processes write, and the counted calls. */
async function fingerprint(): Promise<unknown> {
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name,
      (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::int as count
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not in ('rate_limit_windows', 'webhook_pulses', 'vendor_limits')
    order by 1`.execute(db);
  return rows;
}

describe("the settings", () => {
  /** Settings without the sandbox: every outside system at its real address. */
  const real = Object.fromEntries(
    Object.entries(stack.env).map(([name, value = ""]) => [
      name,
      /^(https?:\/\/(127\.|localhost))/.test(value) ? undefined : value,
    ]),
  );
  const sold = {
    ...real,
    NODE_ENV: "test",
    PUBLIC_URL: "https://shop.acme.in",
    BRIO_URL: "https://brio.acme.in",
    EINVOICE_URL_IN: "https://gsp.acme.in",
    RAZORPAY_KEY_ID_IN: "rzp_live_A1",
    RAZORPAY_KEY_ID_US: "rzp_live_B2",
    SELLER_NAME: "Acme Private Limited",
    SELLER_ADDRESS: "4 Lake Road; Bengaluru 560001",
    SELLER_GSTIN: "29AABCB1234C1ZA",
    SELLER_LUT: "",
    SELLER_SIGNATORY: "A. Rao",
    SELLER_PHONE: "+91 80 4123 4567",
    SELLER_GRIEVANCE_OFFICER: "B. Rao",
    SELLER_GRIEVANCE_EMAIL: "grievances@acme.in",
    SELLER_NAME_US: "Acme Incorporated",
    SELLER_ADDRESS_US: "1 Main Street; Austin, Texas 73301",
    SELLER_EIN_US: "12-3456789",
    SELLER_SIGNATORY_US: "C. Smith",
    SELLER_PHONE_US: "+1 512 867 5309",
    SELLER_GRIEVANCE_OFFICER_US: "D. Smith",
    MAIL_FROM: "Acme <store@acme.in>",
    OPERATOR_EMAIL: "operator@acme.in",
  };

  test("passes for a live store", async () => {
    const { how, said, found } = await look(["addresses", "sellers", "payment-keys"], sold);
    expect(Object.keys(found), said).toEqual(["right Addresses", "right Who sells", "right Payment keys"]);
    expect(found["right Who sells"]?.join(" ")).toContain(
      "Acme Private Limited, 29AABCB1234C1ZA, sells in India",
    );
    expect(how).toBe("code 0");
    const { RAZORPAY_KEY_ID_IN, RAZORPAY_KEY_ID_US } = sold;
    const secrets = { RAZORPAY_KEY_ID_IN, RAZORPAY_KEY_ID_US, DESK_SECOND_FACTOR: "required" };
    expect(await look(["secrets"], secrets)).toMatchObject({ how: "code 0" });
  });

  test("names an outside system on this machine, a test key and example seller data", async () => {
    const { how, found } = await look(["addresses", "sellers", "payment-keys"], {
      ...sold,
      GOOGLE_TOKEN_URL: "http://127.0.0.1:3100/token",
      RAZORPAY_KEY_ID_US: "rzp_test_B2",
      SELLER_EIN_US: "",
      OPERATOR_EMAIL: "operator@example.com",
    });
    expect(how).toBe("code 1");
    expect(found["wrong Addresses"]).toEqual([expect.stringContaining("GOOGLE_TOKEN_URL")]);
    expect(found["wrong Payment keys"]).toEqual([expect.stringContaining("RAZORPAY_KEY_ID_US")]);
    expect(found["wrong Who sells"]).toEqual([expect.stringContaining("OPERATOR_EMAIL is an example")]);
    expect(found["missing Who sells"]).toEqual(["SELLER_EIN_US is not set."]);
  });

  test("warns about supplies without tax if this year's letter is missing", async () => {
    const { found } = await look(["letter-of-undertaking"], { SELLER_LUT: "2020-21 AD290320000103V" });
    expect(found["missing Letter of undertaking"]).toEqual([expect.stringContaining("charged IGST")]);
  });

  test("names missing settings, and runs no other check", async () => {
    const { how, said } = await look([], { SMTP_URL: undefined });
    expect(how).toBe("code 1");
    expect(said).toMatch(/^missing +Settings: Settings are missing or invalid:\n +SMTP_URL: missing$/m);
  });

  test("passes for a brand without example values", async () => {
    const looking = {
      context,
      source: {},
      brand: { name: "Acme", supportEmail: "support@acme.in" },
      built: [],
      processes: { webs: 1, workers: 1 },
      now: new Date(),
    };
    expect(await brandCheck.look(looking)).toEqual([expect.objectContaining({ status: "right" })]);
  });
});

describe("a problem", () => {
  test("reports refused accounts and servers independently", async () => {
    const { found } = await look(["payment-accounts", "mail-server", "connections"], {
      RAZORPAY_KEY_SECRET_IN: "another-secret",
      SMTP_URL: "smtp://127.0.0.1:1",
      DATABASE_POOL_SIZE: "100",
    });
    expect(found["wrong Payment accounts"]).toEqual([expect.stringMatching(/Couldn't check .*India.*401/)]);
    expect(found["right Payment accounts"]).toHaveLength(1);
    expect(found["wrong Mail server"]).toHaveLength(1);
    expect(found["wrong Connections"]).toEqual([expect.stringContaining("take up to 414 connections")]);
  });

  test("reports invalid DNS records", async () => {
    await controls.dns(domain, ["v=spf1 -all", "v=spf1 ~all"]);
    await controls.dns(`mail._domainkey.${domain}`, ["v=DKIM1; p="]);
    await controls.dns(`_dmarc.${domain}`, ["v=DMARC1"]);
    const { found } = await look(["mail-records"], live);
    expect(found["wrong Email DNS records"]).toHaveLength(3);
    const silent = await look(["mail-records"], {
      ...live,
      DNS_SERVERS: "127.0.0.1:9",
      PROVIDER_TIMEOUT_MS: "400",
    });
    expect(silent.found["wrong Email DNS records"]).toEqual([expect.stringContaining("Couldn't check")]);
  });

  test("accepts the DMARC record of the organisation for a subdomain", async () => {
    await controls.dns(`_dmarc.${domain}`, ["v=DMARC1; p=reject"]);
    const { found } = await look(["mail-records"], { ...live, MAIL_FROM: `Hubs <store@shop.${domain}>` });
    expect(found["right Email DNS records"]).toEqual(["DMARC: v=DMARC1; p=reject"]);
  });

  test("reports problems of consents, catalogue, migrations and staff", async () => {
    const catalogueBefore = await db.selectFrom("vendor_items").selectAll().execute();
    const [first] = catalogueBefore;
    if (first === undefined) throw new Error("Expected vendor items in the test catalogue");
    await db
      .updateTable("provider_secrets")
      .set({ has_mfa: false })
      .where("provider", "like", "%:IN")
      .execute();
    await db
      .updateTable("provider_secrets")
      .set({ obtained_at: sql<Date>`now() - interval '61 days'` })
      .where("provider", "like", "%:US")
      .execute();
    await db.deleteFrom("vendor_items").where("item_id", "=", first.item_id).execute();
    await db
      .insertInto("vendor_differences")
      .values({ item_id: first.item_id, country: "IN", what: "it costs more" })
      .execute();
    await sql`create table kept as select * from kysely_migration order by name desc limit 1`.execute(db);
    await sql`delete from kysely_migration where name in (select name from kept)`.execute(db);
    await db.updateTable("staff").set({ totp_ciphertext: null }).execute();
    const { found } = await look(["consents", "catalogue", "migrations", "staff"]);
    await sql`insert into kysely_migration select * from kept`.execute(db);
    await sql`drop table kept`.execute(db);
    expect(found["wrong Consents"]).toEqual([
      expect.stringContaining("without MFA"),
      expect.stringContaining("61 days ago"),
    ]);
    expect(found["missing Catalogue"]?.join(" ")).toContain(first.item_id);
    expect(found["wrong Catalogue"]).toEqual([expect.stringContaining(first.item_id)]);
    expect(found["missing Migrations"]).toEqual([expect.stringMatching(/^\d{4}-.*have not run\.$/)]);
    expect(found["wrong Staff"]).toHaveLength(1);

    await db.updateTable("catalogue_items").set({ active: false }).execute();
    const empty = await look(["catalogue"]);
    expect(empty.found["missing Catalogue"]).toEqual(["No plans are on sale."]);
  });

  test("reports the clock of another system", async () => {
    const server = createServer((_request, response) => {
      response.sendDate = false;
      response.setHeader("Date", new Date(Date.now() - 3_600_000).toUTCString()).end();
    });
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const { found } = await look(["clock"], { RAZORPAY_API_URL: `http://127.0.0.1:${port}` });
    server.close();
    expect(found["wrong Clocks"]).toEqual([
      expect.stringMatching(/^127\.0\.0\.1's clock .* differ by 3\d\d\d\.\d s/),
    ]);
  });

  // The embedded database has one session, and its address cannot set options.
  test.skipIf(inject("databaseTemplate").kind === "embedded")("reports the database's clock", async () => {
    await sql`create schema moved`.execute(db);
    await sql`create function moved.clock_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.clock_timestamp() - interval '5 minutes' $$`.execute(db);
    const url = new URL(stack.databaseUrl);
    url.searchParams.set("options", "-c search_path=moved,pg_catalog,public");
    const { found } = await look(["clock"], { DATABASE_URL: url.href });
    expect(found["wrong Clocks"]).toEqual([
      expect.stringMatching(/^The database's clock .* differ by (299|30\d)\.\d s/),
    ]);
  });

  test("lists all checks for an unknown one", async () => {
    const { how, said } = await look(["everything"]);
    expect(how).toBe("code 1");
    expect(said).toMatch(/^ +mail-records +Email DNS records$/m);
  });
});

describe.skipIf(postgresPrograms() === undefined)("the write-ahead log archive", () => {
  test("distinguishes an archive that is off, new, working, failing or unreadable", {
    tags: ["full"],
  }, async () => {
    const server = await startOwnPostgres({});
    const pool = createPool(server.url, 1, () => undefined);
    const own = createDb(pool);
    const backups = async (url = server.url) => (await look(["backups"], { DATABASE_URL: url })).found;
    /** Discards archived segments, or makes archiving fail. */
    const archiveWith = async (command: "true" | "false") => {
      await sql`alter system set archive_command = ${sql.lit(command)}`.execute(own);
      await sql`select pg_reload_conf()`.execute(own);
      await sql`create table if not exists written (at timestamptz)`.execute(own);
      await sql`insert into written values (now())`.execute(own);
      await sql`select pg_switch_wal()`.execute(own);
    };
    const until = async (column: "archived_count" | "failed_count") => {
      for (let tries = 0; tries < 200; tries += 1) {
        const { rows } = await sql<{ seen: boolean }>`
          select ${sql.ref(column)} > 0 as seen from pg_stat_archiver`.execute(own);
        if (rows[0]?.seen === true) return;
        await sql`select pg_sleep(0.1)`.execute(own);
      }
      throw new Error(`${column} stays 0`);
    };
    try {
      expect(await backups()).toHaveProperty("missing Backups");
      await sql`alter system set archive_mode = on`.execute(own);
      await sql`alter system set archive_command = 'true'`.execute(own);
      await server.restart(0);
      expect(await backups()).toHaveProperty("unknown Backups");
      await archiveWith("true");
      await until("archived_count");
      expect(await backups()).toHaveProperty("right Backups");
      await archiveWith("false");
      await until("failed_count");
      expect(await backups()).toHaveProperty("wrong Backups");

      await sql`create role stranger login`.execute(own);
      await sql`revoke select on pg_stat_archiver from public`.execute(own);
      const stranger = new URL(server.url);
      stranger.username = "stranger";
      expect(await backups(stranger.href)).toHaveProperty("unknown Backups");
    } finally {
      await own.destroy();
      await server.stop();
    }
  });
});
