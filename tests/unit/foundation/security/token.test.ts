import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashToken, isSameSecret, newToken } from "#server/foundation/security/token.ts";

describe("token", () => {
  it("contains 256 random bits in base64url", () => {
    const tokens = Array.from({ length: 100 }, newToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });

  it("hashes with SHA-256", () => {
    expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("compares as equality does", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isSameSecret(a, b) === (a === b)));
    fc.assert(fc.property(fc.string(), (a) => isSameSecret(a, `${a}`)));
  });
});
