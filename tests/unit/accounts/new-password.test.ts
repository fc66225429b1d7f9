import { describe, expect, test } from "vitest";
import {
  hashNewPassword,
  newPasswordNamesEmail,
  newPasswordNamesStore,
  newPasswordTooCommon,
} from "#server/accounts/new-password.ts";
import { verifyPassword } from "#server/accounts/passwords.ts";

const email = "Asha.Rao+tax@loom.example";

describe("a new password", () => {
  test.each(["password", "123456", "Password1", "iloveyou1", " dragon ", "ｑｗｅｒｔｙ", "HAPPINESS"])(
    "refuses %j as common",
    async (password) => {
      await expect(hashNewPassword(password, email)).rejects.toMatchObject({
        fields: { password: newPasswordTooCommon },
      });
    },
  );

  test.each([
    "Hubs of Happiness",
    "hubsofhappiness",
    "HUBS-OF-HAPPINESS-2026!",
    "Hubs",
    "hub42",
    "2026happiness",
    "Hubs0fH@ppine$s99",
    "hubs-Admin",
    "PasswordHubs",
    "hubshubs",
  ])("refuses %j as the store's name", async (password) => {
    await expect(hashNewPassword(password, email)).rejects.toMatchObject({
      fields: { password: newPasswordNamesStore },
    });
  });

  test.each([
    email,
    "ASHA.RAO+TAX@LOOM.EXAMPLE",
    "asha.rao+tax",
    "AshaRaoTax1!",
    "a5ha.rao+tax",
    " asha.rao+tax ",
  ])("refuses %j as the account's email", async (password) => {
    await expect(hashNewPassword(password, email)).rejects.toMatchObject({
      fields: { password: newPasswordNamesEmail },
    });
  });

  test.each([
    "x7",
    "1",
    "हाथी",
    "a-good-Pass-1",
    "hubcap-Teal-19",
    "tea in the rain",
    "rao",
    "7$%",
    "x".repeat(1_024),
  ])("accepts %j", async (password) => {
    const hash = await hashNewPassword(password, email);
    expect(await verifyPassword(hash, password, async () => undefined)).toBe(true);
  });

  test("accepts a word added to the mailbox, as the demo data does", async () => {
    expect(await hashNewPassword("demo-Pass-1", "demo@example.com")).toMatch(/^\$argon2id/);
  });

  test("accepts the letters of a mailbox too short to name anything", async () => {
    expect(await hashNewPassword("ab-Long-enough", "ab@loom.example")).toMatch(/^\$argon2id/);
  });

  test.each(["1".repeat(60_000), `h${"1h".repeat(30_000)}`, "@".repeat(60_000)])(
    "refuses a text of 60 kB before comparing it",
    async (password) => {
      await expect(hashNewPassword(password, email)).rejects.toMatchObject({ code: "bad_request" });
    },
  );
});
