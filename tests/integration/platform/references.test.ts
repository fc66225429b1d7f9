/** Reference tables of families, countries and currencies, compared with the build. */
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { createLog } from "#server/foundation/log.ts";
import { requireReferenceTables } from "#server/operations/start-checks.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const { db } = await createTestDatabase();
const said: object[] = [];
const log = createLog("warn", "test");
log.warn = (facts: object) => {
  said.push(facts);
};

afterEach(() => {
  said.length = 0;
});

test("contains exactly what the build sells after migrations", async () => {
  await requireReferenceTables({ db, log });
  expect(said).toEqual([]);
});

test("prevents the start without a country's row, and says what to run", async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.deleteFrom("vendor_items").where("country", "=", "US").execute();
      await trx.deleteFrom("vendor_prices").where("country", "=", "US").execute();
      await trx.deleteFrom("vendor_differences").where("country", "=", "US").execute();
      await trx.deleteFrom("countries").where("id", "=", "US").execute();
      await expect(requireReferenceTables({ db: trx, log })).rejects.toThrow(
        `The database is older than this build. Missing: countries US in USD.
Run this first: npm run migrate`,
      );
      throw new RangeError("undone");
    })
    .catch(undone);
});

test("prevents the start if a country's currency differs", async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.updateTable("countries").set({ currency: "INR" }).where("id", "=", "US").execute();
      await expect(requireReferenceTables({ db: trx, log })).rejects.toThrow("countries US in USD");
      throw new RangeError("undone");
    })
    .catch(undone);
});

test("prevents the start if the tables do not exist yet", async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await sql`alter table countries rename to lands`.execute(trx);
      await expect(requireReferenceTables({ db: trx, log })).rejects.toThrow("npm run migrate");
      throw new RangeError("undone");
    })
    .catch(undone);
});

test("allows rows of a newer version, so that a rollback works, and logs them", async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await sql`insert into families (id) values ('unheard-of')`.execute(trx);
      await requireReferenceTables({ db: trx, log });
      expect(said).toEqual([{ surplus: ["families unheard-of"] }]);
      throw new RangeError("undone");
    })
    .catch(undone);
});

test("refers every family, country and currency column to its table", async () => {
  const { rows } = await sql<{ place: string }>`
    select c.relname || '.' || a.attname as place
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attname in ('family', 'country', 'currency')
      and not exists (
        select from pg_constraint k
        where k.contype = 'f' and k.conrelid = c.oid and k.conkey = array[a.attnum] and k.convalidated
          and k.confrelid::regclass::text in ('families', 'countries', 'currencies')
      )
    order by 1`.execute(db);
  // Currencies from the payment provider may be unknown: such money is stored as a mismatch. A browser may be in any country.
  expect(rows.map(({ place }) => place)).toEqual([
    "disputes.currency",
    "payments.currency",
    "sessions.country",
    "settlement_lines.currency",
  ]);
});

test("repeats no list of families, countries or currencies in a check constraint", async () => {
  const { rows } = await sql<{ conname: string }>`
    select conname from pg_constraint
    where contype = 'c' and pg_get_constraintdef(oid) ~ '''(IN|US|INR|USD|microsoft|google|brio)''' order by 1`.execute(
    db,
  );
  expect(rows).toEqual([]);
});

function undone(error: unknown): void {
  if (!(error instanceof RangeError)) throw error;
}
