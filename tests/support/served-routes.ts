/** Every page and call of the product with its method, from the route table. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RouteConfigEntry } from "@remix-run/route-config";
import routes from "#app/routes.ts";

interface Route {
  pattern: string;
  file: string;
}

function walk(entries: readonly RouteConfigEntry[], above = ""): Route[] {
  return entries.flatMap((entry) => {
    const pattern = [above, entry.path].filter(Boolean).join("/");
    // A layout answers only through its index.
    return entry.children === undefined
      ? [{ pattern: `/${pattern}`, file: entry.file }]
      : walk(entry.children, pattern);
  });
}

/** "GET /login" and "POST /login", from the exports of each route's module. */
export const servedRoutes = walk(routes).flatMap(({ pattern, file }) => {
  const source = readFileSync(path.resolve("app", file), "utf8");
  const has = (name: string) =>
    new RegExp(`export (const ${name}\\b|\\{[^}]*\\b(as )?${name}\\b[^}]*\\})`).test(source);
  return [
    ...(has("loader") || source.includes("export default") ? [`GET ${pattern}`] : []),
    ...(has("action") ? [`POST ${pattern}`] : []),
  ];
});
