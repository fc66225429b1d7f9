/** The projects of Vitest: docs/testing.md says what each proves and when it runs. */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { waitLimitMs } from "./support/until.ts";

const root = path.resolve(import.meta.dirname, "..");
/** Run by `npm test full`, not by `npm test`. */
const longTests = "tests/**/*.long.test.ts";
const migrations = readdirSync(path.join(root, "migrations")).map((file) => path.basename(file, ".ts"));

/** A project whose tests need a database or the running store. */
const onDatabase = { globalSetup: ["tests/support/database-server.ts"] };
/** A worker loads a module once, and its files share the store that tests/support/store.ts keeps running. */
const shared = { isolate: false };

/** Tests wait for events, so the only limit is that of tests/support/until.ts. */
function project(
  name: string,
  include: string,
  options: TestProjectInlineConfiguration["test"] = {},
): TestProjectInlineConfiguration {
  const timeout = name === "drill" ? 0 : waitLimitMs * 10;
  return {
    extends: true,
    test: {
      name,
      include: [include],
      exclude: include === longTests ? [] : [longTests],
      testTimeout: timeout,
      hookTimeout: timeout,
      expect: { poll: { timeout: waitLimitMs } },
      ...options,
    },
  };
}

export default defineConfig({
  root,
  define: { builtMigrations: JSON.stringify(migrations) },
  test: {
    environment: "node",
    tags: [
      {
        name: "full",
        description: "Takes long and proves what only operators meet: `npm test full` runs it.",
      },
    ],
    // One pool for all projects. Tests wait for other processes for half of their time.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      project("unit", "tests/unit/**/*.test.ts", shared),
      project("contract", "tests/contract/*.contract.ts"),
      project("integration", "tests/integration/**/*.test.ts", { ...shared, ...onDatabase }),
      project("faults", "tests/faults/**/*.test.ts", { ...shared, ...onDatabase }),
      project("long", longTests, { ...shared, ...onDatabase }),
      project("drill", "tests/**/*.drill.ts", { ...onDatabase, fileParallelism: false }),
    ],
  },
});
