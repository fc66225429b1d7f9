/**
 * Dialogs without a script. A Popup opens over the page: its title takes the focus, and Escape, a press outside or its Close
 * gives it back. An OpenDialog is there from the start, at the top of what it asks about.
 */
import type { ReactNode } from "react";

// React 18 passes these on as they are, and its types do not know them yet.
const isPopover = { popover: "auto" };

/** For the button that opens and closes the popup, sidebar or other popover of this id. */
export const togglesPopover = (id: string) => ({ popovertarget: id });
export const closesPopover = (id: string) => ({ popovertarget: id, popovertargetaction: "hide" });

export function Popup(props: { id: string; title: string; actions?: ReactNode; children: ReactNode }) {
  const { id, title, actions, children } = props;
  return (
    <div id={id} className="dialog" role="dialog" aria-labelledby={`${id}-title`} {...isPopover}>
      {/* biome-ignore lint/a11y/noAutofocus: the focus moves here when the popup opens, not when the page does */}
      <h2 id={`${id}-title`} tabIndex={-1} autoFocus ref={markAutofocus}>
        {title}
      </h2>
      {children}
      <p className="actions">
        {actions}
        <button type="button" className="quiet" {...closesPopover(id)}>
          Close
        </button>
      </p>
    </div>
  );
}

/** React writes the attribute on the server only; a popup that React adds later needs it as well. */
function markAutofocus(title: HTMLElement | null): void {
  title?.setAttribute("autofocus", "");
}

export function OpenDialog({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <dialog open className="dialog" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}
