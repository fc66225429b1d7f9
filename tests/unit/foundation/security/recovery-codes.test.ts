/** Recovery codes: ten, hard to guess, and accepted in any spelling. */
import { expect, test } from "vitest";
import { hashRecoveryCode, newRecoveryCodes } from "#server/foundation/security/recovery-codes.ts";

test("creates ten codes without ambiguous characters", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
});

test("accepts a code in capitals, without hyphens and with spaces", () => {
  const [code = ""] = newRecoveryCodes();
  const hash = hashRecoveryCode(code);
  expect(hashRecoveryCode(code.toUpperCase())).toBe(hash);
  expect(hashRecoveryCode(` ${code.replaceAll("-", " ")} `)).toBe(hash);
  expect(hashRecoveryCode(`${code}x`)).not.toBe(hash);
});
