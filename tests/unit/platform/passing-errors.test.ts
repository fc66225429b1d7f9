/** Errors of an unavailable database, answered with 503 and retried, as opposed to faults. */
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
])("treats %s as transient", (code) => {
  expect(isTransientDbError(coded(code))).toBe(true);
});

test.each([
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
])('treats "%s" as transient', (words) => {
  expect(isTransientDbError(new Error(words))).toBe(true);
});

test("treats a wrong statement, and errors of other origin, as faults", () => {
  for (const error of [coded("42601"), coded("23505"), new TypeError("fields of undefined"), "text"])
    expect(isTransientDbError(error)).toBe(false);
});

test.each(["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN"])(
  "does not take %s of a vendor for the database's",
  (code) => {
    const error = new ProviderError("google", "transient", "buy", { code });
    expect(isDatabaseAway(error)).toBe(false);
    expect(isDatabaseAway(coded(code))).toBe(true);
    expect(toDomainError(error, createLog("silent", "test"))?.code).toBe("provider_unavailable");
  },
);
