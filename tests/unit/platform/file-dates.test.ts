/** Dates in files: parsed as UTC, or rejected. */
import { describe, expect, test } from "vitest";
import { isNoDate, parseFileDate } from "#server/foundation/file-dates.ts";

describe("a date in a file", () => {
  test.each([
    ["2026-11-03", "2026-11-03T00:00:00.000Z"],
    ["2026-11-03T00:00:00Z", "2026-11-03T00:00:00.000Z"],
    ["2026-11-01T00:00:00", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T23:59:59.9990000Z", "2026-11-01T23:59:59.999Z"],
    ["9999-12-31T23:59:59.0000000Z", "9999-12-31T23:59:59.000Z"],
    ["2026-11-01 05:30:00+05:30", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T00:00:00-08:00", "2026-11-01T08:00:00.000Z"],
    ["11/3/2026", "2026-11-03T00:00:00.000Z"],
    ["02/29/2028", "2028-02-29T00:00:00.000Z"],
    ["2/4/2027 8:35:31 PM", "2027-02-04T20:35:31.000Z"],
    ["2/4/2027 12:00:00 AM", "2027-02-04T00:00:00.000Z"],
    ["2/4/2027 12:05 pm", "2027-02-04T12:05:00.000Z"],
  ])("reads %s as %s", (text, moment) => {
    expect(parseFileDate(text)?.toISOString()).toBe(moment);
  });

  test.each([
    "13/2/2027",
    "13/2/2027 8:35:31 PM",
    "0/0/2026",
    "2/4/2027 99:99:99 PM",
    "4/31/2026",
    "2027-02-30",
    "2027-04-31T00:00:00Z",
    "2027-13-01",
    "2/29/2027",
    "2/4/2027 0:10:00 AM",
    "2/4/2027 13:00:00 PM",
    "2026-11-01T24:00:00Z",
    "2026-11-01T00:60:00Z",
    "2026-11-01T00:00:00+25:00",
    "04-02-2027 20:35",
    "2/1/2026 0:00",
    "2026-11-01T00:00:00.00000000Z",
    "44927",
    "1-Nov-26",
    "soon",
    "",
  ])("rejects %s", (text) => {
    expect(parseFileDate(text)).toBeNull();
  });

  test("does not depend on the machine's time zone", () => {
    const before = process.env.TZ;
    process.env.TZ = "Asia/Kolkata";
    try {
      expect(parseFileDate("2/1/2027")?.toISOString()).toBe("2027-02-01T00:00:00.000Z");
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  test.each([
    ["", true],
    ["0001-01-01T00:00:00", true],
    ["1/1/0001 12:00:00 AM", true],
    ["2026-01-01", false],
    ["soon", false],
  ])("%j: tells an open end from a date (%s)", (text, isOpen) => {
    expect(isNoDate(text)).toBe(isOpen);
  });
});
