/**
 * Where a page begins that React shows without a load: at its top, with the focus on its heading, which is read out by that, as a
 * browser does it for a page that it loads. What went wrong comes before the heading, and a place named in the address too. A dialog
 * that is open has taken the focus already.
 */
import { useLocation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

export function Arrival() {
  const { key, hash } = useLocation();
  const isBack = useNavigationType() === "POP";
  /** The page that was arrived at last; the first one the browser has loaded itself. */
  const arrivedAt = useRef(key);
  useEffect(() => {
    if (arrivedAt.current === key) return;
    arrivedAt.current = key;
    const named = hash === "" ? null : document.getElementById(hash.slice(1));
    // Back leads to where the page was left, which the browser knows.
    if (!isBack && named === null) scrollTo(0, 0);
    // A form that is refused in the same words shows the summary it had; another one takes the focus when it comes.
    const problem = document.querySelector<HTMLElement>("main .error-summary");
    if (problem === null && document.querySelector("dialog:modal") !== null) return;
    const start = problem ?? named ?? document.querySelector<HTMLElement>("h1");
    if (start === null) return;
    if (start.tabIndex < 0) start.tabIndex = -1;
    start.focus({ preventScroll: isBack });
  }, [key, hash, isBack]);
  return null;
}
