/**
 * The burger sidebar: a native popover, which opens, closes on Escape or an outside click and returns the focus without
 * scripts.
 */
import type { ReactNode } from "react";
import { closesPopover, togglesPopover } from "./dialog.tsx";
import type { HeaderUser } from "./header-user.ts";
import { BurgerIcon, CrossIcon } from "./icons.tsx";
import { sidebarLinks } from "./navigation.ts";
import { PageLinks } from "./page-links.tsx";
import { useTranslate } from "./text.tsx";

const id = "sidebar";
// React 18 passes the attribute through, but its types do not know it yet.
const isPopover = { popover: "auto" };

/** @param props.isEverywhere false for phones only */
export function SidebarButton({ isEverywhere }: { isEverywhere: boolean }) {
  const text = useTranslate();
  return (
    <button
      type="button"
      className={isEverywhere ? "icon burger everywhere" : "icon burger"}
      aria-label={text("site.menu")}
      {...togglesPopover(id)}
    >
      <BurgerIcon />
    </button>
  );
}

export function Sidebar({ user, children }: { user: HeaderUser | null; children: ReactNode }) {
  const text = useTranslate();
  const name = user === null || user.name === "" ? text("site.user") : user.name;
  return (
    <nav id={id} className="sidebar" aria-label={text("site.menu")} {...isPopover}>
      <div className="sidebar-head">
        <p>
          <strong>{name}</strong>
          {user?.company != null && <span className="hint">{user.company}</span>}
        </p>
        <button
          type="button"
          className="icon"
          aria-label={text("site.closeMenu")}
          // biome-ignore lint/a11y/noAutofocus: the focus moves here when the sidebar opens, not on page load
          autoFocus
          {...closesPopover(id)}
        >
          <CrossIcon />
        </button>
      </div>
      <PageLinks of={sidebarLinks({ isSignedIn: user !== null })} />
      <div className="sidebar-foot">{children}</div>
    </nav>
  );
}
