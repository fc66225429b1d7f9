import { describe, expect, test } from "vitest";
import { type ErrorRule, policyByRules } from "#server/catalogue/families/error-policies.ts";
import { googleErrorRules } from "#server/catalogue/families/google/error-rules.ts";
import { microsoftRefusals } from "#server/catalogue/families/microsoft/refusals.ts";
import { ProviderError } from "#server/integrations/errors.ts";

/** Each code of each row, as its vendor refuses with it. */
function codesOf<At>(rows: readonly ErrorRule<At>[]) {
  return rows.flatMap(({ name, status, codes }) => (codes ?? []).map((code) => ({ name, status, code })));
}

describe("Microsoft", () => {
  const newTenant = { tenantAgeMs: 60_000, isBuyersOwn: false };
  const old = { tenantAgeMs: 3 * 3_600_000, isBuyersOwn: true };
  const refused = (status: number | undefined, code?: string) =>
    new ProviderError("microsoft", "refused", "POST /v1/customers", { status, code });

  test.each(codesOf(microsoftRefusals))("$code is met by the row “$name”", ({ name, status, code }) => {
    const at = name === "new tenant" ? newTenant : old;
    expect(policyByRules(microsoftRefusals, refused(status[0], code), at).met).toBe(name);
  });

  test("a code counts inside a success too", () => {
    expect(policyByRules(microsoftRefusals, refused(201, "800064"), old).met).toBe("busy");
  });

  test.each([
    ["a new tenant: passes", newTenant, "retry"],
    ["the buyer's own, later: goes back to the buyer", old, "ask-buyer"],
    [
      "one that we made, later: needs a person",
      { tenantAgeMs: 3 * 3_600_000, isBuyersOwn: false },
      "needs-attention",
    ],
    ["one from long ago: needs a person", { tenantAgeMs: null, isBuyersOwn: false }, "needs-attention"],
  ])("404/60003 of %s", (_, at, verdict) => {
    expect(policyByRules(microsoftRefusals, refused(404, "60003"), at).action).toBe(verdict);
  });

  test("no answer, and a 5xx without a code, pass; anything else needs a person", () => {
    const failed = (status: number | undefined) =>
      new ProviderError("microsoft", "transient", "GET /", {
        status,
        code: status === undefined ? "timeout" : undefined,
      });
    expect(policyByRules(microsoftRefusals, failed(undefined), old).action).toBe("retry");
    expect(policyByRules(microsoftRefusals, failed(502), old).action).toBe("retry");
    expect(policyByRules(microsoftRefusals, refused(400, "899999"), old).action).toBe("needs-attention");
    expect(policyByRules(microsoftRefusals, refused(403), old).action).toBe("needs-attention");
  });
});

describe("Google", () => {
  const refused = (status: number | undefined, code: string) =>
    new ProviderError("google", "refused", "POST /v1/accounts", { status, code });

  test.each(codesOf(googleErrorRules))("$code is met by the row “$name”", ({ name, status, code }) => {
    const at = { identityAgeMs: name === "new domain" ? 60_000 : null };
    expect(policyByRules(googleErrorRules, refused(status[0], code), at).met).toBe(name);
  });

  test("what the client knows to pass does not need a person for its code", () => {
    const passing = new ProviderError("google", "transient", "POST", { status: 409, code: "ALREADY_EXISTS" });
    expect(policyByRules(googleErrorRules, passing, { identityAgeMs: null }).action).toBe("retry");
  });
});
