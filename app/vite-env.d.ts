/** The names of the migrations there were when the store was built: see remix.config.js. */
declare const builtMigrations: readonly string[];

/** The one import form that Vite's own types do not name: a module bundled by itself, by its URL. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
