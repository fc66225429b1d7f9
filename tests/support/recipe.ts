/** A copy of the project in which a test follows a recipe of docs/extend: it writes files, compiles, and runs tests. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectFolder, run } from "./tree.ts";

const parts = [
  ...["app", "server", "db", "migrations", "sandbox", "public", "tests", "docs"],
  ...["package.json", "package-lock.json", "remix.config.js", "tsconfig.json", "biome.json"],
];

export interface Copy {
  /** Files that were written or edited, relative to the project. */
  touched(): string[];
  write(file: string, text: string): void;
  /** Inserts text after the first match. @throws Error without a match, for example when the recipe is out of date */
  addAfter(file: string, place: RegExp, text: string): void;
  /** Compiler errors, one per line; empty if there are none. */
  typeErrors(): Promise<string[]>;
  /** Runs one test file of the copy with this environment. @throws Error with its output, when it fails */
  runTest(file: string, env: Record<string, string>): Promise<void>;
}

export function copyProject(folder: string): Copy {
  for (const part of parts) {
    cpSync(path.join(projectFolder, part), path.join(folder, part), { recursive: true });
  }
  symlinkSync(path.join(projectFolder, "node_modules"), path.join(folder, "node_modules"), "dir");
  const touched = new Set<string>();

  function write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
    touched.add(file);
  }

  return {
    touched: () => [...touched].sort(),
    write,
    addAfter(file, place, text) {
      const before = readFileSync(path.join(folder, file), "utf8");
      const after = before.replace(place, (found) => found + text);
      if (after === before) throw new Error(`${file} has nothing like ${place}: the recipe is out of date`);
      write(file, after);
    },
    async typeErrors() {
      const { output } = await run("tsc", ["--noEmit", "--pretty", "false"], folder);
      return output.split("\n").filter((line) => line.includes("error TS"));
    },
    async runTest(file, env) {
      const args = ["run", "--config", "tests/vitest.config.ts", "--project", "integration", file];
      const { code, output } = await run("vitest", args, folder, env);
      if (code !== 0) throw new Error(output);
    },
  };
}
