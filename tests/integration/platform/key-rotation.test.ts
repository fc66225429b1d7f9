/** Rotation of keys and secrets while the store runs: everything stays readable, users stay signed in and drafts are kept. */
import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { Db } from "#db/tables/index.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { decrypt, encrypt } from "#server/foundation/security/cipher.ts";
import { runOnce } from "#server/foundation/security/idempotency.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { startChild } from "#server/operations/child-process.ts";
import type { Context } from "#server/platform/context.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder } from "#tests/support/journey.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { contextForStack } from "#tests/support/world.ts";

// Not a shared stack: its processes restart with other secrets.
const { stack, context } = await startStore({ env: { LOG_LEVEL: "warn" } });
const oldKey = stack.env.ENCRYPTION_KEY;
const oldSecret = stack.env.SESSION_SECRET;
const newKey = randomBytes(32).toString("base64");
const newSecret = randomBytes(32).toString("base64");

const opened: Context[] = [];
afterAll(() => Promise.all(opened.map(({ db }) => db.destroy())));

/** Returns the store's environment with other keys. */
const withKeys = (keys: string) => ({ ...stack.env, ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS: keys });

function processWith(keys: string): Context {
  const one = contextForStack(withKeys(keys));
  opened.push(one);
  return one;
}

async function reEncrypt(keys: string): Promise<{ how: string; said: string }> {
  const lines: string[] = [];
  const env = withKeys(keys);
  const command = startChild({
    name: "reencrypt",
    args: builtCommandArguments("reencrypt"),
    env,
    onLine: (line) => lines.push(line),
  });
  return { how: await command.ended, said: lines.join("\n") };
}

async function readProviderSecret(db: Db, provider: string): Promise<string> {
  const row = await db
    .selectFrom("provider_secrets")
    .select("secret_ciphertext")
    .where("provider", "=", provider)
    .executeTakeFirstOrThrow();
  return row.secret_ciphertext;
}

async function storeProviderSecret(db: Db, provider: string, secret_ciphertext: string): Promise<void> {
  await db.insertInto("provider_secrets").values({ provider, secret_ciphertext }).execute();
}

test("keeps rows readable, and refuses to drop an old key that rows still use", {
  tags: ["full"],
}, async () => {
  const { id: orderId } = await beginOrder(new HttpBrowser(stack.url));
  const token = "a-refresh-token";
  const password = { username: "admin@acme.example", password: "Initial-Pass-1" };
  const repeatable = { who: "tests", path: "/order", key: "one", body: "{}" };
  const answerTo = (process: Context) =>
    runOnce(process, repeatable, () => Promise.reject(new Error("it ran twice")));
  async function expectReadable(process: Context) {
    const { db, encryptionKeys } = process;
    expect(await readCredentials(process, db, orderId, "sign-in")).toMatchObject(password);
    const ciphertext = await readProviderSecret(db, "partner-center");
    expect(decrypt(encryptionKeys, ciphertext, "partner-center")).toBe(token);
    expect(await answerTo(process)).toMatchObject({ text: "the answer", replayed: true });
  }

  const { db, encryptionKeys } = context;
  await storeCredentials(context, db, orderId, "sign-in", password);
  await storeProviderSecret(db, "partner-center", encrypt(encryptionKeys, token, "partner-center"));
  await runOnce(context, repeatable, () => Promise.resolve({ status: 200, text: "the answer" }));
  // More than one batch.
  const many = Array.from({ length: 250 }, (_, n) => `provider-${n}`);
  for (const name of many) await storeProviderSecret(db, name, encrypt(encryptionKeys, name, name));

  await expectReadable(processWith(`${oldKey} new:${newKey}`));
  await expectReadable(processWith(`new:${newKey} ${oldKey}`));
  expect(await reEncrypt(`new:${newKey}`)).toMatchObject({
    how: "code 1",
    said: expect.stringContaining("255 can't be decrypted with these keys"),
  });
  await expectReadable(context);

  const moved = await reEncrypt(`new:${newKey} ${oldKey}`);
  expect(moved.said).toContain("credentials: 1 re-encrypted");
  expect(moved.said).toContain("provider_secrets: 253 re-encrypted");
  expect(moved.said).toContain("idempotency_keys: 1 re-encrypted");
  expect(moved.said).toContain("You can remove the other keys");
  expect(moved.how).toBe("code 0");
  const again = await reEncrypt(`new:${newKey} ${oldKey}`);
  expect(again.said).toContain("provider_secrets: 0 re-encrypted");

  const afterwards = processWith(`new:${newKey}`);
  await expectReadable(afterwards);
  for (const name of many) {
    const ciphertext = await readProviderSecret(db, name);
    expect(decrypt(afterwards.encryptionKeys, ciphertext, name)).toBe(name);
  }
  // Still bound to its row: a copy in another row cannot be decrypted.
  const [first = "", second = ""] = many;
  const copied = await readProviderSecret(db, first);
  expect(() => decrypt(afterwards.encryptionKeys, copied, second)).toThrow("does not open");
});

test("refuses to re-encrypt with a key without an id, whose rows cannot be identified", async () => {
  const { how, said } = await reEncrypt(`${oldKey} new:${newKey}`);
  expect([how, said]).toEqual(["code 1", expect.stringContaining("needs an id")]);
});

test("keeps sessions and drafts until the old session secret is removed", {
  tags: ["full"],
}, async () => {
  const member = await signedIn(context, stack.url, await makePerson(context.db));
  const guest = new HttpBrowser(stack.url);
  const { path } = await beginOrder(guest, { quantity: 17 });
  async function serveWith(secrets: string) {
    stack.env.SESSION_SECRET = undefined;
    stack.env.SESSION_SECRETS = secrets;
    await stack.killWeb();
    await stack.startWeb();
  }
  const isIn = async () => (await member.get("/Home")).status === 200;
  const hasDraft = async () => (await guest.get(`${path}/create-account`)).status === 200;
  expect([await isIn(), await hasDraft()]).toEqual([true, true]);

  await serveWith(`${newSecret} ${oldSecret}`);
  expect([await isIn(), await hasDraft()]).toEqual([true, true]);

  await serveWith(newSecret);
  expect([await isIn(), await hasDraft()]).toEqual([false, false]);
});
