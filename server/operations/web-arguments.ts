/** The node arguments that serve the store. */
import path from "node:path";
import { builtPreload, projectFolder } from "./built-commands.mjs";

/** The built store, as `npm run serve` does it. */
export function webArguments(): string[] {
  return ["--import", builtPreload, "node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"];
}

/** The store, compiled on demand. */
export function devWebArguments(port: number): string[] {
  const remix = ["node_modules/@remix-run/dev/dist/cli.js", "vite:dev", "--config", "remix.config.js"];
  const preload = path.join(projectFolder, "server/foundation/web/preload.ts");
  return ["--import", "tsx", "--import", preload, ...remix, "--port", String(port), "--strictPort"];
}
