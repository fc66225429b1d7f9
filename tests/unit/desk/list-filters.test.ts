/** What the desk's lists take as a filter. */
import { expect, test } from "vitest";
import { day } from "#server/desk/lists/list.ts";

const told = (text: string) => day.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

test("a bad day is told once, by what is wrong with it", () => {
  expect(told("bogus")).toEqual(["Enter a day such as 2026-11-24."]);
  expect(told("2026-02-30")).toEqual(["Enter a day such as 2026-11-24."]);
  expect(told("1999-11-24")).toEqual(["Enter a day of this century."]);
  expect(told("2026-11-24")).toEqual([]);
});
