/** What a database knows of families, countries and currencies, held against what the build sells. */
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

test("a database that was migrated knows all that is sold, and nothing more", async () => {
  await requireReferenceTables({ db, log });
  expect(said).toEqual([]);
});

test("a process does not start without a row for a country, and says which is missing and what to run", async () => {
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

test("nor with one that is charged in other money there", async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.updateTable("countries").set({ currency: "INR" }).where("id", "=", "US").execute();
      await expect(requireReferenceTables({ db: trx, log })).rejects.toThrow("countries US in USD");
      throw new RangeError("undone");
    })
    .catch(undone);
});

test("nor on a database that has no such tables yet", async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await sql`alter table countries rename to lands`.execute(trx);
      await expect(requireReferenceTables({ db: trx, log })).rejects.toThrow("npm run migrate");
      throw new RangeError("undone");
    })
    .catch(undone);
});

test("a row that only a newer version knows stops nobody, so that one can go back, and is in the log", async () => {
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

test("every column that holds a family, a country or a currency refers to the table of them", async () => {
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
  // Whatever the payment provider says was paid in, paid out or claimed back: money in another currency is kept, as a mismatch.
  // And a browser may be in any country of the world.
  expect(rows.map(({ place }) => place)).toEqual([
    "disputes.currency",
    "payments.currency",
    "sessions.country",
    "settlement_lines.currency",
  ]);
});

test("no check beside it lists the families, countries or currencies again", async () => {
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
