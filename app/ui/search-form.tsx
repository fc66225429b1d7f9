/**
 * The form of every search for services. It keeps the page's context, and shows a message when it cannot be sent. On the results
 * page a new search replaces the current one in the browser's history.
 */
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import * as paths from "#server/foundation/paths.ts";
import { useMarket } from "./brand.ts";
import type { Market, NavigationLocation } from "./navigation.ts";
import { useTranslate } from "./text.tsx";

export function SearchForm({ className, children }: { className: string; children: ReactNode }) {
  const place = useLocation();
  const kept = Object.entries(carriedOverQuery(place, useMarket()));
  const text = useTranslate();
  return (
    <form
      action={paths.search()}
      method="get"
      className={className}
      data-when-unsent={text("search.failed")}
      data-overlay={text("search.searching")}
      data-replaces={place.pathname === paths.search() ? "" : undefined}
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

/** Query parameters that a search keeps: the country of the prices, and whether the visitor is an existing customer. */
export function carriedOverQuery(
  place: NavigationLocation,
  market: Market | null,
): { country?: string; TUP?: "true" } {
  const isAdding = new URLSearchParams(place.search).get("TUP") === "true";
  return {
    ...(market?.isStandard === false && { country: market.code }),
    ...(isAdding && { TUP: "true" }),
  };
}
