/** Node arguments that start the store's web process. */
import path from "node:path";
import { builtPreload, projectFolder } from "./built-commands.mjs";

/** Returns the arguments for the built store, as `npm run serve` uses them. */
export function webArguments(): string[] {
  return ["--import", builtPreload, "node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"];
}

/** Returns the arguments for the store compiled on demand. */
export function devWebArguments(port: number): string[] {
  const remix = ["node_modules/@remix-run/dev/dist/cli.js", "vite:dev", "--config", "remix.config.js"];
  const preload = path.join(projectFolder, "server/foundation/web/preload.ts");
  return ["--import", "tsx", "--import", preload, ...remix, "--port", String(port), "--strictPort"];
}
