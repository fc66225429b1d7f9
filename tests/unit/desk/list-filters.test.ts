/** Filters of Desk's lists. */
import { expect, test } from "vitest";
import { day } from "#server/desk/lists/list.ts";

const reportOf = (text: string) => day.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

test("reports one problem for an invalid day", () => {
  expect(reportOf("bogus")).toEqual(["Enter a date such as 2026-11-24."]);
  expect(reportOf("2026-02-30")).toEqual(["Enter a date such as 2026-11-24."]);
  expect(reportOf("1999-11-24")).toEqual(["Enter a date in this century."]);
  expect(reportOf("2026-11-24")).toEqual([]);
});
