/**
 * Vitest's global set-up for tests that need a database: prepares what `createTestDatabase` copies, and builds the store,
 * since test files that start it run at once and must not build it over each other.
 */
import type { TestProject } from "vitest/node";
import { buildIfNeeded } from "#server/commands/install.mjs";
import { createTemplate, type Template } from "./template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseTemplate: Template;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A build that fails is told by the first test that starts the store; the others need none.
  await buildIfNeeded().catch(() => undefined);
  const { template, destroy } = await createTemplate();
  project.provide("databaseTemplate", template);
  return destroy;
}
