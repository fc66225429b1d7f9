import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#sandbox/local/embedded.ts";
import { createSecrets, loadOrCreateSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { openLogFolder } from "#sandbox/local/log-folder.ts";
import { openStore } from "#sandbox/vendors/state.ts";
import { readEnv } from "#server/platform/env.ts";
import { until } from "#tests/support/until.ts";

const modeOf = (made: string) => statSync(made).mode & 0o777;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hubs-secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("sets everything that the store requires, and points only at the sandbox", () => {
  const env = readEnv(
    sandboxEnvironment({
      port: 3000,
      sandboxPort: 3100,
      smtpPort: 3101,
      databaseUrl: "postgres://postgres@127.0.0.1:5432/postgres",
      dataDir: ".data",
      secrets: createSecrets(),
    }),
  );
  // GRAPH_SCOPE only looks like an address, and a command of the store listens at PARTNER_CONSENT_URL.
  const ours = ["GRAPH_SCOPE", "PARTNER_CONSENT_URL"];
  const places = Object.entries(env).filter(
    ([name, value]) => !ours.includes(name) && /^(https?|smtps?):/.test(String(value)),
  );
  for (const [name, value] of places) {
    expect(`${name} ${value}`).toMatch(
      /(127\.0\.0\.1:310[01]|localhost:3100|PUBLIC_URL http:\/\/localhost:3000)/,
    );
  }
});

test("makes the data folder and its database readable by their owner only", {
  tags: ["full"],
}, async () => {
  const dataDir = path.join(folder, "data");
  loadOrCreateSecrets(dataDir);
  const database = await startEmbeddedPostgres({ dataDir: path.join(dataDir, "postgres"), port: 0 });
  await database.stop();
  for (const made of [dataDir, path.join(dataDir, "postgres")]) expect(modeOf(made), made).toBe(0o700);
});

test("keeps the sandbox's state readable by its owner only, an existing file too", async () => {
  const dataDir = path.join(folder, "data");
  const dataFile = path.join(dataDir, "sandbox.json");
  const remember = async () => {
    const { save } = await openStore(dataFile, () => undefined);
    await save();
  };
  await remember();
  expect([modeOf(dataDir), modeOf(dataFile)]).toEqual([0o700, 0o600]);
  chmodSync(dataFile, 0o644);
  await remember();
  expect(modeOf(dataFile)).toBe(0o600);
});

test("makes logs readable by their owner only", async () => {
  const logs = path.join(folder, "logs");
  openLogFolder(logs)("a line", "web");
  await until("the file is there", async () => existsSync(path.join(logs, "web.log")));
  expect([modeOf(logs), modeOf(path.join(logs, "web.log"))]).toEqual([0o700, 0o600]);
});

test("creates secrets once, readable by their owner only", () => {
  const first = loadOrCreateSecrets(folder);
  expect(loadOrCreateSecrets(folder)).toEqual(first);
  expect(modeOf(path.join(folder, "secrets.json"))).toBe(0o600);
  expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
});
