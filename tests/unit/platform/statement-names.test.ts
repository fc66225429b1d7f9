/** Which statements get a name, and how many. */
import { expect, test } from "vitest";
import { StatementNames } from "#db/prepared.ts";

function namesOf(names: StatementNames, text: string, times: number): (string | undefined)[] {
  return Array.from({ length: times }, () => names.of(text));
}

test("one that is asked often has one name, and another one another", () => {
  const names = new StatementNames();
  const [first, , , , fifth, sixth] = namesOf(names, "select 1", 6);
  expect([first, fifth === undefined, fifth === sixth]).toEqual([undefined, false, true]);
  expect(namesOf(names, "select 2", 5).at(-1)).not.toBe(fifth);
});

test("what has no plan, and what brings many rows, has none", () => {
  const names = new StatementNames();
  const rows = `insert into some values ${"(1), ".repeat(10_000)}(1)`;
  for (const text of [
    "begin",
    "commit",
    "set local lock_timeout = 1",
    "selection",
    rows,
    "select 1 where a like $1",
  ])
    expect(namesOf(names, text, 10)).toEqual(Array.from({ length: 10 }));
});

test("there are 500, and those that are there stay", () => {
  const names = new StatementNames();
  const all = Array.from({ length: 600 }, (_, n) => namesOf(names, `select ${n}`, 5).at(-1));
  expect(all.filter((name) => name !== undefined)).toHaveLength(500);
  expect(names.of("select 0")).toBe(all[0]);
  expect(names.of("select 599")).toBeUndefined();
});

test("statements that are asked once each take no place for good", () => {
  const names = new StatementNames();
  for (let n = 0; n < 10_000; n += 1) names.of(`select ${n}`);
  expect(namesOf(names, "select 'often'", 5).at(-1)).toBeDefined();
});
