/** The migrations' names at build time: see remix.config.js. */
declare const builtMigrations: readonly string[];

/** The routes by name and path: see remix.config.js. */
declare module "virtual:routes" {
  import type { ServerBuild } from "@remix-run/node";
  export const routes: Readonly<
    Record<string, Pick<ServerBuild["routes"][string], "id" | "parentId" | "path" | "index">>
  >;
}

/** The one import form that Vite's own types lack: a module bundled separately, by its URL. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
