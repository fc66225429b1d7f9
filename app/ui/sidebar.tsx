/**
 * The burger sidebar: a native popover, which opens, closes on Escape or an outside click and returns the focus without
 * scripts.
 */
import type { ReactNode } from "react";
import { closesPopover, togglesPopover } from "./dialog.tsx";
import { BurgerIcon, CrossIcon } from "./icons.tsx";
import { type HeaderUser, sidebarLinks } from "./navigation.ts";

const id = "sidebar";
// React 18 passes the attribute through, but its types do not know it yet.
const isPopover = { popover: "auto" };

export function SidebarButton() {
  return (
    <button type="button" className="icon" aria-label="Menu" {...togglesPopover(id)}>
      <BurgerIcon />
    </button>
  );
}

/** @param children shown only on phones; wider screens have it in the header */
export function Sidebar({ user, children }: { user: HeaderUser | null; children: ReactNode }) {
  const name = user === null || user.name === "" ? "User" : user.name;
  return (
    <nav id={id} className="sidebar" aria-label="Menu" {...isPopover}>
      <div className="sidebar-head">
        <p>
          <strong>{name}</strong>
          {user?.company != null && <span className="hint">{user.company}</span>}
        </p>
        <button
          type="button"
          className="icon"
          aria-label="Close the menu"
          // biome-ignore lint/a11y/noAutofocus: the focus moves here when the sidebar opens, not on page load
          autoFocus
          {...closesPopover(id)}
        >
          <CrossIcon />
        </button>
      </div>
      <ul>
        {sidebarLinks.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
      <div className="on-phones">{children}</div>
    </nav>
  );
}
