import { describe, expect, it } from "vitest";
import { newId } from "#db/ids.ts";
import { createSession, readSession } from "#server/accounts/sessions.ts";
import {
  accountExistsMessage,
  createUser,
  findUser,
  findUserByEmail,
  setPassword,
} from "#server/accounts/users.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { disable } from "#tests/support/people.ts";
import { secrets, somebody } from "./people.ts";

const test = await createTestDatabase();

describe("createUser and setPassword", () => {
  it("finds users by email, ignoring case and surrounding spaces", async () => {
    const { id } = await somebody(test.db, { email: " Asha.Rao@Example.com " });
    for (const email of ["asha.rao@example.com", "ASHA.RAO@EXAMPLE.COM", "  asha.rao@example.com\t"]) {
      expect(await findUserByEmail(test.db, email)).toMatchObject({ id, email: "Asha.Rao@Example.com" });
    }
    expect(await findUserByEmail(test.db, "asha_rao@example.com")).toBeNull();
    expect(await findUserByEmail(test.db, "asha%")).toBeNull();
  });

  it("creates unproven customers, without a password when none is given", async () => {
    const { id } = await somebody(test.db);
    expect(await findUser(test.db, id)).toMatchObject({
      role: "CUSTOMER",
      hasPassword: false,
      emailVerifiedAt: null,
      disabledAt: null,
    });
    expect(await findUser(test.db, newId())).toBeNull();
  });

  it("refuses a second user with the same email and keeps the transaction usable", async () => {
    const { email } = await somebody(test.db);
    const again = { email: email.toUpperCase(), firstName: "A", lastName: "B", phone: "1", password: null };
    await test.db.transaction().execute(async (trx) => {
      await expect(createUser(trx, again)).rejects.toMatchObject({
        code: "conflict",
        status: 409,
        fields: { email: accountExistsMessage },
      });
      expect(await findUserByEmail(trx, email)).not.toBeNull();
    });
  });

  it("creates one user for ten simultaneous calls", async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        somebody(test.db, { email: index % 2 === 0 ? "race@example.com" : "RACE@example.com" }),
      ),
    );
    expect(all.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of all) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
    }
  });

  it("ends all sessions on a new password; a mailed token proves the email", async () => {
    const { id } = await somebody(test.db, { password: "old" });
    const { token } = await createSession(test.db, secrets, id);
    await test.db.transaction().execute((trx) => setPassword(trx, id, "new-1", { byMailedToken: false }));
    expect(await readSession(test.db, secrets, token)).toBeNull();
    expect((await findUser(test.db, id))?.emailVerifiedAt).toBeNull();

    await test.db.transaction().execute((trx) => setPassword(trx, id, "new-2", { byMailedToken: true }));
    expect((await findUser(test.db, id))?.emailVerifiedAt).toBeInstanceOf(Date);
    const log = await test.db
      .selectFrom("audit_log")
      .select(["action", "data"])
      .where("subject", "=", `user:${id}`)
      .orderBy("id")
      .execute();
    expect(log).toEqual([
      { action: "user.create", data: {} },
      { action: "password.set", data: { byMailedToken: false } },
      {
        action: "email.verify",
        data: { membersRemoved: 0, invitesWithdrawn: 0, passwordRemoved: false },
      },
      { action: "password.set", data: { byMailedToken: true } },
    ]);
  });

  it("refuses to set the password of an unknown user", async () => {
    const setting = test.db
      .transaction()
      .execute((trx) => setPassword(trx, newId(), "x", { byMailedToken: true }));
    await expect(setting).rejects.toMatchObject({ code: "not_found" });
  });

  it("ends all sessions of a disabled user at once", async () => {
    const { id } = await somebody(test.db);
    const { token } = await createSession(test.db, secrets, id);
    await disable(test.db, id);
    expect(await readSession(test.db, secrets, token)).toBeNull();
    expect((await findUser(test.db, id))?.disabledAt).toBeInstanceOf(Date);
  });
});
