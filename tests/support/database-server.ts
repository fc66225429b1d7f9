/** Vitest's global set-up for tests that need a database: prepares what `createTestDatabase` copies. */
import type { TestProject } from "vitest/node";
import { createTemplate, type Template } from "./template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseTemplate: Template;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, destroy } = await createTemplate();
  project.provide("databaseTemplate", template);
  return destroy;
}
