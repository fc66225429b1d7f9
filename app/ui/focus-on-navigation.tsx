/**
 * Imitates a page load for pages that React shows: scrolls to the top and focuses the heading, so that screen readers
 * announce it. An error, or the address's fragment, takes precedence over the heading. An open dialog has already taken the
 * focus.
 */
import { useLocation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

export function FocusOnNavigation() {
  const { key, hash } = useLocation();
  const isBack = useNavigationType() === "POP";
  /** The location handled last. The browser itself loaded the first one. */
  const arrivedAt = useRef(key);
  useEffect(() => {
    if (arrivedAt.current === key) return;
    arrivedAt.current = key;
    const named = hash === "" ? null : document.getElementById(hash.slice(1));
    // On Back, the browser restores the scroll position.
    if (!isBack && named === null) scrollTo(0, 0);
    // A form refused with the same errors keeps its summary. A new summary focuses itself.
    const problem = document.querySelector<HTMLElement>("main .error-summary");
    if (problem === null && document.querySelector("dialog:modal") !== null) return;
    const start = problem ?? named ?? document.querySelector<HTMLElement>("h1");
    if (start === null) return;
    if (start.tabIndex < 0) start.tabIndex = -1;
    start.focus({ preventScroll: isBack });
    // A new summary may have the focus already, and then focus() scrolls nowhere.
    if (start === problem && !isBack) start.scrollIntoView({ block: "center" });
  }, [key, hash, isBack]);
  return null;
}
