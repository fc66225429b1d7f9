import { describe, expect, test } from "vitest";
import { type ErrorRule, policyByRules } from "#server/catalogue/families/error-policies.ts";
import { googleErrorRules } from "#server/catalogue/families/google/error-rules.ts";
import { microsoftRefusals } from "#server/catalogue/families/microsoft/refusals.ts";
import { ProviderError } from "#server/integrations/errors.ts";

/** Lists each code of each rule, with the name and statuses of the rule. */
function codesOf<At>(rows: readonly ErrorRule<At>[]) {
  return rows.flatMap(({ name, status, codes }) => (codes ?? []).map((code) => ({ name, status, code })));
}

describe("Microsoft", () => {
  const newTenant = { tenantAgeMs: 60_000, isBuyersOwn: false };
  const old = { tenantAgeMs: 3 * 3_600_000, isBuyersOwn: true };
  const refused = (status: number | undefined, code?: string) =>
    new ProviderError("microsoft", "refused", "POST /v1/customers", { status, code });

  test.each(codesOf(microsoftRefusals))("matches $code to the rule “$name”", ({ name, status, code }) => {
    const at = name === "new tenant" ? newTenant : old;
    expect(policyByRules(microsoftRefusals, refused(status[0], code), at).met).toBe(name);
  });

  test("matches a code inside a successful response too", () => {
    expect(policyByRules(microsoftRefusals, refused(201, "800064"), old).met).toBe("busy");
  });

  test.each([
    ["a new tenant: retry", newTenant, "retry"],
    ["the buyer's own tenant, later: ask the buyer", old, "ask-buyer"],
    [
      "a tenant of the store, later: needs attention",
      { tenantAgeMs: 3 * 3_600_000, isBuyersOwn: false },
      "needs-attention",
    ],
    [
      "a tenant of unknown age: needs attention",
      { tenantAgeMs: null, isBuyersOwn: false },
      "needs-attention",
    ],
  ])("handles 404/60003 of %s", (_, at, verdict) => {
    expect(policyByRules(microsoftRefusals, refused(404, "60003"), at).action).toBe(verdict);
  });

  test("retries timeouts and 5xx without a code; anything else needs attention", () => {
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

  test.each(codesOf(googleErrorRules))("matches $code to the rule “$name”", ({ name, status, code }) => {
    const at = { identityAgeMs: name === "new domain" ? 60_000 : null };
    expect(policyByRules(googleErrorRules, refused(status[0], code), at).met).toBe(name);
  });

  test("retries an error that the client knows to be transient, despite its code", () => {
    const passing = new ProviderError("google", "transient", "POST", { status: 409, code: "ALREADY_EXISTS" });
    expect(policyByRules(googleErrorRules, passing, { identityAgeMs: null }).action).toBe("retry");
  });
});
