/**
 * Vitest's global set-up for tests that need a database: prepares what `createTestDatabase` copies, and builds the store,
 * since test files that start it run at once and must not build it over each other.
 */
import type { TestProject } from "vitest/node";
import { buildIfNeeded } from "#sandbox/local/install.mjs";
import { createTemplate, type Template } from "./template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseTemplate: Template;
  }
}

declare global {
  /** One template for all projects of a run. */
  var testTemplate: ReturnType<typeof createTemplate> | undefined;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isFirst = globalThis.testTemplate === undefined;
  globalThis.testTemplate ??= prepare();
  const { template, destroy } = await globalThis.testTemplate;
  project.provide("databaseTemplate", template);
  return async () => {
    if (isFirst) await destroy();
  };
}

async function prepare(): ReturnType<typeof createTemplate> {
  // A build that fails is told by the first test that starts the store; the others need none.
  await buildIfNeeded().catch(() => undefined);
  return createTemplate();
}
