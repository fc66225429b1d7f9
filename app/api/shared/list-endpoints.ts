/** Lists every call with its address, from the files in the call table and the descriptions their builders attach. */

import { endpoints, pagesWithJson } from "../endpoints.ts";
import type { EndpointDescription } from "./endpoint.ts";

export interface EndpointEntry {
  /** Path as written in the call table: reset-password/:token. */
  address: string;
  /** Path as written in OpenAPI: /reset-password/{token}. */
  path: string;
  call: EndpointDescription;
}

interface RouteModule {
  loader?: unknown;
  action?: unknown;
}

/** Call this only after all modules have loaded, because the OpenAPI document's own module is one of them. */
export function listEndpoints(): EndpointEntry[] {
  const modules = import.meta.glob<RouteModule>(["../*.ts", "../../pages/reset-password/route.tsx"], {
    eager: true,
  });
  return Object.entries({ ...endpoints, ...pagesWithJson }).flatMap(([address, file]) => {
    const { loader, action } =
      modules[file.startsWith("api/") ? `../${file.slice("api/".length)}` : `../../${file}`] ?? {};
    const path = `/${address.replaceAll(/:(\w+)/g, "{$1}")}`;
    return [loader, action].filter(isDescribed).map(({ about }) => ({ address, path, call: about }));
  });
}

function isDescribed(handler: unknown): handler is { about: EndpointDescription } {
  return typeof handler === "function" && "about" in handler;
}
