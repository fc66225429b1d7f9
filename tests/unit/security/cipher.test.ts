import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "#server/security/cipher.ts";

const key = randomBytes(32);

describe("cipher", () => {
  it("opens what it closed, any text in any context", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, context) => {
        expect(decrypt(key, encrypt(key, text, context), context)).toBe(text);
      }),
    );
  });

  it("writes a version and nothing that repeats or can be read", () => {
    const [one, two] = [encrypt(key, "secret", "here"), encrypt(key, "secret", "here")];
    expect(one).toMatch(/^v1\.[\w-]+$/);
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), "base64url").toString("latin1")).not.toContain("secret");
  });

  it("does not open in another context or with another key", () => {
    const text = encrypt(key, "secret", "credentials:1");
    expect(() => decrypt(key, text, "credentials:2")).toThrow("does not open");
    expect(() => decrypt(randomBytes(32), text, "credentials:1")).toThrow("does not open");
  });

  it("does not open once a single bit is changed", () => {
    const bytes = Buffer.from(encrypt(key, "secret", "here").slice(3), "base64url");
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (index, bit) => {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(altered.readUInt8(index) ^ (1 << bit), index);
        expect(() => decrypt(key, `v1.${altered.toString("base64url")}`, "here")).toThrow();
      }),
    );
  });

  it.each(["", "secret", "v2.AAAA", "v1.", "v1.AAAA"])("does not take %j for a ciphertext", (text) => {
    expect(() => decrypt(key, text, "here")).toThrow("known version");
  });

  it("demands a key of 32 bytes", () => {
    expect(() => encrypt(randomBytes(16), "secret", "here")).toThrow(RangeError);
    expect(() => decrypt(randomBytes(31), "v1.AAAA", "here")).toThrow(RangeError);
  });
});
