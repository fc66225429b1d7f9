/** The form of every search for services: it takes along what the page is about, and says when it could not be sent. */
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import * as paths from "#server/paths.ts";
import { useMarkets } from "./brand.ts";
import { takenAlong } from "./navigation.ts";

/** What a search says that was not answered. */
export const searchFailed = "Search failed";

export function SearchForm({ className, children }: { className: string; children: ReactNode }) {
  const kept = Object.entries(takenAlong(useLocation(), useMarkets()));
  return (
    <form action={paths.search()} method="get" className={className} data-when-unsent={searchFailed}>
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
