/** A list of links to pages of the store, which marks the current page. */
import { useLocation } from "@remix-run/react";
import type { PageLink } from "./navigation.ts";
import { useTranslate } from "./text.tsx";

export function PageLinks({ of }: { of: readonly PageLink[] }) {
  const text = useTranslate();
  const { pathname } = useLocation();
  return (
    <ul>
      {of.map(({ label, href }) => (
        <li key={href}>
          <a href={href} aria-current={pathname === href ? "page" : undefined}>
            {text(label)}
          </a>
        </li>
      ))}
    </ul>
  );
}
