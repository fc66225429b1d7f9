/** Links that open in a small window next to the page. The window closes when the page navigates away. */
import { onClick, opensInThisWindow } from "./clicks.ts";

export function popups(root: Document): void {
  onClick<HTMLAnchorElement>(root, "a[data-popup]", (link, event) => {
    if (!opensInThisWindow(event)) return;
    // Tells the opened page to keep its opener, so that this page can close it.
    const address = new URL(link.href);
    address.searchParams.set("window", "popup");
    const opened = window.open(address, link.dataset.popup, "popup,width=520,height=680");
    // When the popup is blocked, the link works as it does without scripts and opens a new tab.
    if (opened === null) return;
    event.preventDefault();
    window.addEventListener("pagehide", () => opened.close(), { once: true });
  });
}
