/** Lists every call with its address, from the files in the call table and the descriptions their builders attach. */

import { calls, pagesAlsoCalls } from "../table.ts";
import type { CallDescription } from "./call.ts";

export interface CallAddress {
  /** As written in the call table: reset-password/:token. */
  address: string;
  /** As written in OpenAPI: /reset-password/{token}. */
  path: string;
  call: CallDescription;
}

interface RouteModule {
  loader?: unknown;
  action?: unknown;
}

/** Call this only after all modules have loaded, because the OpenAPI document's own module is one of them. */
export function callAddresses(): CallAddress[] {
  const modules = import.meta.glob<RouteModule>(["../*.ts", "../../pages/reset-password/route.tsx"], {
    eager: true,
  });
  return Object.entries({ ...calls, ...pagesAlsoCalls }).flatMap(([address, file]) => {
    const { loader, action } =
      modules[file.startsWith("calls/") ? `../${file.slice("calls/".length)}` : `../../${file}`] ?? {};
    const path = `/${address.replaceAll(/:(\w+)/g, "{$1}")}`;
    return [loader, action].filter(isDescribed).map(({ about }) => ({ address, path, call: about }));
  });
}

function isDescribed(handler: unknown): handler is { about: CallDescription } {
  return typeof handler === "function" && "about" in handler;
}
