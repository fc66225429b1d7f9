/** The project for architecture tests: its files, and programs that run on them. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const projectFolder = path.resolve(import.meta.dirname, "../..");

/** @param folder relative to the project @returns paths relative to the project, with "/" */
export function filesUnder(folder: string, extension: RegExp): string[] {
  return readdirSync(path.join(projectFolder, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extension.test(entry.name))
    .map((entry) => path.relative(projectFolder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join("/"))
    .sort();
}

/** @param file relative to the project */
export function textOf(file: string): string {
  return readFileSync(path.join(projectFolder, file), "utf8");
}

export interface RunResult {
  code: number | null;
  stdout: string;
  /** stdout and stderr, as shown to a person. */
  output: string;
}

/** Runs a program of node_modules/.bin to its end. @param folder working directory @param more added to the environment */
export function run(
  name: string,
  args: readonly string[],
  folder: string,
  more: Record<string, string> = {},
): Promise<RunResult> {
  // The product's process must not see Vitest's variable.
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production", VITEST: undefined, ...more };
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(projectFolder, "node_modules/.bin", name), args, { cwd: folder, env });
    let stdout = "";
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += String(chunk);
      output += String(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += String(chunk);
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, output }));
  });
}
