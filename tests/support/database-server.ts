/**
 * Vitest's global set-up for tests that need a database: prepares the template for `createTestDatabase`, and builds the store
 * once, because test files that start it run concurrently and must not all build it.
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
  // The first test that starts the store reports a failed build; the others do not need it.
  await buildIfNeeded().catch(() => undefined);
  return createTemplate();
}
