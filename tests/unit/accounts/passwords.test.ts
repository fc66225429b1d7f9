import { hash as argon2, parseOptions } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { hashPassword, maxPasswordBytes, verifyPassword as verify } from "#server/accounts/passwords.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { encode } from "#server/foundation/web/encoding.ts";

/** Verifies a password, and collects the hashes that would replace the given one. */
async function check(hash: string | null, password: string) {
  const replaced: string[] = [];
  const isRight = await verify(hash, password, async (newHash) => replaced.push(newHash));
  return { isRight, replaced };
}
const verifyPassword = async (hash: string | null, password: string) => (await check(hash, password)).isRight;

describe("a password", () => {
  it("hashes with argon2id, OWASP's parameters and a salt", async () => {
    const [one, two] = await Promise.all([hashPassword("secret"), hashPassword("secret")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(one)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1, saltLen: 16 });
    expect(one).not.toBe(two);
  });

  it.each(["secret", "", "pässwörd 🔑", "x".repeat(maxPasswordBytes)])(
    "opens with %j only",
    async (password) => {
      const hash = await hashPassword(password);
      expect(await verifyPassword(hash, password)).toBe(true);
      expect(await verifyPassword(hash, `${password.slice(1)}!`)).toBe(false);
    },
  );

  it("limits the length in bytes, not characters", async () => {
    const tooLong = "é".repeat(maxPasswordBytes / 2 + 1);
    await expect(hashPassword(tooLong)).rejects.toBeInstanceOf(DomainError);
    await expect(hashPassword(tooLong)).rejects.toMatchObject({
      code: "bad_request",
      fields: { password: msg("access.passwordTooLong") },
    });
    expect(await verifyPassword(await hashPassword("secret"), tooLong)).toBe(false);
  });

  it("leaves threads for pages while many passwords are hashed", async () => {
    let hashed = 0;
    const passwords = Array.from({ length: 24 }, async () => {
      await hashPassword("secret");
      hashed += 1;
    });
    await encode(Buffer.from("<p>a page</p>".repeat(2_000)), "br");
    // A page that waits for all hashes would finish after the last one.
    expect(hashed).toBeLessThan(12);
    await Promise.all(passwords);
    expect(hashed).toBe(24);
  });

  it("matches no unknown account, in about the same time", async () => {
    const hash = await hashPassword("secret");
    await verifyPassword(null, "warm up");
    const known = await timeOf(() => verifyPassword(hash, "wrong"));
    const unknown = await timeOf(() => verifyPassword(null, "wrong"));
    expect(await verifyPassword(null, "")).toBe(false);
    // A loose limit that detects a skipped verification (1,000 times faster) even on a busy machine.
    expect(unknown).toBeGreaterThan(known / 10);
  });
});

describe("a password typed on another system", () => {
  const spellings = [
    ["an accent", "Caf\u00e9-lait-2026", "Cafe\u0301-lait-2026"],
    ["full-width digits", "Order-2026", "Order-\uff12\uff10\uff12\uff16"],
    ["a nukta", "\u0958लम-2026", "\u0915\u093cलम-2026"],
    ["two marks", "Việt-Nam-1", "Vie\u0323\u0302t-Nam-1"],
    ["a ligature", "of\ufb01ce-2026", "office-2026"],
    ["half-width kana", "\uff76\uff9e-2026", "\u30ac-2026"],
    ["a no-break space", "two\u00a0words", "two words"],
  ] as const;

  it.each(spellings)("opens with %s in either spelling", async (_what, one, other) => {
    for (const [set, typed] of [
      [one, other],
      [other, one],
    ] as const) {
      const checked = await check(await hashPassword(set), typed);
      expect(checked).toEqual({ isRight: true, replaced: [] });
    }
  });

  it.each(spellings)("opens and replaces hashes from before normalisation: %s", async (_what, one, other) => {
    for (const before of [one, other]) {
      const old = await argon2(before, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      const { isRight, replaced } = await check(old, before);
      expect(isRight).toBe(true);
      const isToday = before === before.normalize("NFKC");
      expect(replaced).toHaveLength(isToday ? 0 : 1);
      for (const newHash of replaced) {
        expect(await check(newHash, one)).toEqual({ isRight: true, replaced: [] });
        expect(await check(newHash, other)).toEqual({ isRight: true, replaced: [] });
      }
      expect(await verifyPassword(old, `${before}!`)).toBe(false);
    }
  });

  it("opens an old hash with another keyboard's spelling", async () => {
    const old = await argon2("Cafe\u0301-lait-2026", { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    expect((await check(old, "Caf\u00e9-lait-2026")).isRight).toBe(true);
  });

  it("opens a long password with decomposed characters", async () => {
    const password = "\u00e9".repeat(maxPasswordBytes / 2);
    expect(await verifyPassword(await hashPassword(password), password.normalize("NFD"))).toBe(true);
  });
});

/** Returns the fastest of five runs, in milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
