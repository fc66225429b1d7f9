/**
 * Dialogs that need no script. A Popup opens over the page: its title takes the focus, and Escape, a press outside or its Close
 * gives it back. An OpenDialog is there from the start, at the top of what it asks about; scripts make it modal where it can be left.
 */
import { useLocation, useNavigate } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";

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

/**
 * @param leave where leaving it leads. With it the dialog is modal where scripts run: it holds the focus until it is answered or
 *   left by Escape
 */
export function OpenDialog(props: { id: string; title: string; leave?: string; children: ReactNode }) {
  const { id, title, leave, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: answered the same way twice, it opens twice
  useEffect(() => {
    const shown = dialog.current;
    if (leave === undefined || shown === null || shown.matches(":modal")) return;
    // Not close(), which would say that it has been left.
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
