/** Statements that are written once a process, and asked with each time's own values (docs/decisions/prepared-statements.md). */
import { expect, test } from "vitest";
import { anyOfPlaceholder, placeholder, statement } from "#db/statement.ts";
import type { Country } from "#db/tables/enums.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const { db } = await createTestDatabase();

test("a statement is written once, whoever asks and for whatever", async () => {
  let written = 0;
  const ask = statement({ codes: placeholder<readonly Country[]>() }, (by, { codes }) => {
    written += 1;
    return by.selectFrom("countries").select("id").where("id", "=", anyOfPlaceholder(codes)).orderBy("id");
  });
  const codes = (rows: { id: Country }[]) => rows.map(({ id }) => id);
  expect(codes(await ask(db, { codes: ["US", "IN"] }))).toEqual(["IN", "US"]);
  expect(codes(await ask(db, { codes: ["US"] }))).toEqual(["US"]);
  expect(codes(await ask(db, { codes: [] }))).toEqual([]);
  const inTransaction = db.transaction().execute((trx) => ask(trx, { codes: ["IN"] }));
  expect(codes(await inTransaction)).toEqual(["IN"]);
  expect(written).toBe(1);
});

test("a value stands wherever it is named, beside those that were written", async () => {
  const ask = statement({ code: placeholder<Country>(), most: placeholder<number>() }, (by, { code, most }) =>
    by
      .selectFrom("countries")
      .select("id")
      .where("id", "in", ["IN", "US"])
      .where("id", "<>", code)
      .where(({ not, eb }) => not(eb("id", "=", code)))
      .limit(most),
  );
  const [first, second, none] = await Promise.all([
    ask(db, { code: "IN", most: 5 }),
    ask(db, { code: "US", most: 5 }),
    ask(db, { code: "US", most: 0 }),
  ]);
  expect([first, second, none]).toEqual([[{ id: "US" }], [{ id: "IN" }], []]);
});

test("asked in a transaction, it sees what that transaction has written", async () => {
  const ask = statement({ slide: placeholder<string>() }, (by, { slide }) =>
    by.selectFrom("slide_titles").select("slide_id").where("slide_id", "=", slide),
  );
  const slide = "of-this-test";
  const undone = db.transaction().execute(async (trx) => {
    await trx
      .insertInto("slide_titles")
      .values({ slide_id: slide, titles: "{}", edited_at: new Date() })
      .execute();
    expect(await ask(trx, { slide })).toEqual([{ slide_id: slide }]);
    expect(await ask(db, { slide })).toEqual([]);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await ask(db, { slide })).toEqual([]);
});
