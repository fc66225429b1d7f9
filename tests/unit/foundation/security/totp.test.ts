/** Codes of authenticator apps as in RFC 6238, valid only around the current time. */
import fc from "fast-check";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { newTotpSecret, stepOfCode, totpUri } from "#server/foundation/security/totp.ts";

const secret = Secret.fromUTF8("12345678901234567890").base32;
const at = (seconds: number) => new Date(seconds * 1_000);
const codeAt = (time: Date, of = secret) =>
  new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: time.getTime() });

test.each([
  [59, "287082", 1],
  [1_111_111_109, "081804", 37_037_036],
  [1_111_111_111, "050471", 37_037_037],
  [1_234_567_890, "005924", 41_152_263],
  [2_000_000_000, "279037", 66_666_666],
  [20_000_000_000, "353130", 666_666_666],
])("accepts after %i seconds the code of RFC 6238, appendix B: %s", (seconds, code, step) => {
  expect(stepOfCode(secret, code, at(seconds))).toBe(step);
});

test("accepts a code one step before and after its own, and returns its step", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1e9 }), fc.integer({ min: -4, max: 4 }), (step, away) => {
      const found = stepOfCode(secret, codeAt(at(step * 30)), at((step + away) * 30));
      // Another step's code of six digits is equal once in a million.
      const again = [-1, 0, 1].some(
        (near) => codeAt(at((step + away + near) * 30)) === codeAt(at(step * 30)),
      );
      expect(found !== null).toBe(again);
      if (Math.abs(away) <= 1) expect(found).toBe(step);
    }),
  );
});

test.each(["", "12345", "1234567", "abcdef", "٢٨٧٠٨٢"])("refuses %j", (code) => {
  expect(stepOfCode(secret, code, at(59))).toBeNull();
});

test("creates secrets of 160 random bits", () => {
  const secrets = Array.from({ length: 50 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const each of secrets) expect(Secret.fromBase32(each).buffer.byteLength).toBe(20);
});

test("names the store and the account in the app's URI", () => {
  const address = new URL(totpUri(secret, { issuer: "Hub desk", email: "asha@example.com" }));
  expect(address.protocol).toBe("otpauth:");
  expect(decodeURIComponent(address.pathname)).toContain("desk:asha@example.com");
  expect(address.searchParams.get("secret")).toBe(secret);
});
