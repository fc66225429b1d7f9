import { setTimeout as sleep } from "node:timers/promises";
import { hash } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { logIn, loginFailed } from "#server/accounts/login.ts";
import { readSession } from "#server/accounts/sessions.ts";
import { setPassword } from "#server/accounts/users.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { disable } from "#tests/support/people.ts";
import { secrets, somebody } from "./people.ts";

const test = await createTestDatabase();

const wrong = { code: "unauthenticated", status: 401, message: english(loginFailed) };
const full = {
  code: "rate_limited",
  status: 429,
  message: expect.stringMatching(/^Too many attempts\. Please try again in/),
};

let subnet = 0;
/** Shared by all attempts, so that no test crosses the end of a rate limit window. */
const now = new Date();

/** Returns an address that no other test uses. */
function freshAddress(): string {
  subnet += 1;
  return `10.0.${subnet}.1`;
}

function attempt(email: string, password: string, clientAddress: string) {
  return logIn(test.db, secrets, { email, password }, clientAddress, now);
}

describe("logIn", () => {
  it("opens a session for the right password, ignoring the case of the email", async () => {
    const { id, email } = await somebody(test.db, { password: "right" });
    const { token, user } = await attempt(` ${email.toUpperCase()} `, "right", freshAddress());
    expect(user).toMatchObject({ userId: id, email, role: "CUSTOMER", customer: null });
    expect(await readSession(test.db, secrets, token)).toEqual(user);
  });

  it("gives one error for a wrong password, unknown email and unusable accounts", async () => {
    const from = freshAddress();
    const { email } = await somebody(test.db, { password: "right" });
    const { email: passwordless } = await somebody(test.db);
    const { id, email: disabled } = await somebody(test.db, { password: "right" });
    await disable(test.db, id);
    await expect(attempt(email, "wrong", from)).rejects.toMatchObject(wrong);
    await expect(attempt("nobody@example.com", "wrong", from)).rejects.toMatchObject(wrong);
    await expect(attempt(passwordless, "", from)).rejects.toMatchObject(wrong);
    await expect(attempt(disabled, "right", from)).rejects.toMatchObject(wrong);
    expect(await test.db.selectFrom("sessions").selectAll().where("user_id", "=", id).execute()).toEqual([]);
  });

  it("blocks an account after 5 failures from one address, but not elsewhere", async () => {
    const [here, elsewhere] = [freshAddress(), freshAddress()];
    const { email } = await somebody(test.db, { password: "right" });
    for (let n = 0; n < 5; n += 1) await expect(attempt(email, "wrong", here)).rejects.toMatchObject(wrong);
    await expect(attempt(email.toUpperCase(), "right", here)).rejects.toMatchObject(full);
    await expect(attempt(email, "right", elsewhere)).resolves.toBeDefined();
  });

  it("blocks an unknown email in the same way", async () => {
    const from = freshAddress();
    for (let n = 0; n < 5; n += 1) {
      await expect(attempt("ghost@example.com", "wrong", from)).rejects.toMatchObject(wrong);
    }
    await expect(attempt("ghost@example.com", "wrong", from)).rejects.toMatchObject(full);
  });

  it("checks at most five of many simultaneous guesses", async () => {
    const from = freshAddress();
    const { email } = await somebody(test.db, { password: "right" });
    const guesses = await Promise.allSettled(Array.from({ length: 15 }, () => attempt(email, "wrong", from)));
    const codes = guesses.map((guess) =>
      guess.status === "rejected" && guess.reason instanceof DomainError ? guess.reason.code : "other",
    );
    expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(5);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(10);
  });

  it("blocks an address (an IPv6 /64) after 20 failures over many accounts", async () => {
    for (let n = 0; n < 20; n += 1) {
      await expect(attempt(`spray-${n}@example.com`, "x", `2001:db8::${n + 1}`)).rejects.toMatchObject(wrong);
    }
    await expect(attempt("spray-21@example.com", "x", "2001:db8::ffff")).rejects.toMatchObject(full);
    await expect(attempt("spray-21@example.com", "x", "2001:db8:0:1::1")).rejects.toMatchObject(wrong);
  });

  it("counts only failures, and a success resets them", async () => {
    const from = freshAddress();
    const { email } = await somebody(test.db, { password: "right" });
    for (let n = 0; n < 25; n += 1) await attempt(email, "right", from);
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 4; n += 1) await expect(attempt(email, "wrong", from)).rejects.toMatchObject(wrong);
      await attempt(email, "right", from);
    }
  });

  it("refuses the old password while the new one is being set", async () => {
    const { id, email } = await somebody(test.db, { password: "old" });
    let login: Promise<unknown> = Promise.resolve();
    await test.db.transaction().execute(async (trx) => {
      await setPassword(trx, id, "new", { byMailedToken: false });
      login = attempt(email, "old", freshAddress());
      // Awaited after the transaction; this handler prevents an unhandled rejection until then.
      login.catch(() => undefined);
      await sleep(300);
    });
    await expect(login).rejects.toMatchObject(wrong);
    const open = test.db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", id)
      .where("revoked_at", "is", null);
    expect(await open.execute()).toEqual([]);
  });

  it("stores no readable email or address in the counters", async () => {
    const { email } = await somebody(test.db, { password: "right" });
    await expect(attempt(email, "wrong", "203.0.113.77")).rejects.toMatchObject(wrong);
    const keys = (await test.db.selectFrom("rate_limit_windows").select("key").execute())
      .map((row) => row.key)
      .join("\n");
    expect(keys).not.toContain("example.com");
    expect(keys).not.toContain("203.0.113");
  });
});

describe("a password hashed in another Unicode spelling", () => {
  it.each([
    ["an accent apart", "Cafe\u0301-lait-2026", "Caf\u00e9-lait-2026"],
    ["full-width digits", "Order-\uff12\uff10\uff12\uff16", "Order-\uff12\uff10\uff12\uff16"],
    ["a nukta in one character", "\u0958लम-2026-x", "\u0958लम-2026-x"],
    ["two marks", "Vie\u0323\u0302t-Nam-1", "Việt-Nam-1"],
    ["a ligature", "of\ufb01ce-2026-x", "of\ufb01ce-2026-x"],
  ])("opens the account, then accepts every spelling: %s", async (_what, before, typed) => {
    const { id, email } = await somebody(test.db, { password: "right" });
    const old = await hash(before, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await test.db.updateTable("users").set({ password_hash: old }).where("id", "=", id).execute();
    expect((await attempt(email, typed, freshAddress())).user.userId).toBe(id);
    const { password_hash: replaced } = await test.db
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(replaced).not.toBe(old);
    for (const spelling of [before, typed, before.normalize("NFKC")])
      expect((await attempt(email, spelling, freshAddress())).user.userId).toBe(id);
    await expect(attempt(email, `${typed}!`, freshAddress())).rejects.toMatchObject(wrong);
  });
});
