/** Statements that are prepared, and tables that get another column meanwhile (docs/decisions/prepared-statements.md). */
import { type CompiledQuery, sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createDb, createPool } from "#db/client.ts";
import type { Db } from "#db/tables/index.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const often = 8;
const { url, db: direct } = await createTestDatabase();
/** One connection, whose prepared statements all questions meet. */
const pool = createPool(url, 1, () => undefined);
const db = createDb(pool, { prepares: true });
afterAll(() => pool.end());

beforeEach(async () => {
  await sql`drop table if exists growing`.execute(direct);
  await sql`create table growing (id int primary key, name text)`.execute(direct);
  await sql`insert into growing values (1, 'one')`.execute(direct);
});

let question = 0;
/** A text of its own, which no other test has asked. */
function asking(columns: string): (by: Db, id: number) => Promise<unknown[]> {
  question += 1;
  const text = `select ${columns} from growing where id = $1 and ${question} = ${question}`;
  const query = (id: number): CompiledQuery => ({
    ...sql`select`.compile(db),
    sql: text,
    parameters: [id],
  });
  return async (by, id) => (await by.executeQuery(query(id))).rows;
}
const grow = () => sql`alter table growing add column since text default 'now'`.execute(direct);
async function prepared(): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>("select statement from pg_prepared_statements");
  return rows.map(({ statement }) => statement);
}

test("what is asked often is prepared, with each time's own values", async () => {
  const ask = asking("name");
  expect(await ask(db, 1)).toEqual([{ name: "one" }]);
  expect(await prepared()).not.toContainEqual(expect.stringContaining("select name from growing"));
  for (let time = 0; time < often; time += 1) expect(await ask(db, 1)).toEqual([{ name: "one" }]);
  expect(await ask(db, 2)).toEqual([]);
  expect(await prepared()).toContainEqual(expect.stringContaining("select name from growing"));
});

test("a statement of all columns is asked anew when there is one more", async () => {
  const ask = asking("*");
  for (let time = 0; time < often; time += 1) await ask(db, 1);
  expect(await prepared()).toContainEqual(expect.stringContaining("select * from growing"));
  await grow();
  for (let time = 0; time < often; time += 1)
    expect(await ask(db, 1)).toEqual([{ id: 1, name: "one", since: "now" }]);
});

test("in a transaction, where it could not be asked anew, it is not prepared", async () => {
  const ask = asking("*");
  const inTransaction = () => db.transaction().execute((trx) => ask(trx, 1));
  for (let time = 0; time < often; time += 1) await inTransaction();
  await grow();
  expect(await inTransaction()).toEqual([{ id: 1, name: "one", since: "now" }]);
});

test("one that names its columns is prepared there too, and does not mind another", async () => {
  const ask = asking("id, name");
  const inTransaction = () => db.transaction().execute((trx) => ask(trx, 1));
  for (let time = 0; time < often; time += 1) await inTransaction();
  expect(await prepared()).toContainEqual(expect.stringContaining("select id, name from growing"));
  await grow();
  expect(await inTransaction()).toEqual([{ id: 1, name: "one" }]);
});

test("what a prepared statement answers with is told once a connection", async () => {
  const ask = asking("id, name");
  for (let time = 0; time < often; time += 1) await ask(db, 1);
  const client = await pool.connect();
  let count = 0;
  client.connection.on("rowDescription", () => {
    count += 1;
  });
  client.release();
  for (let time = 0; time < often; time += 1) expect(await ask(db, 1)).toEqual([{ id: 1, name: "one" }]);
  expect(await ask(db, 2)).toEqual([]);
  expect(count).toBe(0);
});

test("a prepared statement is read as whoever asks it reads", async () => {
  const named = { name: "read-twice", text: "select id, name from growing" };
  const asRow = [{ id: 1, name: "one" }];
  const asTexts: pg.CustomTypesConfig = { getTypeParser: () => (value: string | Buffer) => `${value}` };
  for (let time = 0; time < 2; time += 1) {
    expect((await pool.query(named)).rows).toEqual(asRow);
    expect((await pool.query({ ...named, rowMode: "array" })).rows).toEqual([[1, "one"]]);
    expect((await pool.query({ ...named, types: asTexts })).rows).toEqual([{ id: "1", name: "one" }]);
  }
  const { rows, fields } = await pool.query(named);
  expect(rows).toEqual(asRow);
  expect(fields.map(({ name }) => name)).toEqual(["id", "name"]);
});

test("a value that is refused spoils nothing for the next", async () => {
  const insert = (id: number) => sql`insert into growing (id) values (${id})`.execute(db);
  for (let id = 2; id < 2 + often; id += 1) await insert(id);
  await expect(insert(2)).rejects.toMatchObject({ code: "23505" });
  await insert(100);
});

test("behind a pooler nothing is prepared", async () => {
  const lent = createPool(url, 1, () => undefined, {}, "transaction");
  const behind = createDb(lent, { prepares: true });
  const ask = asking("name");
  for (let time = 0; time < often; time += 1) await ask(behind, 1);
  const { rows } = await lent.query("select statement from pg_prepared_statements");
  expect(rows).toEqual([]);
  await lent.end();
});
