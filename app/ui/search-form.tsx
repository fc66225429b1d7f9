/** The form of every search for services. It carries over the page's context, and says when it could not be sent. */
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import * as paths from "#server/paths.ts";
import { useMarkets } from "./brand.ts";
import { takenAlong } from "./navigation.ts";
import { useText } from "./text.tsx";

export function SearchForm({ className, children }: { className: string; children: ReactNode }) {
  const kept = Object.entries(takenAlong(useLocation(), useMarkets()));
  return (
    <form
      action={paths.search()}
      method="get"
      className={className}
      data-when-unsent={useText()("search.failed")}
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
