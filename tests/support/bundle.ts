/** Compiles test programs to JavaScript: a program that is started repeatedly starts in a third of the time that tsx takes. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";
import { projectFolder } from "./tree.ts";

/**
 * Compiles a program of this project with its imports.
 * @param file relative to the project
 */
export async function bundleProgram(file: string): Promise<{ program: string; remove(): Promise<void> }> {
  const cache = path.join(projectFolder, ".cache");
  mkdirSync(cache, { recursive: true });
  // At the same depth as the source, because some code locates the project relative to its own file.
  const folder = mkdtempSync(path.join(cache, "bundle-"));
  await build({
    configFile: false,
    root: projectFolder,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: ["kysely", "zod"] },
    build: {
      ssr: file,
      target: "es2022",
      outDir: folder,
      rollupOptions: { output: { entryFileNames: "program.js" } },
    },
  });
  return { program: path.join(folder, "program.js"), remove: () => rm(folder, { recursive: true }) };
}
