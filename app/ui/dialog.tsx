/**
 * Dialogs without scripts. A Popup opens over the page: its title takes the focus, and Escape, an outside click or its Close
 * button return it. An InitiallyOpenDialog is open from the start, above the form it asks about. With scripts it is modal if it can be
 * left.
 */
import { useLocation, useNavigate } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslate } from "./text.tsx";

// React 18 passes these attributes through, but its types do not know them yet.
const isPopover = { popover: "auto" };

/** Attribute of the button that toggles the popup, sidebar or other popover with this id. */
export const togglesPopover = (id: string) => ({ popovertarget: id });
export const closesPopover = (id: string) => ({ popovertarget: id, popovertargetaction: "hide" });

export function Popup(props: { id: string; title: string; actions?: ReactNode; children: ReactNode }) {
  const { id, title, actions, children } = props;
  const text = useTranslate();
  return (
    <div id={id} className="dialog" role="dialog" aria-labelledby={`${id}-title`} {...isPopover}>
      {/* biome-ignore lint/a11y/noAutofocus: the focus moves here when the popup opens, not on page load */}
      <h2 id={`${id}-title`} tabIndex={-1} autoFocus ref={markAutofocus}>
        {title}
      </h2>
      {children}
      <p className="actions">
        {actions}
        <button type="button" className="quiet" {...closesPopover(id)}>
          {text("shell.close")}
        </button>
      </p>
    </div>
  );
}

/** React writes the attribute only on the server, but a popup that React mounts later needs it as well. */
function markAutofocus(title: HTMLElement | null): void {
  title?.setAttribute("autofocus", "");
}

/**
 * @param leave link for leaving the dialog; with it the dialog is modal where scripts run, and traps the focus until it is
 * answered or left with Escape
 */
export function InitiallyOpenDialog(props: {
  id: string;
  title: string;
  leave?: string;
  children: ReactNode;
}) {
  const { id, title, leave, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second identical answer must open it again
  useEffect(() => {
    const shown = dialog.current;
    if (leave === undefined || shown === null || shown.matches(":modal")) return;
    // Not close(), which would fire the event for leaving.
    shown.open = false;
    shown.showModal();
  }, [key, leave]);
  return (
    <dialog
      open
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onClose={leave === undefined ? undefined : () => navigate(leave)}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}
