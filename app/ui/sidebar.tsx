/**
 * The burger sidebar: a native popover, so that it opens, closes by Escape or a press outside and gives the focus back
 * without a script.
 */
import type { ReactNode } from "react";
import type { HeaderUser } from "./header.tsx";
import { BurgerIcon, CrossIcon } from "./icons.tsx";
import { sidebarLinks } from "./navigation.ts";

const id = "sidebar";
// React 18 passes these on as they are, and its types do not know them yet.
const toggles = { popovertarget: id };
const closes = { popovertarget: id, popovertargetaction: "hide" };
const isPopover = { popover: "auto" };

export function SidebarButton() {
  return (
    <button type="button" className="icon" aria-label="Menu" {...toggles}>
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
        <button type="button" className="icon" aria-label="Close the menu" {...closes}>
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
