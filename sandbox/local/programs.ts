/** The sandbox's own programs. `npm run build` puts them in a separate folder, which no production image contains. */
import { existsSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { tsxArguments } from "#server/operations/child-process.ts";

const sources = {
  sandbox: "sandbox/local/sandbox.ts",
  "embedded-postgres": "sandbox/local/embedded-postgres.ts",
  "demo-seed": "sandbox/demo/demo-seed.ts",
} as const;
export type SandboxProgram = keyof typeof sources;

/** Arguments of `node`: the built program, or its source where nothing is built. */
export function programArguments(program: SandboxProgram, ...args: string[]): string[] {
  const built = path.join(projectFolder, `build/sandbox/${program}.js`);
  return existsSync(built)
    ? ["--enable-source-maps", built, ...args]
    : tsxArguments(sources[program], ...args);
}
