/**
 * Shows a progress bar during a page load: on a slow connection a clicked link seems to do nothing. styles/button.css decides
 * when a load counts as slow.
 */
import { onClick, opensInThisWindow } from "./clicks.ts";

/** The response may be a download, or the load may be cancelled: then this page stays. */
const maxWaitMs = 30_000;

/** Whether a link or form has begun to load another page, which a reload of this one would abort. */
export const isPageLoading = () => document.querySelector(".leaving, [aria-busy]") !== null;

export function pageLoadProgress({ documentElement: { classList } }: Document): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stay = () => {
    clearTimeout(timer);
    classList.remove("leaving");
  };
  const leave = () => {
    stay();
    classList.add("leaving");
    timer = setTimeout(stay, maxWaitMs);
  };
  // Listens at the window, which bubbling events reach last: by then popups and React have handled theirs.
  onClick<HTMLAnchorElement>(window, "a", (link, event) => {
    if (opensInThisWindow(event) && leaves(link)) leave();
  });
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) leave();
  });
  // The back/forward cache may restore this page in the state it was left in.
  window.addEventListener("pageshow", stay);
}

/** Whether a link leads to another page in this window, and not to a fragment, a file, a mail address or another window. */
function leaves(link: HTMLAnchorElement): boolean {
  if (link.target !== "" || link.hasAttribute("download") || !link.protocol.startsWith("http")) return false;
  return link.hash === "" || link.href.split("#")[0] !== location.href.split("#")[0];
}
