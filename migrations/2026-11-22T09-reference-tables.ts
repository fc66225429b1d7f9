/**
 * Families, currencies and countries have a row each, which every column that holds one refers to: a new one is a row, where it was
 * a check on each of twelve columns. The version still serving writes the same values as before.
 *
 * Rows that exist are read once while a table's writes wait: seconds for a million orders. With more, run the statements of a table
 * beforehand, `not valid` and `validate` each in a transaction of its own; the migration then finds the key and does nothing.
 */
import { type Kysely, sql } from "kysely";

const columns = [
  ["catalogue_items", "family", "families"],
  ["tenants", "family", "families"],
  ["orders", "family", "families"],
  ["subscriptions", "family", "families"],
  ["control_proofs", "family", "families"],
  ["customers", "country", "countries"],
  ["addresses", "country", "countries"],
  ["orders", "country", "countries"],
  ["prices", "currency", "currencies"],
  ["orders", "currency", "currencies"],
  ["payment_intents", "currency", "currencies"],
  ["refunds", "currency", "currencies"],
] as const;

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create table if not exists families (id text primary key)`.execute(db);
  await sql`create table if not exists currencies (id text primary key)`.execute(db);
  await sql`
    create table if not exists countries (
      id text primary key,
      currency text not null references currencies (id)
    )`.execute(db);
  await sql`insert into families (id) values ('microsoft'), ('google'), ('brio') on conflict do nothing`.execute(
    db,
  );
  await sql`insert into currencies (id) values ('INR'), ('USD') on conflict do nothing`.execute(db);
  await sql`insert into countries (id, currency) values ('IN', 'INR'), ('US', 'USD') on conflict do nothing`.execute(
    db,
  );

  for (const [table, column, reference] of columns) {
    const key = `${table}_${column}_fkey`;
    const found = await sql`
      select from pg_constraint where conname = ${key} and conrelid = ${table}::regclass`.execute(db);
    if (found.rows.length === 0) {
      await sql`
        alter table ${sql.table(table)}
          add constraint ${sql.ref(key)} foreign key (${sql.ref(column)}) references ${sql.table(reference)} (id)
          not valid`.execute(db);
      await sql`alter table ${sql.table(table)} validate constraint ${sql.ref(key)}`.execute(db);
    }
    await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.ref(`${table}_${column}_check`)}`.execute(
      db,
    );
  }
}
