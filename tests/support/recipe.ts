/** A copy of the project in which a recipe of docs/extend is followed: files are written, the compiler is asked, tests are run. */
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
  /** Puts text behind the first place that matches. @throws Error when nothing does, as when the recipe is out of date */
  addAfter(file: string, place: RegExp, text: string): void;
  /** What the compiler says, a line an error; empty when all is well. */
  typeErrors(): Promise<string[]>;
  /** Runs one test file of the copy, with this in its environment. @throws Error with what it printed, when it fails */
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
