/** Errors of a database that is away, which are answered 503 and tried again, and those that are faults. */
import { expect, test } from "vitest";
import { isTransientDbError } from "#db/client.ts";
import { createLog } from "#server/foundation/log.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { isDatabaseAway } from "#server/platform/database-failure.ts";
import { toDomainError } from "#server/platform/to-domain-error.ts";

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
  expect(isTransientDbError(coded(code))).toBe(true);
});

test.each([
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
])("%s passes", (words) => {
  expect(isTransientDbError(new Error(words))).toBe(true);
});

test("a statement that is wrong, and what is no error of a database, are faults", () => {
  for (const error of [coded("42601"), coded("23505"), new TypeError("fields of undefined"), "text"])
    expect(isTransientDbError(error)).toBe(false);
});

test.each(["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN"])(
  "%s of a vendor is not the database's",
  (code) => {
    const error = new ProviderError("google", "transient", "buy", { code });
    expect(isDatabaseAway(error)).toBe(false);
    expect(isDatabaseAway(coded(code))).toBe(true);
    expect(toDomainError(error, createLog("silent", "test"))?.code).toBe("provider_unavailable");
  },
);
