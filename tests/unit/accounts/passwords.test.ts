import { parseOptions } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { hashPassword, maxPasswordBytes, verifyPassword } from "#server/accounts/passwords.ts";
import { DomainError } from "#server/errors.ts";
import { msg } from "#server/languages/text.ts";
import { encode } from "#server/web/encoding.ts";

describe("passwords", () => {
  it("are hashed with argon2id and OWASP's parameters, salted", async () => {
    const [one, two] = await Promise.all([hashPassword("secret"), hashPassword("secret")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(one)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1, saltLen: 16 });
    expect(one).not.toBe(two);
  });

  it.each(["secret", "", "pässwörd 🔑", "x".repeat(maxPasswordBytes)])(
    "open with %j only",
    async (password) => {
      const hash = await hashPassword(password);
      expect(await verifyPassword(hash, password)).toBe(true);
      expect(await verifyPassword(hash, `${password.slice(1)}!`)).toBe(false);
    },
  );

  it("are capped in bytes, not characters", async () => {
    const tooLong = "é".repeat(maxPasswordBytes / 2 + 1);
    await expect(hashPassword(tooLong)).rejects.toBeInstanceOf(DomainError);
    await expect(hashPassword(tooLong)).rejects.toMatchObject({
      code: "bad_request",
      fields: { password: msg("access.passwordTooLong") },
    });
    expect(await verifyPassword(await hashPassword("secret"), tooLong)).toBe(false);
  });

  it("leave threads to pages, however many are hashed", async () => {
    let hashed = 0;
    const passwords = Array.from({ length: 24 }, async () => {
      await hashPassword("secret");
      hashed += 1;
    });
    await encode(Buffer.from("<p>a page</p>".repeat(2_000)), "br");
    // A page behind all of them would come with the last.
    expect(hashed).toBeLessThan(12);
    await Promise.all(passwords);
    expect(hashed).toBe(24);
  });

  it("never match for nobody, and take about as long", async () => {
    const hash = await hashPassword("secret");
    await verifyPassword(null, "warm up");
    const known = await timeOf(() => verifyPassword(hash, "wrong"));
    const unknown = await timeOf(() => verifyPassword(null, "wrong"));
    expect(await verifyPassword(null, "")).toBe(false);
    // Loose on purpose: it tells a skipped verification (a factor of a thousand) on a busy machine too.
    expect(unknown).toBeGreaterThan(known / 10);
  });
});

/** The fastest of five, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
