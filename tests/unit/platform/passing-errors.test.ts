/** Errors of a database that is away, which are answered 503 and tried again, and those that are faults. */
import { expect, test } from "vitest";
import { isPassing } from "#db/client.ts";

const coded = (code: string) => Object.assign(new Error(code), { code });

test.each([
  "57P01",
  "57P03",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
])("%s passes", (code) => {
  expect(isPassing(coded(code))).toBe(true);
});

test.each([
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
])("%s passes", (words) => {
  expect(isPassing(new Error(words))).toBe(true);
});

test("a statement that is wrong, and what is no error of a database, are faults", () => {
  for (const error of [coded("42601"), coded("23505"), new TypeError("fields of undefined"), "text"])
    expect(isPassing(error)).toBe(false);
});
