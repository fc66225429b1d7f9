/**
 * The burger sidebar: a native popover, so that it opens, closes by Escape or a press outside and gives the focus back
 * without a script.
 */
import type { ReactNode } from "react";
import { closesPopover, togglesPopover } from "./dialog.tsx";
import { BurgerIcon, CrossIcon } from "./icons.tsx";
import { type HeaderUser, sidebarLinks } from "./navigation.ts";

const id = "sidebar";
// React 18 passes it on as it is, and its types do not know it yet.
const isPopover = { popover: "auto" };

export function SidebarButton() {
  return (
    <button type="button" className="icon" aria-label="Menu" {...togglesPopover(id)}>
      <BurgerIcon />
    </button>
  );
}

/** @param children what only phones show here; wider screens have it in the header */
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
          // biome-ignore lint/a11y/noAutofocus: the focus moves here when the sidebar opens, not when the page does
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
