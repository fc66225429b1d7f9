/** A separate admin for a test, like the sandbox's: with a password and no second factor. */
import { randomInt } from "node:crypto";
import { hashPassword } from "#server/accounts/passwords.ts";
import type { Sql } from "./fixtures.ts";

export async function makeDeskAdmin(sql: Sql): Promise<{ email: string; password: string }> {
  const password = "correct horse battery";
  const email = `admin-${Date.now()}-${randomInt(1_000_000)}@example.com`;
  await sql("insert into staff (id, email, role, password_hash) values ($1, $2, 'admin', $3)", [
    crypto.randomUUID(),
    email,
    await hashPassword(password),
  ]);
  return { email, password };
}
