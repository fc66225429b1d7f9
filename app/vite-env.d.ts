/** The migrations' names at build time: see remix.config.js. */
declare const builtMigrations: readonly string[];

/** The build itself, of which only the routes are read, and only once it is complete. */
declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/node";
  export const routes: ServerBuild["routes"];
}

/** The one import form that Vite's own types lack: a module bundled separately, by its URL. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
