import { decodeJwt, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { SessionId } from "#db/ids.ts";
import { addMember, createCustomer } from "#server/accounts/customers.ts";
import {
  createSession,
  readSession,
  revokeAllSessions,
  revokeSession,
  sessionMaxSeconds,
} from "#server/accounts/sessions.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { secrets, somebody } from "./people.ts";

const test = await createTestDatabase();

const start = new Date("2026-03-01T10:00:00Z");
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const days = 24;

async function lastSeen(id: SessionId): Promise<Date> {
  const row = await test.db
    .selectFrom("sessions")
    .select("last_seen_at")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.last_seen_at;
}

describe("a session", () => {
  it("returns the user and the first company joined", async () => {
    const { id: userId, email } = await somebody(test.db);
    const { token, sessionId } = await createSession(test.db, secrets, userId);
    const user = {
      userId,
      sessionId,
      email,
      firstName: "Asha",
      lastName: "Rao",
      phone: "9876543210",
      role: "CUSTOMER",
      customer: null,
      isKeptOut: false,
    };
    expect(await readSession(test.db, secrets, token)).toEqual(user);

    const { id: ownerId } = await somebody(test.db);
    const make = (name: string) =>
      test.db.transaction().execute((trx) => createCustomer(trx, { name, country: "IN", ownerId }));
    const [first, second] = [await make("First"), await make("Second")];
    for (const customerId of [first, second]) {
      await test.db
        .transaction()
        .execute((trx) => addMember(trx, { customerId, userId, role: "viewer", by: ownerId }));
    }
    expect(await readSession(test.db, secrets, token)).toEqual({
      ...user,
      customer: { id: first, name: "First", country: "IN", role: "viewer" },
    });
  });

  it("identifies itself with a JWT of ids and times only", async () => {
    const { id } = await somebody(test.db);
    const { token, sessionId } = await createSession(test.db, secrets, id, start);
    const iat = start.getTime() / 1_000;
    expect(decodeJwt(token)).toEqual({
      sid: sessionId,
      sub: id,
      aud: "session",
      iat,
      exp: iat + sessionMaxSeconds,
    });
  });

  it("refuses tokens that are altered, unsigned, another's or for another purpose", async () => {
    const { id } = await somebody(test.db);
    const { token, sessionId } = await createSession(test.db, secrets, id);
    const sign = (claims: Record<string, unknown>, key = secrets[0]) =>
      new SignJWT({ sid: sessionId, sub: id, aud: "session", ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(new TextEncoder().encode(key));
    const [, payload] = token.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    const { id: other } = await somebody(test.db);
    const bad = [
      "",
      "x",
      "a.b.c",
      `${token}x`,
      unsigned,
      await sign({}, "another-secret-of-at-least-32-chars"),
      await sign({ aud: "draft" }),
      await sign({ sub: other }),
      await sign({ sid: "x' or 1=1" }),
      await sign({ sid: 7 }),
    ];
    expect(await readSession(test.db, secrets, await sign({}))).not.toBeNull();
    for (const text of bad) expect(await readSession(test.db, secrets, text)).toBeNull();
  });

  it("ignores a token signed with another key", async () => {
    const { id } = await somebody(test.db);
    const { sessionId } = await createSession(test.db, secrets, id, start);
    const forged = await new SignJWT({ sid: sessionId, sub: id, aud: "session" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(hoursLater(50 * days))
      .sign(new TextEncoder().encode("another-secret-of-at-least-32-chars"));
    expect(await readSession(test.db, secrets, forged, hoursLater(20 * days))).toBeNull();
    expect(await lastSeen(sessionId)).toEqual(start);
  });

  it("ends when it or all sessions of the user are revoked", async () => {
    const { id } = await somebody(test.db);
    const sessions = [];
    for (let n = 0; n < 3; n += 1) sessions.push(await createSession(test.db, secrets, id));
    const [first, second, third] = sessions;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("Expected three sessions");
    await revokeSession(test.db, first.sessionId);
    expect(await readSession(test.db, secrets, first.token)).toBeNull();
    expect(await readSession(test.db, secrets, second.token)).not.toBeNull();
    await revokeAllSessions(test.db, id);
    expect(await readSession(test.db, secrets, second.token)).toBeNull();
    expect(await readSession(test.db, secrets, third.token)).toBeNull();
  });

  it("refuses a user who was disabled outside the usual function", async () => {
    const { id } = await somebody(test.db);
    const { token } = await createSession(test.db, secrets, id);
    await test.db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", id).execute();
    expect(await readSession(test.db, secrets, token)).toBeNull();
  });

  it("ends 30 days after it was last used", async () => {
    const { id } = await somebody(test.db);
    const { token } = await createSession(test.db, secrets, id, start);
    expect(await readSession(test.db, secrets, token, hoursLater(29 * days))).not.toBeNull();
    expect(await readSession(test.db, secrets, token, hoursLater(58 * days))).not.toBeNull();
    expect(await readSession(test.db, secrets, token, hoursLater(88 * days))).toBeNull();
  });

  it("ends after 180 days regardless of use", async () => {
    const { id } = await somebody(test.db);
    const { token } = await createSession(test.db, secrets, id, start);
    for (let day = 20; day < 180; day += 20) {
      expect(await readSession(test.db, secrets, token, hoursLater(day * days))).not.toBeNull();
    }
    expect(await readSession(test.db, secrets, token, hoursLater(180 * days - 1))).not.toBeNull();
    expect(await readSession(test.db, secrets, token, hoursLater(180 * days))).toBeNull();
  });

  it("updates the time of last use at most once an hour", async () => {
    const { id } = await somebody(test.db);
    const { token, sessionId } = await createSession(test.db, secrets, id, start);
    await readSession(test.db, secrets, token, hoursLater(0.9));
    expect(await lastSeen(sessionId)).toEqual(start);
    await readSession(test.db, secrets, token, hoursLater(1.5));
    expect(await lastSeen(sessionId)).toEqual(hoursLater(1.5));
    await readSession(test.db, secrets, token, hoursLater(2));
    expect(await lastSeen(sessionId)).toEqual(hoursLater(1.5));
  });
});
