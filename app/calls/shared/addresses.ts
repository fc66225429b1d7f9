/** Every call with its address: the files of the table, with what their builders say of them. */

import { calls, pagesAlsoCalls } from "../table.ts";
import type { CallDescription } from "./call.ts";

export interface CallAddress {
  /** As the table spells it: reset-password/:token. */
  address: string;
  /** As OpenAPI writes it: /reset-password/{token}. */
  path: string;
  call: CallDescription;
}

interface RouteModule {
  loader?: unknown;
  action?: unknown;
}

/** To be called once the modules have been loaded: one of them is the document's own. */
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
