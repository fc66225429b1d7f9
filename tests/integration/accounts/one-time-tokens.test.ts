import { describe, expect, it } from "vitest";
import { newId, type OrderId, type UserId } from "#db/ids.ts";
import type { TokenPurpose } from "#db/tables/enums.ts";
import { logIn, loginFailed } from "#server/accounts/login.ts";
import { newPasswordTooShort } from "#server/accounts/new-password.ts";
import { consumeToken, mintToken, peekToken } from "#server/accounts/one-time-tokens.ts";
import { resetPassword } from "#server/accounts/password-reset.ts";
import { findUser } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { secrets, somebody } from "./people.ts";

const test = await createTestDatabase();

const mint = (userId: UserId, purpose: TokenPurpose, ttlSeconds = 60, orderId: OrderId | null = null) =>
  test.db.transaction().execute((trx) => mintToken(trx, { purpose, userId, orderId, ttlSeconds }));
const consume = (purpose: TokenPurpose, token: string) =>
  test.db.transaction().execute((trx) => consumeToken(trx, { purpose, token }));
const reset = (token: string) =>
  test.db.transaction().execute((trx) => resetPassword(trx, { token, password: "a-new-Pass-1" }));

describe("a one-time token", () => {
  it("stores only a hash", async () => {
    const { id } = await somebody(test.db);
    const token = await mint(id, "reset-password");
    const rows = await test.db.selectFrom("one_time_tokens").selectAll().where("user_id", "=", id).execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows).toHaveLength(1);
  });

  it("allows repeated reads and a single use", async () => {
    const { id: userId } = await somebody(test.db);
    const orderId = newId<OrderId>();
    const token = await mint(userId, "resume-order", 60, orderId);
    const input = { purpose: "resume-order", token } as const;
    expect(await peekToken(test.db, input)).toEqual({ userId, orderId });
    expect(await peekToken(test.db, input)).toEqual({ userId, orderId });
    expect(await consume("resume-order", token)).toEqual({ userId, orderId });
    expect(await consume("resume-order", token)).toBeNull();
    expect(await peekToken(test.db, input)).toBeNull();
  });

  it("works only for its purpose and until it expires", async () => {
    const { id } = await somebody(test.db);
    const [token, late] = [await mint(id, "reset-password"), await mint(id, "reset-password", -1)];
    expect(await consume("set-password", token)).toBeNull();
    expect(await consume("reset-password", late)).toBeNull();
    expect(await consume("reset-password", "")).toBeNull();
    expect(await peekToken(test.db, { purpose: "reset-password", token: late })).toBeNull();
    expect(await consume("reset-password", token)).toEqual({ userId: id, orderId: null });
  });

  it("lets either of two links work until a password is set, which ends all of them", async () => {
    const { id } = await somebody(test.db);
    const { id: neighbour } = await somebody(test.db);
    const [one, two] = [await mint(id, "reset-password"), await mint(id, "reset-password")];
    const setting = await mint(id, "set-password");
    const resuming = await mint(id, "resume-order");
    const theirs = await mint(neighbour, "reset-password");
    expect(await peekToken(test.db, { purpose: "reset-password", token: one })).not.toBeNull();
    await reset(one);
    expect(await consume("reset-password", two)).toBeNull();
    expect(await consume("set-password", setting)).toBeNull();
    expect(await consume("resume-order", resuming)).toBeNull();
    expect(await consume("reset-password", theirs)).not.toBeNull();
  });

  it("lets one request in when used concurrently, also over several links", async () => {
    const { id } = await somebody(test.db);
    const token = await mint(id, "resume-order");
    const same = await Promise.all(Array.from({ length: 8 }, () => consume("resume-order", token)));
    expect(same.filter((holder) => holder !== null)).toHaveLength(1);

    const links = await Promise.all(Array.from({ length: 8 }, () => mint(id, "reset-password")));
    const several = await Promise.allSettled(links.map(reset));
    expect(several.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("stays usable when its transaction fails", async () => {
    const { id } = await somebody(test.db);
    const token = await mint(id, "reset-password");
    const failing = test.db.transaction().execute(async (trx) => {
      await consumeToken(trx, { purpose: "reset-password", token });
      throw new Error("later step failed");
    });
    await expect(failing).rejects.toThrow("later step failed");
    expect(await consume("reset-password", token)).not.toBeNull();
  });
});

describe("resetPassword", () => {
  const reset = (token: string, password: string) =>
    test.db.transaction().execute((trx) => resetPassword(trx, { token, password }));
  const logInWith = (email: string, password: string) =>
    logIn(test.db, secrets, { email, password }, "198.51.100.1");

  it("replaces the old password, once", async () => {
    const { id, email } = await somebody(test.db, { password: "old password" });
    const token = await mint(id, "reset-password");
    expect(await reset(token, "new password")).toBe(id);
    await expect(logInWith(email, "old password")).rejects.toThrow(english(loginFailed));
    expect((await logInWith(email, "new password")).user.userId).toBe(id);
    expect((await findUser(test.db, id))?.emailVerifiedAt).toBeInstanceOf(Date);
    await expect(reset(token, "third password")).rejects.toThrow("Failed to update password.");
  });

  it("refuses fewer than 8 characters without using up the link", async () => {
    const { id } = await somebody(test.db);
    const token = await mint(id, "reset-password");
    await expect(reset(token, "1234567")).rejects.toMatchObject({
      code: "bad_request",
      fields: { password: newPasswordTooShort },
    });
    await expect(reset(token, "x".repeat(1_025))).rejects.toMatchObject({ code: "bad_request" });
    expect(await reset(token, "quay-9-K")).toBe(id);
  });
});
