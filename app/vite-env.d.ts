/** The migrations' names at build time: see remix.config.js. */
declare const builtMigrations: readonly string[];

/** The one import form that Vite's own types lack: a module bundled separately, by its URL. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
