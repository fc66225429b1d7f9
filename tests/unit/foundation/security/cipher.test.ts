import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decrypt, type EncryptionKeys, encrypt } from "#server/foundation/security/cipher.ts";

const key = keyNamed(null);

function keyNamed(id: string | null, bytes: Buffer = randomBytes(32)): EncryptionKeys {
  return [{ id, bytes }];
}

describe("cipher", () => {
  it("decrypts any encrypted text in any context", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, context) => {
        expect(decrypt(key, encrypt(key, text, context), context)).toBe(text);
      }),
    );
  });

  it("writes a version, and neither repeats nor reveals the text", () => {
    const [one, two] = [encrypt(key, "secret", "here"), encrypt(key, "secret", "here")];
    expect(one).toMatch(/^v1\.[\w-]+$/);
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), "base64url").toString("latin1")).not.toContain("secret");
  });

  it("refuses another context or key", () => {
    const text = encrypt(key, "secret", "credentials:1");
    expect(() => decrypt(key, text, "credentials:2")).toThrow("does not open");
    expect(() => decrypt(keyNamed(null), text, "credentials:1")).toThrow("does not open");
  });

  it("refuses a ciphertext with a changed bit", () => {
    const bytes = Buffer.from(encrypt(key, "secret", "here").slice(3), "base64url");
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (index, bit) => {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(altered.readUInt8(index) ^ (1 << bit), index);
        expect(() => decrypt(key, `v1.${altered.toString("base64url")}`, "here")).toThrow();
      }),
    );
  });

  it.each(["", "secret", "v2.AAAA", "v2.a.AAAA", "v3.a.AAAA", "v1.", "v1.AAAA"])(
    "refuses %j as a ciphertext",
    (text) => {
      expect(() => decrypt(key, text, "here")).toThrow("known version");
    },
  );

  it("demands a key of 32 bytes", () => {
    expect(() => encrypt(keyNamed(null, randomBytes(16)), "secret", "here")).toThrow(RangeError);
    expect(() => decrypt(keyNamed(null, randomBytes(31)), "v1.AAAA", "here")).toThrow(RangeError);
  });

  it("names its key, and decrypts only with that key", () => {
    const [[old], [next]] = [keyNamed("old"), keyNamed("new")];
    const text = encrypt([next, old], "secret", "here");
    expect(text).toMatch(/^v2\.new\.[\w-]+$/);
    expect(decrypt([old, next], text, "here")).toBe("secret");
    expect(() => decrypt([old], text, "here")).toThrow("(v2.new.) is not among those given");
    expect(() => decrypt([{ ...old, id: "new" }], text, "here")).toThrow("does not open");
  });

  it("decrypts a text from before keys had ids, even if the key now has one", () => {
    const text = encrypt(key, "secret", "here");
    const [next] = keyNamed("new");
    const named = { id: "old", bytes: key[0].bytes };
    expect(decrypt([next, key[0]], text, "here")).toBe("secret");
    expect(decrypt([next, named], text, "here")).toBe("secret");
    expect(() => decrypt([next], text, "here")).toThrow("does not open");
  });

  it("refuses a changed key id, which is authenticated", () => {
    const text = encrypt(keyNamed("a", key[0].bytes), "secret", "here");
    expect(() => decrypt(keyNamed("b", key[0].bytes), text.replace("v2.a.", "v2.b."), "here")).toThrow(
      "does not open",
    );
    expect(() => decrypt(key, text.replace("v2.a.", "v1."), "here")).toThrow("does not open");
  });
});
