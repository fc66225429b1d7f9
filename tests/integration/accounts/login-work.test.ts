/** A login does the same work whether or not the email is known, so response times do not reveal our customers. */
import type * as Argon2 from "@node-rs/argon2";
import { afterAll, expect, it, vi } from "vitest";
import { createTestDatabase } from "#tests/support/database.ts";
import { disable } from "#tests/support/people.ts";
import { secrets, somebody } from "./people.ts";

// Fresh modules, because the work of a process's first login counts too.
vi.resetModules();
vi.doMock("@node-rs/argon2", async (original) => {
  const real = await original<typeof Argon2>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});
const argon2 = await import("@node-rs/argon2");
const { english } = await import("#server/foundation/languages/text.ts");
const { logIn, loginFailed } = await import("#server/accounts/login.ts");
afterAll(() => {
  vi.doUnmock("@node-rs/argon2");
  vi.resetModules();
});

const test = await createTestDatabase();

let subnet = 0;
/** Runs one refused login and returns its argon2 calls: the number of hashes, the cost of each verification, the time in ms. */
async function workFor(email: string, password = "wrong") {
  subnet += 1;
  const from = `10.1.${subnet}.1`;
  vi.mocked(argon2.hash).mockClear();
  vi.mocked(argon2.verify).mockClear();
  const startedAt = performance.now();
  await expect(logIn(test.db, secrets, { email, password }, from)).rejects.toThrow(english(loginFailed));
  const ms = performance.now() - startedAt;
  const costs = vi.mocked(argon2.verify).mock.calls.map(([hash]) => {
    const { memoryCost, timeCost, parallelism, algorithm } = argon2.parseOptions(String(hash));
    return { memoryCost, timeCost, parallelism, algorithm };
  });
  return { hashes: vi.mocked(argon2.hash).mock.calls.length, costs, ms };
}

it("verifies one hash of the same cost for known and unknown emails", async () => {
  const { email: known } = await somebody(test.db, { password: "right" });
  const { email: passwordless } = await somebody(test.db);
  const { id, email: disabled } = await somebody(test.db, { password: "right" });
  await disable(test.db, id);
  // The first login of a process creates the hash that unknown emails are checked against.
  expect((await workFor(known)).hashes).toBe(1);

  const { ms: _, ...expected } = await workFor(known);
  expect(expected.hashes).toBe(0);
  expect(expected.costs).toHaveLength(1);
  for (const email of ["nobody@example.com", passwordless, disabled]) {
    expect(await workFor(email)).toMatchObject(expected);
  }
  // Stored hashes may be of another Unicode spelling: the same for every email, at most three.
  for (const [typed, verified] of [
    ["wrong-é", 2],
    ["wrong-e\u0301", 2],
    ["wrong-\uff12", 2],
    ["wrong-e\u0301\uff12", 3],
    ["wrong-\u1e9b\u0323e\u0301\u00e9", 3],
  ] as const) {
    const { ms: ___, ...spelled } = await workFor(known, typed);
    expect(spelled.costs, typed).toHaveLength(verified);
    for (const email of ["nobody@example.com", passwordless, disabled])
      expect(await workFor(email, typed), typed).toMatchObject(spelled);
  }
  const { ms: __, ...tooLong } = await workFor(known, "x".repeat(1_025));
  expect(await workFor("nobody@example.com", "x".repeat(1_025))).toMatchObject(tooLong);
});

it("takes about the same time for known and unknown emails", async () => {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const { email } = await somebody(test.db, { password: "right" });
    known.push((await workFor(email)).ms);
    unknown.push((await workFor(`ghost-${n}@example.com`)).ms);
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[4] ?? 0;
  const ratio = median(known) / median(unknown);
  expect(ratio).toBeGreaterThan(1 / 2);
  expect(ratio).toBeLessThan(2);
});
