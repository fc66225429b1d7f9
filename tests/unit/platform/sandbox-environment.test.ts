import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded.ts";
import { createSecrets, keepSecrets, sandboxEnvironment } from "#server/commands/sandbox-environment.ts";
import { readEnv } from "#server/env.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hubs-secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("it is all that the store asks for, and points at the sandbox alone", () => {
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
  // A permission's name only looks like an address.
  const places = Object.entries(env).filter(
    ([name, value]) => name !== "GRAPH_SCOPE" && /^(https?|smtps?):/.test(String(value)),
  );
  for (const [name, value] of places) {
    expect(`${name} ${value}`).toMatch(
      /(127\.0\.0\.1:310[01]|localhost:3100|PUBLIC_URL http:\/\/localhost:3000)/,
    );
  }
});

test("the data folder and the database in it are made for their owner alone", async () => {
  const dataDir = path.join(folder, "data");
  keepSecrets(dataDir);
  const database = await startEmbeddedPostgres({ dataDir: path.join(dataDir, "postgres"), port: 0 });
  await database.stop();
  for (const made of [dataDir, path.join(dataDir, "postgres")])
    expect(statSync(made).mode & 0o777, made).toBe(0o700);
});

test("secrets are made once, for their owner alone", () => {
  const first = keepSecrets(folder);
  expect(keepSecrets(folder)).toEqual(first);
  expect(statSync(path.join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
  expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
});
